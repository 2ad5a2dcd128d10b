import { column, identifier, type Sql, sql } from '../../database/index.ts'
import { type Caller, isManager } from '../caller.ts'
import type { RecordDefinition } from '../record-definition.ts'
import type { AnyDocument } from '../record-document.ts'
import type { RecordEngine } from '../record-engine.ts'
import { RecordError } from '../record-error.ts'
import type { RecordRegistry } from '../record-registry.ts'
import { nounOf } from '../record-tables.ts'

const personalRoles = new Set(['Student', 'Guardian'])

/** Whether a caller is a student or a guardian, and has no role of the staff. */
export function hasOnlyPersonalRoles({ kind, roles }: Pick<Caller, 'kind' | 'roles'>): boolean {
  const own = [...roles].filter((role) => role !== 'All' && role !== 'Guest')
  return kind !== 'guest' && own.every((role) => personalRoles.has(role))
}

/**
 * Whether a caller may read the records of a type only as somebody whom they are about: no role that lets it read them is
 * one of the staff.
 */
export function readsOnlyItsOwn(caller: Caller, { type }: Pick<RecordDefinition, 'type'>): boolean {
  if (isManager(caller)) return false
  const granting = Object.entries(type.permissions)
    .filter(([role, rights]) => rights.includes('read') && (role === 'All' || caller.roles.has(role)))
    .map(([role]) => role)
  return granting.length > 0 && granting.every((role) => personalRoles.has(role))
}

/**
 * The condition under which a caller sees a record of a type under an alias, or null where it sees all of them. Students and
 * guardians see only the student whose `user` they are, and what links to that student by `student`; types that do not are
 * the same for everybody. Of types that say by themselves which records somebody sees, it is those.
 */
export function ownershipCondition(
  registry: RecordRegistry,
  caller: Caller,
  definition: RecordDefinition,
  alias: string,
): Sql | null {
  if (definition.seenBy !== null) return definition.seenBy({ registry, caller }, alias)
  if (!readsOnlyItsOwn(caller, definition)) return null
  const { personField } = definition.type
  if (personField !== undefined) return sql`${identifier(alias)}.${column(personField)} = ${caller.user}`
  const link = linkToPerson(registry, definition)
  if (link === null) return null
  return sql`${identifier(alias)}.${column(link.field)} in (
    select self.name from ${identifier(link.person.relation)} self
     where self.tenant_id = ${caller.tenant.id} and self.${column(link.personField)} = ${caller.user})`
}

/** The link of a type to the person whom its records are about, which has the name of the person's type; null without one. */
function linkToPerson(registry: RecordRegistry, { type }: RecordDefinition) {
  for (const [field, declared] of Object.entries(type.fields)) {
    const person = declared.type === 'Link' ? registry.find(declared.target) : null
    const personField = person?.type.personField
    if (person === null || personField === undefined || field !== nounOf(person.type)) continue
    return { field, person, personField }
  }
  return null
}

/**
 * Throws `PermissionError` unless a caller may read what the records of a type say of one person: all of it with a role of
 * the staff, and as a student or guardian only what is about oneself.
 */
export async function requireReadableOf(engine: RecordEngine, typeName: string, personName: string): Promise<void> {
  const definition = engine.registry.require(typeName)
  engine.require(definition.type, 'read')
  if (!readsOnlyItsOwn(engine.caller, definition)) return
  const link = linkToPerson(engine.registry, definition)
  if (link === null) return
  const self = (await engine.linked(link.person.type, personName)) as AnyDocument | null
  if (self !== null && self[link.personField] === engine.caller.user) return
  throw new RecordError('PermissionError', `${typeName} of others is not yours to read.`)
}
