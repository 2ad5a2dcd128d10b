import type { RecordType, Right } from '@matricula/contract/record-types'
import { column, identifier, type Sql, sql } from '../../../database/index.ts'
import type { Caller } from '../../model/caller.ts'
import type { RecordDefinition, RecordTypes } from '../../model/record-definition.ts'
import { getRowRelation } from '../../model/record-registry.ts'

/** The role of people who reach what is of the groups that they teach, and no others. */
export const teacherRole = 'Instructor'

/** Whether teachers reach the records of a type by their groups. */
export function isOfGroups({ reachedBy }: RecordType): boolean {
  return reachedBy !== undefined
}

/**
 * The condition under which a teacher may do something with a record of a type under an alias. What names a group is reached by it;
 * what names none, by the student whom it is about. Whatever a teacher writes must be about a student of an own group besides.
 */
export function ofOwnGroups(
  registry: RecordTypes,
  caller: Caller,
  { type }: RecordDefinition,
  alias: string,
  right: Right,
): Sql {
  const group = registry.all().find((definition) => definition.type.taught !== undefined)
  const { group: groupField, student: studentField } = type.reachedBy ?? {}
  if (group === undefined) return sql`false`
  const source = identifier(alias)
  const taught = getGroups(registry, caller, group)
  const isTheirs =
    studentField === undefined
      ? undefined
      : sql`${source}.${column(studentField)} in (${getStudents(caller, group, taught)})`
  if (groupField === undefined) return isTheirs ?? sql`false`
  const isTaught = sql`${source}.${column(groupField)} in (${taught})`
  if (isTheirs === undefined) return isTaught
  const isNone = sql`coalesce(${source}.${column(groupField)}, '') = ''`
  return right === 'read'
    ? sql`(${isTaught} or ${isNone} and ${isTheirs})`
    : sql`((${isTaught} or ${isNone}) and ${isTheirs})`
}

/** The names of the groups that a caller teaches: the way from their rows to the user stands in the declaration. */
function getGroups(registry: RecordTypes, caller: Caller, group: RecordDefinition): Sql {
  const [rows = '', link = '', ...way] = group.type.taught?.teachers ?? []
  const table = group.type.fields[rows]
  const target = table?.type === 'Table' ? table.rows.fields[link] : undefined
  const teachers =
    target?.type === 'Link'
      ? getTeachers(registry, caller, target.target, way)
      : sql`select null::text as name where false`
  return sql`
    select g.name from ${identifier(group.relation)} g
      join ${identifier(getRowRelation(group, rows))} taught on taught.tenant_id = g.tenant_id and taught.parent_id = g.id
     where g.tenant_id = ${caller.tenant.id} and taught.${column(link)} in (${teachers})`
}

/** The names of the records of a type from which a way of links leads to a caller's user. */
function getTeachers(registry: RecordTypes, caller: Caller, typeName: string, way: readonly string[]): Sql {
  const { type, relation } = registry.require(typeName)
  const [field = '', ...further] = way
  const declared = type.fields[field]
  const leads =
    further.length === 0 || declared?.type !== 'Link'
      ? sql`= ${caller.user}`
      : sql`in (${getTeachers(registry, caller, declared.target, further)})`
  return sql`
    select name from ${identifier(relation)} where tenant_id = ${caller.tenant.id} and ${column(field)} ${leads}`
}

/** The names of the students of some groups, as long as they are in them. */
function getStudents(caller: Caller, group: RecordDefinition, groups: Sql): Sql {
  const { rows = '', link = '', isWhile = '' } = group.type.taught?.members ?? {}
  return sql`
    select member.${column(link)} from ${identifier(group.relation)} own
      join ${identifier(getRowRelation(group, rows))} member
        on member.tenant_id = own.tenant_id and member.parent_id = own.id
     where own.tenant_id = ${caller.tenant.id} and own.name in (${groups}) and member.${column(isWhile)} = 1`
}
