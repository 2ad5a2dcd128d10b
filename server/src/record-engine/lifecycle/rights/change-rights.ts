import { type RecordType, type Right, user } from '@matricula/contract/record-types'
import { identifier, sql } from '../../../database/index.ts'
import { isEmail } from '../../../http/index.ts'
import { putOutAddressReplaced, putOutSignInMail } from '../../../identity/users/index.ts'
import { mayDo } from '../../model/permissions.ts'
import type { RecordDefinition } from '../../model/record-definition.ts'
import type { AnyDocument } from '../../model/record-document.ts'
import { RecordError } from '../../model/record-error.ts'
import { requireOwnLinks } from '../../query/visibility/ownership.ts'
import type { RecordEngine } from '../record-engine.ts'
import { requireOwn } from './own-records.ts'

/** The fields of a record. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Authorizes a change of a record beyond the right to its type. Runs before links are looked up and rules run, so that
 * the error is the same whether the record exists or not and reveals nothing. `before` is null for a new record.
 *
 * @throws RecordError `PermissionError`
 */
export async function requireChangeRights(
  engine: RecordEngine,
  definition: RecordDefinition,
  before: AnyDocument | null,
  after: Fields,
): Promise<void> {
  await requireOwnLinks(engine, definition, before, after, before === null ? 'create' : 'write')
  await requireRightToNamed(engine, definition, before, after)
  await requireRightToAccount(engine, definition.type, before, after)
  if (before !== null) await informFormerAddress(engine, definition, before, after)
}

/** Rejects a record that belongs to one that the caller may not read, on creation and when it is moved to another. */
async function requireRightToNamed(
  engine: RecordEngine,
  definition: RecordDefinition,
  before: AnyDocument | null,
  after: Fields,
): Promise<void> {
  const [old, named] = [before === null ? null : namedBy(definition, before), namedBy(definition, after)]
  const isMoved = old?.typeName !== named?.typeName || old?.name !== named?.name
  const { rightToNamed } = definition
  if (!isMoved && rightToNamed === null) return
  for (const each of isMoved ? [old, named] : [named]) {
    if (each !== null) await requireNamed(engine, each, rightToNamed ?? 'read')
  }
}

/**
 * Throws `PermissionError` where the type requires a right to the record that this one belongs to and the caller lacks
 * it.
 */
export async function requireRightToDelete(
  engine: RecordEngine,
  definition: RecordDefinition,
  document: AnyDocument,
): Promise<void> {
  const named = namedBy(definition, document)
  if (definition.rightToNamed !== null && named !== null) await requireNamed(engine, named, definition.rightToNamed)
}

interface Named {
  readonly typeName: string
  readonly name: string
}

/** The record that a record belongs to by a Dynamic Link; null where it names none. */
function namedBy({ type, goesWith }: RecordDefinition, fields: Fields): Named | null {
  const declared = goesWith === null ? undefined : type.fields[goesWith]
  if (goesWith === null || declared?.type !== 'Dynamic Link') return null
  const [typeName, name] = [fields[declared.typeField], fields[goesWith]]
  if (typeof typeName !== 'string' || typeName === '') return null
  return { typeName, name: typeof name === 'string' ? name : '' }
}

async function requireNamed(engine: RecordEngine, { typeName, name }: Named, right: Right): Promise<void> {
  const type = engine.registry.find(typeName)?.type
  // A type that does not exist is reported by the link check.
  if (type === undefined) return
  engine.require(type, right)
  if (name !== '') await requireOwn(engine, type, name, right)
}

/**
 * Throws `PermissionError` for a change of a person's account by a caller who may not write users. Mails the account
 * that is unlinked.
 */
async function requireRightToAccount(
  engine: RecordEngine,
  type: RecordType,
  before: AnyDocument | null,
  after: Fields,
): Promise<void> {
  const way = findAccountWay(type)
  if (way === null) return
  const old = before === null ? null : await findAccount(engine, type, before, way)
  const account = await findAccount(engine, type, after, way)
  if (old === account) return
  if (!mayDo(engine.caller, user, 'write')) {
    const text = `Changing the account of a ${type.name} needs the right to write users. Ask a System Manager.`
    throw new RecordError('PermissionError', text)
  }
  if (old !== null) await notifyAccount(engine, old)
}

/**
 * Throws `PermissionError` unless the caller may merge one record into another, and change the account where they
 * differ.
 */
export async function requireRightToMerge(
  engine: RecordEngine,
  type: RecordType,
  from: string,
  into: string,
): Promise<void> {
  engine.require(type, 'delete')
  await requireOwn(engine, type, from, 'delete')
  await requireOwn(engine, type, into, 'write')
  if (findAccountWay(type) === null) return
  const [gone, left] = [await engine.find(type, from), await engine.find(type, into)]
  if (gone !== null && left !== null)
    await requireRightToAccount(engine, type, gone as AnyDocument, left as AnyDocument)
}

function findAccountWay({ accountField, personField }: RecordType): readonly string[] | null {
  return (accountField ?? personField)?.split('.') ?? null
}

/**
 * The name, in lower case, of the user account of a person, following the links of `path`; null where there is none.
 */
async function findAccount(
  engine: RecordEngine,
  type: RecordType,
  fields: Fields,
  [field = '', ...way]: readonly string[],
): Promise<string | null> {
  const value = fields[field]
  if (typeof value !== 'string' || value === '') return null
  const declared = type.fields[field]
  const target = declared?.type === 'Link' ? engine.registry.find(declared.target)?.type : undefined
  if (way.length === 0 || target === undefined) return value.toLowerCase()
  const linked = await engine.linked(target, value)
  return linked === null ? null : findAccount(engine, target, linked as Fields, way)
}

async function notifyAccount({ tx, sendsMail }: RecordEngine, name: string): Promise<void> {
  if (!sendsMail) return
  const [found] = await tx.query<{ id: string }>(sql`
    select id from users where tenant_id = ${tx.tenantId} and name = ${name}`)
  if (found !== undefined) await putOutSignInMail(tx, found.id, 'account_unlinked')
}

/**
 * Mails the former address of a person without an account that it is no longer on record, so that an account still to
 * be created cannot be moved to another address unnoticed. An existing account stays as it is.
 */
async function informFormerAddress(
  engine: RecordEngine,
  { type, relation }: RecordDefinition,
  before: AnyDocument,
  after: Fields,
): Promise<void> {
  const { tx, sendsMail } = engine
  if (type.addressField === undefined || !sendsMail) return
  const [former, address] = [before, after].map((fields) => addressIn(fields[type.addressField as string]))
  if (former === undefined || former === address || !isEmail(former)) return
  const way = findAccountWay(type)
  if (way !== null && (await findAccount(engine, type, before, way)) !== null) return
  const [found] = await tx.query<{ id: string }>(sql`
    select r.id from ${identifier(relation)} r where r.tenant_id = ${tx.tenantId} and r.name = ${before.name}`)
  if (found !== undefined) await putOutAddressReplaced(tx, found.id, former)
}

const addressIn = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : '') || undefined
