import type { RecordType, Right } from '@matricula/contract/record-types'
import { column, identifier, type Sql, sql } from '../../../database/index.ts'
import type { Caller } from '../../model/caller.ts'
import type { RecordDefinition, RecordTypes } from '../../model/record-definition.ts'
import { getRowRelation } from '../../model/record-registry.ts'

/** The role whose holders reach only records of the groups that they teach. */
export const teacherRole = 'Instructor'

/** Whether teachers reach the records of a type by their groups. */
export function isOfGroups({ reachedBy }: RecordType): boolean {
  return reachedBy !== undefined
}

/**
 * The condition on an alias that limits a teacher to records of own groups: by the group that a record names; where it
 * names none, by its student. A write also requires a student of an own group.
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

/** A query of the names of the groups that a caller teaches, by the declared path from their rows to the user. */
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

/** A query of the names of the records from which a path of links leads to the caller's user. */
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

/** A query of the names of the active students of groups. */
function getStudents(caller: Caller, group: RecordDefinition, groups: Sql): Sql {
  const { rows = '', link = '', isWhile = '' } = group.type.taught?.members ?? {}
  return sql`
    select member.${column(link)} from ${identifier(group.relation)} own
      join ${identifier(getRowRelation(group, rows))} member
        on member.tenant_id = own.tenant_id and member.parent_id = own.id
     where own.tenant_id = ${caller.tenant.id} and own.name in (${groups}) and member.${column(isWhile)} = 1`
}
