import type { RecordType, Right } from '@matricula/contract/record-types'
import { column, identifier, join, type Sql, sql } from '../../../database/index.ts'
import { type Caller, isManager } from '../../model/caller.ts'
import { grantingRoles, mayDo, requireRight } from '../../model/permissions.ts'
import type { RecordDefinition, RecordTypes, TypedWork } from '../../model/record-definition.ts'
import { RecordError } from '../../model/record-error.ts'
import { getRowRelation } from '../../model/record-registry.ts'
import { getNoun, getTableFields } from '../../model/record-tables.ts'
import { isOfGroups, ofOwnGroups, teacherRole } from './own-groups.ts'

/** The roles of people whom records are about, and of those who answer for them; each is named as the type of such a person. */
export const personalRoles: ReadonlySet<string> = new Set(['Student', 'Guardian'])

/** Whether a caller is a student or a guardian, and has no role of the staff. */
export function hasOnlyPersonalRoles({ kind, roles }: Pick<Caller, 'kind' | 'roles'>): boolean {
  if (kind === 'guest') return false
  for (const role of roles) if (role !== 'All' && role !== 'Guest' && !personalRoles.has(role)) return false
  return true
}

/** Whether a caller answers for others and is nobody here by itself: such a one reads, and changes nothing. */
export function isGuardianAlone(caller: Pick<Caller, 'kind' | 'roles'>): boolean {
  return hasOnlyPersonalRoles(caller) && caller.roles.has('Guardian') && !caller.roles.has('Student')
}

/** Whether a role lets somebody do something with some records of a type alone: those that are about such a one, or of its groups. */
function isBound(role: string, type: RecordType): boolean {
  return personalRoles.has(role) || (role === teacherRole && isOfGroups(type))
}

/**
 * The roles by which a caller may do something with some records of a type alone; none where no role lets it do so with any. Null where
 * it may with all of them.
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
 * Whether a caller may not read all records of a type: only some, as somebody whom they are about, who answers for whom they are about,
 * or who teaches those; or none.
 */
export function readsOnlyItsOwn(caller: Caller, definition: Pick<RecordDefinition, 'type'>): boolean {
  return boundRolesFor(caller, definition, 'read') !== null
}

/**
 * The condition under which a caller may do something with a record of a type under an alias, or null where it may with all of
 * them; it is false without the right. Each of its personal roles that has the right opens some: the person's own role what is about the person whose `user` it
 * is, that of a guardian what is about the people whose guardian has this `user`. What is about a person links to it by a field
 * of the person's name; types that do not are the same for all people, and for guardians while they have somebody to answer for.
 * Of types that say by themselves which records somebody sees, it is those.
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

/** Which records of a type a caller may read: all, own ones, those of its groups, what the type's own rule says, or none. */
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

/** What the personal roles of a caller open of a type; null where that is all. */
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
    return sql`${source}.${column(link.field)} in (${namesOfPeople(registry, caller, link.person, roles)})`
  }
  const stored = registry.all().filter((person) => roles.has(findKeepers(registry, person)?.role ?? ''))
  const keepers = new Set(stored.map((person) => findKeepers(registry, person)?.role))
  if (![...roles].every((role) => keepers.has(role))) return null
  const people = stored.map((person) => sql`exists (${namesOfPeople(registry, caller, person, roles)})`)
  return sql`(${join(people, ' or ')})`
}

/** Whether a caller sees some records of a type alone. */
export function seesOnlySome(registry: RecordTypes, caller: Caller, definition: RecordDefinition): boolean {
  return ownershipCondition(registry, caller, definition, 'r') !== null
}

/** The names of the people of a type whom a caller is, or answers for, by its personal roles. */
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
  const keepers = findKeepers(registry, person)
  if (keepers !== null && roles.has(keepers.role)) {
    names.push(sql`
      select self.name
        from ${identifier(keepers.relation)} keeper
        join ${identifier(keepers.rows)} link
          on link.tenant_id = keeper.tenant_id and link.${column(keepers.link)} = keeper.name
        join ${identifier(relation)} self on self.tenant_id = link.tenant_id and self.id = link.parent_id
       where keeper.tenant_id = ${tenantId} and keeper.${column(keepers.personField)} = ${caller.user}`)
  }
  return names.length === 0 ? sql`select null::text as name where false` : join(names, ' union ')
}

/** Who answers for the people of a type: the role of those, and the rows by which the people name them. Null where nobody does. */
function findKeepers(registry: RecordTypes, person: RecordDefinition) {
  const field = person.type.guardianField
  const table = field === undefined ? undefined : getTableFields(person.type).find((each) => each.field === field)
  for (const [link, declared] of Object.entries(table?.rows.fields ?? {})) {
    const keeper = declared.type === 'Link' ? registry.find(declared.target) : null
    const personField = keeper?.type.personField
    if (keeper === null || personField === undefined || field === undefined) continue
    return { role: keeper.type.name, relation: keeper.relation, personField, rows: getRowRelation(person, field), link }
  }
  return null
}

/** The link of a type to the person whom its records are about, which has the name of the person's type; null without one. */
function linkToPerson(registry: RecordTypes, { type }: RecordDefinition) {
  for (const [field, declared] of Object.entries(type.fields)) {
    const person = declared.type === 'Link' ? registry.find(declared.target) : null
    if (person?.type.personField === undefined || field !== getNoun(person.type)) continue
    return { field, person }
  }
  return null
}

/**
 * Throws `PermissionError` unless a caller may do something with what the records of a type say of one person: with everybody's by
 * a role of the staff, and by a personal role only with what is about oneself, or about whom one answers for.
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
 * Refuses with `PermissionError` what names somebody, or a group, whose records are not the caller's to write, to whoever may do this
 * with some records of a type alone. What is named already is passed over.
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

/** `requireRightOver` for what is read. */
export function requireReadableOf(engine: TypedWork, typeName: string, personName: string): Promise<void> {
  return requireRightOver(engine, typeName, personName, 'read')
}

/**
 * Whether a caller is a person, or one who answers for it where that is said to do, whatever types its roles let it read: for what
 * everybody is told of oneself.
 */
export async function isPerson(
  engine: TypedWork,
  type: RecordType,
  name: string | null,
  who: 'itself' | 'itself or its guardian',
): Promise<boolean> {
  if (name === null || engine.caller.kind === 'guest') return false
  const person = engine.registry.require(type.name)
  const keeper = findKeepers(engine.registry, person)?.role
  const isKeeper = who === 'itself or its guardian' && keeper !== undefined && engine.caller.roles.has(keeper)
  return isAmong(engine, person, name, new Set([type.name, ...(isKeeper ? [keeper] : [])]))
}

/** The names of the people of a type whom a caller is, or answers for by its role, in their order. */
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

/** Throws `PermissionError` for a caller who has a right to no records of a type, or only to some, where the right to all is needed. */
export function requireAll(caller: Caller, type: RecordType, right: Right = 'read'): void {
  requireRight(caller, type, right)
  if (boundRolesFor(caller, { type }, right) === null) return
  throw new RecordError('PermissionError', `This needs every ${type.name}, and you may ${right} some of them alone.`)
}

/**
 * Refuses with `PermissionError` what tells of a person as a whole to whoever reaches the records of a type as a teacher: groups open what
 * is of them, and no more.
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
