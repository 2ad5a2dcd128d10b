import { type file, type RecordType, recordTypes } from '@matricula/contract/record-types'
import {
  countRecords,
  isManager,
  mayDo,
  type RecordEngine,
  RecordError,
  type RecordOf,
  type RecordWork,
  requireOwn,
} from '../../records/index.ts'

/** What a file is attached to: a record of a type, or a type without a record, or nothing. */
export type Attachment = Pick<RecordOf<typeof file>, 'attached_to_doctype' | 'attached_to_name' | 'attached_to_field'>

/**
 * Checks that the caller may write the record that a file is attached to. Throws `DoesNotExistError` for a type or a record
 * that there is not, and `PermissionError`.
 */
export async function requireAttachable(work: RecordWork, attachment: Attachment): Promise<void> {
  const { attached_to_doctype: typeName, attached_to_name: name } = attachment
  if (!typeName) {
    if (!name) return
    throw new RecordError('FrappeTypeError', `Send the doctype of ${name.slice(0, 140)} too.`)
  }
  const type = typeNamed(typeName)
  if (type === null) {
    throw new RecordError('DoesNotExistError', `There is no record type ${JSON.stringify(typeName.slice(0, 140))}.`)
  }
  work.require(type, 'write')
  if (name) await work.get(type, name)
}

/** The same for a caller who asks by itself: one who may read only what is about itself attaches to nothing else either. */
export async function requireOwnAttachable(engine: RecordEngine, attachment: Attachment): Promise<void> {
  await requireAttachable(engine, attachment)
  const { attached_to_doctype: typeName, attached_to_name: name } = attachment
  const type = typeName ? typeNamed(typeName) : null
  if (type !== null && name) await requireOwn(engine, type, name, 'write')
}

/** Whether a record that a file is attached to has a field of this name, which the file's address can stand in. */
export function isFieldOfAttachment({ attached_to_doctype: typeName, attached_to_field: field }: Attachment): boolean {
  const fields = typeName ? typeNamed(typeName)?.fields : undefined
  return fields !== undefined && field !== null && Object.hasOwn(fields, field) && fields[field]?.type !== 'Table'
}

/** Whether the caller may read what a file says: its own one, a public one, or one of a record that it may read. */
export async function mayReadFile(engine: RecordEngine, record: RecordOf<typeof file>): Promise<boolean> {
  const { caller, tx, registry } = engine
  if (record.is_private !== 1) return true
  if (caller.kind === 'guest') return false
  if (isManager(caller) || record.owner === caller.user) return true
  const { attached_to_doctype: typeName, attached_to_name: name } = record
  const type = typeName ? typeNamed(typeName) : null
  if (type === null || !name || !mayDo(caller, type, 'read')) return false
  return (await countRecords(tx, registry, caller, type.name, { filters: { name } })) > 0
}

/** Whether the caller may take a file away: its own one, or one of a record that it may write. */
export function mayRemoveFile(work: RecordWork, record: RecordOf<typeof file>): boolean {
  if (isManager(work.caller) || record.owner === work.caller.user) return true
  const type = record.attached_to_doctype ? typeNamed(record.attached_to_doctype) : null
  return type !== null && mayDo(work.caller, type, 'write')
}

function typeNamed(name: string): RecordType | null {
  return recordTypes.find((type) => type.name === name) ?? null
}
