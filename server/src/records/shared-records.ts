import { identifier, sql, type Transaction } from '../database/index.ts'
import { RecordError } from './record-error.ts'

/** The values of the fields that only this surface shows, out of a record; `columns` names the column of each. */
export function ownValues<Document extends object, Field extends keyof Document & string>(
  document: Document,
  columns: Readonly<Record<Field, string>>,
): Pick<Document, Field> {
  const own = Object.keys(columns) as Field[]
  return Object.fromEntries(own.map((field) => [field, document[field]])) as Pick<Document, Field>
}

/**
 * Deletes the row of a record that the Client API shares, which `what` names in the refusal. Throws `LinkExistsError` while
 * rows that are no records of this surface, such as payments, belong to it.
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
