import { file, type RecordType, recordTypes } from '@matricula/contract/record-types'
import { identifier, join, type Sql, sql } from '../../database/index.ts'
import {
  type Caller,
  countRecords,
  isManager,
  mayDo,
  ownershipCondition,
  type RecordEngine,
  RecordError,
  type RecordOf,
  type RecordView,
  type RecordWork,
  requireOwn,
} from '../../record-engine/index.ts'

/** The attachment of a file: a record, a type without a record, or nothing. */
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
  const { attached_to_doctype: typeName, attached_to_name: name } = attachment
  const type = typeName ? typeNamed(typeName) : null
  if (type !== null && name) {
    engine.require(type, 'write')
    await requireOwn(engine, type, name, 'write')
  }
  await requireAttachable(engine, attachment)
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

/**
 * The files that somebody sees: its own, those of records that it may read, and public ones of no record. What is attached to another file
 * is its owner's.
 */
export function filesSeenBy({ registry, caller }: RecordView, alias: string): Sql | null {
  if (isManager(caller)) return null
  const of = identifier(alias)
  const whole: string[] = []
  const parts: Sql[] = []
  for (const definition of registry.all()) {
    const { type, relation } = definition
    if (type.name === file.name || !mayDo(caller, type, 'read')) continue
    const own = ownershipCondition(registry, caller, definition, 'named')
    if (own === null) whole.push(type.name)
    else {
      parts.push(sql`${of}.attached_to_doctype = ${type.name} and exists (
        select from ${identifier(relation)} named
         where named.tenant_id = ${caller.tenant.id} and named.name = ${of}.attached_to_name and ${own})`)
    }
  }
  const conditions = [
    sql`${of}.owner = ${caller.user}`,
    sql`coalesce(${of}.attached_to_doctype, '') = '' and ${of}.is_private = 0`,
    sql`${of}.attached_to_doctype = any(${whole}::text[]) and coalesce(${of}.attached_to_name, '') <> ''`,
    ...parts,
  ]
  return sql`(${join(conditions, ' or ')})`
}

/** Whether a file is not somebody else's alone: what is attached to a record is changed by those who may write that one. */
export function isAttachedOrOwn(
  caller: Caller,
  { attached_to_doctype: type, attached_to_name: name, owner }: RecordOf<typeof file>,
): boolean {
  return isManager(caller) || owner === caller.user || (Boolean(type) && Boolean(name))
}

function typeNamed(name: string): RecordType | null {
  return recordTypes.find((type) => type.name === name) ?? null
}
