import type { RecordType } from '@matricula/contract/record-types'
import { column, sql } from '../../database/index.ts'
import { loadHolders } from '../custom-fields/unique-values.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getFields } from '../model/record-tables.ts'
import { findNameField } from './record-naming.ts'
import type { RecordWork } from './record-work.ts'

/** The records that have a value in a custom field. Holds an advisory lock on the value until the transaction ends. */
async function holding(work: RecordWork, type: RecordType, fieldId: string, value: string | number) {
  const ids = await loadHolders(work.tx, { id: fieldId }, value)
  return ids.length === 0 ? [] : work.select(type, sql`r.id = any(${ids}::uuid[])`)
}

/**
 * Rejects a value of a unique field that another record of the type has, texts in any case: two who differ in capitals
 * only are one to whoever types the name or the address. Empty values do not conflict; the field that names a record is
 * unique by its name.
 *
 * @throws RecordError `UniqueValidationError`, which names the other record where the caller may read it.
 */
export async function requireUnique(
  work: RecordWork,
  type: RecordType,
  document: AnyDocument,
  before: AnyDocument | null,
): Promise<void> {
  const nameField = findNameField(type)
  for (const [field, declared] of getFields(type)) {
    const value = document[field]
    if (declared.unique !== true || value === null || value === '' || value === before?.[field]) continue
    if (field === nameField || (declared.customId !== undefined && value === 0)) continue
    const holders =
      declared.customId === undefined
        ? await work.select(type, sql`r.${column(field)} = ${value as string} collate any_case`, sql`limit 2`)
        : await holding(work, type, declared.customId, value as string | number)
    const other = holders.find((holder) => holder.name !== document.name)
    if (other === undefined) continue
    throw new RecordError(
      'UniqueValidationError',
      `${declared.label} must be unique. ${(await work.mayRead(type, other.name)) ? `${type.name} ${other.name}` : `Another ${type.name}`} has it.`,
    )
  }
}
