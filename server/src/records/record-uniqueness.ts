import type { RecordType } from '@matricula/contract/record-types'
import { column, sql } from '../database/index.ts'
import type { AnyDocument } from './record-document.ts'
import { RecordError } from './record-error.ts'
import { nameFieldOf } from './record-naming.ts'
import type { RecordWork } from './record-work.ts'

/**
 * Refuses a value that another record of the type has in a field that is unique. Empty values do not clash, and the field that
 * names a record is looked after by its name.
 *
 * @throws RecordError `UniqueValidationError`, which names the other record.
 */
export async function requireUnique(
  work: RecordWork,
  type: RecordType,
  document: AnyDocument,
  before: AnyDocument | null,
): Promise<void> {
  const nameField = nameFieldOf(type)
  for (const [field, declared] of Object.entries(type.fields)) {
    const value = document[field]
    if (declared.unique !== true || value === null || value === '' || value === before?.[field]) continue
    if (field === nameField) continue
    const holders = await work.select(type, sql`r.${column(field)} = ${value as string}`, sql`limit 2`)
    const other = holders.find((holder) => holder.name !== document.name)
    if (other === undefined) continue
    throw new RecordError(
      'UniqueValidationError',
      `${declared.label} must be unique. ${type.name} ${other.name} has it.`,
    )
  }
}
