import { identifier, sql, type Transaction } from '../../../database/index.ts'
import { isUuid } from '../../../values/index.ts'
import type { FieldError } from '../row-errors.ts'

/** A column that names another record by a key, and the field of the record that it stands for. */
export interface Reference {
  readonly column: string
  readonly field: string
  readonly table: string
  readonly key: string
  /** What the field holds of the other record. */
  readonly value: string
  readonly noun: string
  /** The kind of imported records by whose externalIds it names one, where the table has no column for them. */
  readonly importedKind?: string
}

/** The department that a row names by its externalId. */
export const toDepartment: Reference = {
  column: 'departmentExternalId',
  field: 'department',
  table: 'departments',
  key: 'external_id',
  value: 'name',
  noun: 'department',
  importedKind: 'departments',
}

const maxCached = 50_000

/** Looks up what columns name, many at once, and remembers what was found lately. */
export class References {
  readonly #tx: Transaction
  readonly #found = new Map<string, string>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** What each of these keys stands for; a key that names nothing is absent. */
  async find(reference: Reference, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { table, key, value, importedKind } = reference
    const location = (each: string) => `${table} ${key} ${value} ${each}`
    const isId = key === 'id'
    const unknown = [...new Set(keys)].filter((each) => !this.#found.has(location(each)) && (!isId || isUuid(each)))
    if (unknown.length > 0) {
      if (this.#found.size > maxCached) this.#found.clear()
      const rows = await this.#tx.query<{ key: string; value: string }>(
        importedKind === undefined
          ? sql`
              select ${identifier(key)}::text as key, ${identifier(value)}::text as value from ${identifier(table)}
               where tenant_id = ${this.#tx.tenantId}
                 and ${identifier(key)} = any (${unknown}::${isId ? sql`uuid[]` : sql`text[]`})`
          : sql`
              select i.external_id as key, t.${identifier(value)}::text as value
                from imported_records i
                join ${identifier(table)} t on t.tenant_id = ${this.#tx.tenantId} and t.id = i.record_id
               where i.tenant_id = ${this.#tx.tenantId} and i.kind = ${importedKind}
                 and i.external_id = any (${unknown}::text[])`,
      )
      for (const row of rows) this.#found.set(location(row.key), row.value)
    }
    return new Map(
      keys.flatMap((each) => {
        const found = this.#found.get(location(each)) ?? this.#found.get(location(each.toLowerCase()))
        return found === undefined ? [] : [[each, found] as const]
      }),
    )
  }
}

/** The fault of a reference to something that is not there. */
export function missingReference({ column, noun }: Reference, key: string): FieldError {
  return {
    field: column,
    code: 'reference_not_found',
    detail: `names no ${noun}: ${JSON.stringify(key.slice(0, 160))}`,
  }
}
