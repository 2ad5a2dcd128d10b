import { identifier, sql, type Transaction } from '../../database/index.ts'
import type { ImportKind } from './kinds/index.ts'
import type { ReadRow } from './read-rows.ts'
import type { FieldError } from './row-errors.ts'
import { SeenKeys } from './seen-keys.ts'

type Checked = ReadRow & { errors: FieldError[] }

/** Checks the keys of rows: each stands once, and none has lost its zeros in a spreadsheet. */
export class KeyChecks {
  readonly #tx: Transaction
  readonly #kind: ImportKind
  readonly #hasColumn: boolean
  /** How long the stored keys are that begin with a zero. */
  readonly #storedWidths: readonly number[]
  readonly #seen = new SeenKeys()
  /** How long a key of the file is that begins with a zero. */
  #width: number | null = null

  private constructor(tx: Transaction, kind: ImportKind, hasColumn: boolean, storedWidths: readonly number[]) {
    this.#tx = tx
    this.#kind = kind
    this.#hasColumn = hasColumn
    this.#storedWidths = storedWidths
  }

  static async open(tx: Transaction, kind: ImportKind): Promise<KeyChecks> {
    const hasColumn = columnKinds.has(kind.name)
    const rows = await tx.query<{ width: number }>(
      hasColumn
        ? sql`
            select distinct length(external_id) as width from ${identifier(kind.table)}
             where tenant_id = ${tx.tenantId} and external_id >= '0' and external_id < '1' and external_id ~ '^0[0-9]+$'`
        : sql`
            select distinct length(external_id) as width from imported_records
             where tenant_id = ${tx.tenantId} and kind = ${kind.name} and external_id ~ '^0[0-9]+$'`,
    )
    return new KeyChecks(
      tx,
      kind,
      hasColumn,
      rows.map(({ width }) => width),
    )
  }

  /** The faults of the key of a row. */
  check({ row, errors }: ReadRow): FieldError[] {
    const { id, externalId } = row.values
    const [field, key] = typeof id === 'string' && id !== '' ? ['id', id.toLowerCase()] : ['externalId', externalId]
    if (typeof key !== 'string' || key === '') {
      if (errors.some((error) => error.field === null || error.field === 'externalId' || error.field === 'id'))
        return []
      return [{ field: 'externalId', code: 'required', detail: 'is required: it is the key of the record' }]
    }
    const before = this.#seen.add(`${field} ${key}`, row.line)
    if (before !== null) {
      return [{ field: field as string, code: 'duplicate', detail: `is the key of the record on line ${before} too` }]
    }
    if (field === 'externalId' && /^0\d+$/.test(key)) this.#width ??= key.length
    return []
  }

  /** Adds the fault of keys that are numbers and would be those of other records with zeros before them. */
  async confirm(rows: readonly Checked[]): Promise<void> {
    const widths = [...new Set([...this.#storedWidths, ...(this.#width === null ? [] : [this.#width])])]
    if (widths.length === 0) return
    const candidates = rows.flatMap((each) => {
      const { id, externalId } = each.row.values
      const isKey = typeof externalId === 'string' && /^[1-9]\d*$/.test(externalId) && !id
      if (!isKey || each.errors.length > 0) return []
      const padded = widths.filter((width) => width > externalId.length).map((width) => externalId.padStart(width, '0'))
      return padded.length === 0 ? [] : [{ each, key: externalId, padded }]
    })
    if (candidates.length === 0) return
    const stored = await this.#find(candidates.flatMap(({ key, padded }) => [key, ...padded]))
    for (const { each, key, padded } of candidates) {
      if (stored.has(key)) continue
      const meant = padded.find((other) => stored.has(other))
      const isShort = this.#width !== null && key.length < this.#width
      if (meant === undefined && !isShort) continue
      const shown = meant ?? key.padStart(this.#width ?? 0, '0')
      each.errors.push({ field: 'externalId', code: 'lost_zeros', detail: `seems to be ${shown} without its zeros` })
    }
  }

  async #find(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const table = this.#hasColumn ? identifier(this.#kind.table) : sql`imported_records`
    const own = this.#hasColumn ? sql`true` : sql`kind = ${this.#kind.name}`
    const rows = await this.#tx.query<{ external_id: string }>(sql`
      select external_id from ${table}
       where tenant_id = ${this.#tx.tenantId} and ${own} and external_id = any (${keys}::text[])`)
    return new Set(rows.map(({ external_id }) => external_id))
  }
}

/** The kinds whose records have a column for their externalId. */
const columnKinds: ReadonlySet<string> = new Set(['students', 'applications', 'payments', 'programs', 'courses'])
