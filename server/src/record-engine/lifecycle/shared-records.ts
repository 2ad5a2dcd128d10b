import { identifier, sql, type Transaction } from '../../database/index.ts'
import type { Columns, Kept, StoredFields } from '../../entities/index.ts'
import { RecordError } from '../model/record-error.ts'

/** The values of the fields that only this surface shows, out of a record; `columns` names the column of each. */
export function ownValues<Document extends object, Field extends keyof Document & string>(
  document: Document,
  columns: Readonly<Record<Field, string>>,
): Pick<Document, Field> {
  const own = Object.keys(columns) as Field[]
  return Object.fromEntries(own.map((field) => [field, document[field]])) as Pick<Document, Field>
}

/** The fields of a record of the Client API whose column has the name that a field has here. */
type Shared<Item, Stored extends Columns, Document> = {
  [Field in Kept<Item, Stored> as Stored[Field] extends keyof Document ? Field : never]: Item[Field]
}

/**
 * The fields of a record that both surfaces have, where the name on this surface is the column's.
 * A text without characters is null where the Client API has fields without a value, and the other way round.
 */
export function sharedValues<Document extends object, Item, const Stored extends Columns>(
  document: Document,
  { columns, nothing }: StoredFields<Item, Stored>,
): Shared<Item, Stored, Document> {
  const values = Object.entries<string>(columns)
    .map(
      ([field, column]) =>
        [field, document[column as keyof Document] as unknown, Object.hasOwn(nothing, field)] as const,
    )
    .filter(([, value]) => value !== undefined)
    .map(([field, value, isNullable]) => [field, value === '' || value === null ? (isNullable ? null : '') : value])
  return Object.fromEntries(values) as Shared<Item, Stored, Document>
}

/**
 * Deletes the row of a record that the Client API shares, which `what` names in the error. Throws `LinkExistsError`
 * while rows that are no records of this surface, such as payments, belong to it.
 */
export async function removeRow(tx: Transaction, table: string, id: string, what: string): Promise<void> {
  try {
    await tx.query(sql`delete from ${identifier(table)} where tenant_id = ${tx.tenantId} and id = ${id}`)
  } catch (error) {
    const { code, table: linking = '' } = error as { code?: string; table?: string }
    if (code !== '23503') throw error
    throw new RecordError(
      'LinkExistsError',
      `Cannot delete ${what} because it is linked with ${linking.replaceAll('_', ' ')}. Remove these first.`,
    )
  }
}
