import { type RecordType, type Right, user } from '@matricula/contract/record-types'
import { identifier, sql } from '../../database/index.ts'
import { isEmail } from '../../http/index.ts'
import { putOutAddressReplaced, putOutSignInMail } from '../../identity/users/index.ts'
import { mayDo } from '../model/permissions.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { requireOwnLinks } from '../query/visibility/ownership.ts'
import { requireOwn } from './own-records.ts'
import type { RecordEngine } from './record-engine.ts'

/** The fields of a record. */
type Fields = Readonly<Record<string, unknown>>

/**
 * What a change of a record takes beside the right to its type. It is asked before links are looked up and rules run, so that what is
 * refused here is refused alike whether there is such a record or not, and no text tells of it. `before` is null for a new record.
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

/** Refuses to make a record that goes with one that the caller may not read, and to name such a one in it instead of another. */
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

/** Refuses to delete a record to whoever lacks the right to the one that it goes with, where its type asks for that. */
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

/** The record that a record goes with; null where it names none. */
function namedBy({ type, goesWith }: RecordDefinition, fields: Fields): Named | null {
  const declared = goesWith === null ? undefined : type.fields[goesWith]
  if (goesWith === null || declared?.type !== 'Dynamic Link') return null
  const [typeName, name] = [fields[declared.typeField], fields[goesWith]]
  if (typeof typeName !== 'string' || typeName === '') return null
  return { typeName, name: typeof name === 'string' ? name : '' }
}

async function requireNamed(engine: RecordEngine, { typeName, name }: Named, right: Right): Promise<void> {
  const type = engine.registry.find(typeName)?.type
  // Who names a type that there is not is told so where links are looked up.
  if (type === undefined) return
  engine.require(type, right)
  if (name !== '') await requireOwn(engine, type, name, right)
}

/** Refuses to change whose account a person is to whoever may not write users. The account that was it is told by mail. */
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
    const text = `Whose account a ${type.name} is, is changed by those alone who may write users. Ask a System Manager.`
    throw new RecordError('PermissionError', text)
  }
  if (old !== null) await tellAccount(engine, old)
}

/** The same for two records of which one becomes the other. */
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

/** The name of the user whose account decides who somebody is, over the links that lead there; null where there is none. */
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

async function tellAccount({ tx, sendsMail }: RecordEngine, name: string): Promise<void> {
  if (!sendsMail) return
  const [found] = await tx.query<{ id: string }>(sql`
    select id from users where tenant_id = ${tx.tenantId} and name = ${name}`)
  if (found !== undefined) await putOutSignInMail(tx, found.id, 'account_unlinked')
}

/**
 * Informs the address at which an account would have been made for a person that it is no longer on record, so that nobody moves an
 * account that is still to be made to another address unnoticed. Who has an account keeps it whatever becomes of the address.
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
