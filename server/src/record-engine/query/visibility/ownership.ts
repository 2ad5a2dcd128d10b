import type { RecordType, Right } from '@matricula/contract/record-types'
import { column, identifier, join, type Sql, sql } from '../../../database/index.ts'
import { type Caller, isManager } from '../../model/caller.ts'
import { grantingRoles, mayDo, requireRight } from '../../model/permissions.ts'
import type { RecordDefinition, RecordTypes, TypedWork } from '../../model/record-definition.ts'
import { RecordError } from '../../model/record-error.ts'
import { getRowRelation } from '../../model/record-registry.ts'
import { getNoun, getTableFields } from '../../model/record-tables.ts'
import { isOfGroups, ofOwnGroups, teacherRole } from './own-groups.ts'

/** The roles of the people whom records are about, and of their guardians; each has the name of the person's type. */
export const personalRoles: ReadonlySet<string> = new Set(['Student', 'Guardian'])

/** Whether a caller is a student or a guardian, and has no role of the staff. */
export function hasOnlyPersonalRoles({ kind, roles }: Pick<Caller, 'kind' | 'roles'>): boolean {
  if (kind === 'guest') return false
  for (const role of roles) if (role !== 'All' && role !== 'Guest' && !personalRoles.has(role)) return false
  return true
}

/** Whether a caller is a guardian and nothing else: such a caller has read access only. */
export function isOnlyGuardian(caller: Pick<Caller, 'kind' | 'roles'>): boolean {
  return hasOnlyPersonalRoles(caller) && caller.roles.has('Guardian') && !caller.roles.has('Student')
}

/** Whether a role reaches only some records of a type: own ones, or those of own groups. */
function isBound(role: string, type: RecordType): boolean {
  return personalRoles.has(role) || (role === teacherRole && isOfGroups(type))
}

/**
 * The roles that grant a caller a right to some records of a type; empty where no role grants it. Null where it covers
 * all records.
 */
function boundRolesFor(
  caller: Caller,
  { type }: Pick<RecordDefinition, 'type'>,
  right: Right,
): ReadonlySet<string> | null {
  if (isManager(caller)) return null
  const granting = grantingRoles(caller, type, right)
  return granting.every((role) => isBound(role, type)) ? new Set(granting) : null
}

/**
 * Whether a caller may not read all records of a type: only own ones, those of its wards or of its groups, or none.
 */
export function readsOnlyItsOwn(caller: Caller, definition: Pick<RecordDefinition, 'type'>): boolean {
  return boundRolesFor(caller, definition, 'read') !== null
}

/**
 * The condition on an alias that limits a right of a caller to some records of a type; null where it covers all,
 * `false` without the right. A person's own role grants the records about the person with the caller's `user`, the
 * guardian role those about the people whose guardian has it. A record is about a person when it links to it by a field
 * of the person type's name; types without such a link are open to all people, and to guardians with at least one ward.
 * A type's own `seenBy` replaces all of this.
 */
export function ownershipCondition(
  registry: RecordTypes,
  caller: Caller,
  definition: RecordDefinition,
  alias: string,
  right: Right = 'read',
): Sql | null {
  if (definition.seenBy !== null) return definition.seenBy({ registry, caller }, alias)
  const bound = boundRolesFor(caller, definition, right)
  if (bound === null) return null
  if (bound.size === 0) return sql`false`
  const personal = new Set([...bound].filter((role) => personalRoles.has(role)))
  if (!bound.has(teacherRole)) return personalCondition(registry, caller, definition, alias, personal)
  const taught = ofOwnGroups(registry, caller, definition, alias, right)
  if (personal.size === 0) return taught
  const own = personalCondition(registry, caller, definition, alias, personal)
  return own === null ? null : sql`(${own} or ${taught})`
}

/** Which records of a type a caller may read. */
export function getLimit(
  caller: Caller,
  definition: RecordDefinition,
): 'all' | 'own records' | 'own groups' | 'by rule' | 'none to read' {
  if (!mayDo(caller, definition.type, 'read')) return 'none to read'
  if (definition.seenBy !== null && !isManager(caller)) return 'by rule'
  const bound = boundRolesFor(caller, definition, 'read')
  if (bound === null) return 'all'
  return [...bound].every((role) => role === teacherRole) ? 'own groups' : 'own records'
}

/** The condition of the personal roles of a caller on a type; null where these grant all records. */
function personalCondition(
  registry: RecordTypes,
  caller: Caller,
  definition: RecordDefinition,
  alias: string,
  roles: ReadonlySet<string>,
): Sql | null {
  const source = identifier(alias)
  if (definition.type.personField !== undefined) {
    return sql`${source}.name in (${namesOfPeople(registry, caller, definition, roles)})`
  }
  const link = linkToPerson(registry, definition)
  if (link !== null) {
    const isAbout = (among: ReadonlySet<string>) =>
      sql`${source}.${column(link.field)} in (${namesOfPeople(registry, caller, link.person, among)})`
    const guardian = findGuardians(registry, link.person)?.role
    if (definition.seenByGuardians === null || guardian === undefined || !roles.has(guardian)) return isAbout(roles)
    const others = new Set([...roles].filter((role) => role !== guardian))
    const ofWards = sql`(${isAbout(new Set([guardian]))} and ${definition.seenByGuardians({ registry, caller }, alias)})`
    return others.size === 0 ? ofWards : sql`(${isAbout(others)} or ${ofWards})`
  }
  const stored = registry.all().filter((person) => roles.has(findGuardians(registry, person)?.role ?? ''))
  const guardians = new Set(stored.map((person) => findGuardians(registry, person)?.role))
  if (![...roles].every((role) => guardians.has(role))) return null
  const people = stored.map((person) => sql`exists (${namesOfPeople(registry, caller, person, roles)})`)
  return sql`(${join(people, ' or ')})`
}

/** Whether a caller sees only some records of a type. */
export function seesOnlySome(registry: RecordTypes, caller: Caller, definition: RecordDefinition): boolean {
  return ownershipCondition(registry, caller, definition, 'r') !== null
}

/** A query of the names of the people of a type who are the caller or its wards, by its personal roles. */
function namesOfPeople(
  registry: RecordTypes,
  caller: Caller,
  person: RecordDefinition,
  roles: ReadonlySet<string>,
): Sql {
  const { type, relation } = person
  const tenantId = caller.tenant.id
  const names: Sql[] = []
  if (roles.has(type.name) && type.personField !== undefined) {
    names.push(sql`
      select self.name from ${identifier(relation)} self
       where self.tenant_id = ${tenantId} and self.${column(type.personField)} = ${caller.user}`)
  }
  const guardians = findGuardians(registry, person)
  if (guardians !== null && roles.has(guardians.role)) {
    names.push(sql`
      select self.name
        from ${identifier(guardians.relation)} guardian
        join ${identifier(guardians.rows)} link
          on link.tenant_id = guardian.tenant_id and link.${column(guardians.link)} = guardian.name
        join ${identifier(relation)} self on self.tenant_id = link.tenant_id and self.id = link.parent_id
       where guardian.tenant_id = ${tenantId} and guardian.${column(guardians.personField)} = ${caller.user}`)
  }
  return names.length === 0 ? sql`select null::text as name where false` : join(names, ' union ')
}

/** The guardians of the people of a type: their role, and the rows that link to them. Null where the type has none. */
function findGuardians(registry: RecordTypes, person: RecordDefinition) {
  const field = person.type.guardianField
  const table = field === undefined ? undefined : getTableFields(person.type).find((each) => each.field === field)
  for (const [link, declared] of Object.entries(table?.rows.fields ?? {})) {
    const guardian = declared.type === 'Link' ? registry.find(declared.target) : null
    const personField = guardian?.type.personField
    if (guardian === null || personField === undefined || field === undefined) continue
    return {
      role: guardian.type.name,
      relation: guardian.relation,
      personField,
      rows: getRowRelation(person, field),
      link,
    }
  }
  return null
}

/**
 * The link of a type to the person whom its records are about, a field named after the person's type; null without one.
 */
function linkToPerson(registry: RecordTypes, { type }: RecordDefinition) {
  for (const [field, declared] of Object.entries(type.fields)) {
    const person = declared.type === 'Link' ? registry.find(declared.target) : null
    if (person?.type.personField === undefined || field !== getNoun(person.type)) continue
    return { field, person }
  }
  return null
}

/**
 * Throws `PermissionError` unless a caller has a right to the records of a type about one person: staff roles cover
 * everybody, personal roles the caller and its wards.
 */
export async function requireRightOver(
  engine: TypedWork,
  typeName: string,
  personName: string,
  right: Right,
): Promise<void> {
  const definition = engine.registry.require(typeName)
  engine.require(definition.type, right)
  const roles = boundRolesFor(engine.caller, definition, right)
  const link = roles === null ? null : linkToPerson(engine.registry, definition)
  if (roles === null || link === null) return
  if (await isAmong(engine, link.person, personName, roles)) return
  if (roles.has(teacherRole) && (await isTaught(engine, link.person, personName))) return
  throw new RecordError('PermissionError', `${typeName} of others is not yours.`)
}

/**
 * Throws `PermissionError` for a new link to a person or a group that is not the caller's own, where the right covers
 * only some records of the type. Existing links are not checked.
 */
export async function requireOwnLinks(
  engine: TypedWork,
  definition: RecordDefinition,
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>>,
  right: Right,
): Promise<void> {
  const { type } = definition
  const roles = boundRolesFor(engine.caller, definition, right)
  if (roles === null) return
  const newIn = (field: string | undefined) => {
    const value = field === undefined ? undefined : after[field]
    return typeof value === 'string' && value !== '' && value !== before?.[field ?? ''] ? value : null
  }
  const person = newIn(linkToPerson(engine.registry, definition)?.field)
  if (person !== null) await requireRightOver(engine, type.name, person, right)
  const group = newIn(type.reachedBy?.group)
  const link = type.fields[type.reachedBy?.group ?? '']
  if (group === null || link?.type !== 'Link' || [...roles].some((role) => role !== teacherRole)) return
  const groups = engine.registry.require(link.target)
  const own = ofOwnGroups(engine.registry, engine.caller, groups, 'r', 'read')
  if ((await engine.select(groups.type, sql`r.name = ${group} and ${own}`)).length > 0) return
  throw new RecordError('PermissionError', `${groups.type.name} ${group.slice(0, 140)} is none that you teach.`)
}

/** `requireRightOver` with the right to read. */
export function requireReadableOf(engine: TypedWork, typeName: string, personName: string): Promise<void> {
  return requireRightOver(engine, typeName, personName, 'read')
}

/**
 * Whether a caller is a person, or also its guardian, whatever its roles may read: for what everybody may know about
 * oneself.
 */
export async function isPerson(
  engine: TypedWork,
  type: RecordType,
  name: string | null,
  who: 'itself' | 'itself or its guardian',
): Promise<boolean> {
  if (name === null || engine.caller.kind === 'guest') return false
  const person = engine.registry.require(type.name)
  const guardian = findGuardians(engine.registry, person)?.role
  const isGuardian = who === 'itself or its guardian' && guardian !== undefined && engine.caller.roles.has(guardian)
  return isAmong(engine, person, name, new Set([type.name, ...(isGuardian ? [guardian] : [])]))
}

/** The names of the people of a type who are the caller or its wards, sorted. */
export async function peopleOfCaller(engine: TypedWork, type: RecordType): Promise<string[]> {
  if (engine.caller.kind === 'guest') return []
  const people = namesOfPeople(
    engine.registry,
    engine.caller,
    engine.registry.require(type.name),
    new Set([type.name, ...engine.caller.roles]),
  )
  const found = await engine.tx.query<{ name: string }>(sql`select people.name from (${people}) people order by name`)
  return found.map(({ name }) => name)
}

/** Throws `PermissionError` unless a caller has a right to all records of a type. */
export function requireAll(caller: Caller, type: RecordType, right: Right = 'read'): void {
  requireRight(caller, type, right)
  if (boundRolesFor(caller, { type }, right) === null) return
  throw new RecordError('PermissionError', `This needs every ${type.name}, and you may ${right} some of them alone.`)
}

/**
 * Throws `PermissionError` for data about a person as a whole where the caller reaches the type only as a teacher,
 * unless it is that person or a guardian.
 */
export async function requireMoreThanGroups(
  engine: TypedWork,
  type: RecordType,
  person: RecordType,
  name: string,
): Promise<void> {
  const roles = boundRolesFor(engine.caller, { type }, 'read')
  if (roles === null || (roles.size > 0 && !roles.has(teacherRole))) return
  if (await isPerson(engine, person, name, 'itself or its guardian')) return
  throw new RecordError('PermissionError', 'This tells more of students than what is of your groups. Ask the office.')
}

/** Whether a person is in a group that the caller teaches. */
async function isTaught(engine: TypedWork, person: RecordDefinition, name: string): Promise<boolean> {
  const { registry, caller, tx } = engine
  const taught = ofOwnGroups(registry, caller, person, 'r', 'read')
  const found = await tx.query(sql`
    select 1 as found from ${identifier(person.relation)} r
     where r.tenant_id = ${tx.tenantId} and r.name = ${name} and ${taught}`)
  return found.length > 0
}

async function isAmong(
  engine: TypedWork,
  person: RecordDefinition,
  name: string,
  roles: ReadonlySet<string>,
): Promise<boolean> {
  const people = namesOfPeople(engine.registry, engine.caller, person, roles)
  const found = await engine.tx.query(sql`select 1 as found from (${people}) people where people.name = ${name}`)
  return found.length > 0
}
