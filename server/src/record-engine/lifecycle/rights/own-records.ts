import type { RecordType, Right } from '@matricula/contract/record-types'
import { join, type Sql, sql } from '../../../database/index.ts'
import { mayDo } from '../../model/permissions.ts'
import type { RecordDefinition, TypedWork } from '../../model/record-definition.ts'
import { RecordError } from '../../model/record-error.ts'
import { ownershipCondition } from '../../query/visibility/ownership.ts'

/**
 * Throws `PermissionError` for a record that is outside the caller's own (about the caller, or about the people of whom
 * the caller is a guardian), whether the record exists or not.
 */
export async function requireOwn(
  engine: TypedWork,
  type: RecordType,
  name: string,
  right: Right = 'read',
): Promise<void> {
  if (right === 'read') engine.require(type, 'read')
  if (await isOwn(engine, type, name, right)) return
  const { seenBy } = engine.registry.require(type.name)
  const why = seenBy === null ? 'is not about you, so you may not use it' : 'is not among those that you may use'
  throw new RecordError('PermissionError', `${type.name} ${name.slice(0, 140)} ${why}.`)
}

/** Whether a record is among those on which the caller may exercise a right. */
export async function isOwn(engine: TypedWork, type: RecordType, name: string, right: Right): Promise<boolean> {
  const conditions = ownConditions(engine, engine.registry.require(type.name), right)
  if (conditions.length === 0) return true
  return (await engine.select(type, sql`r.name = ${name} and ${join(conditions, ' and ')}`)).length > 0
}

/**
 * The conditions on the alias `r` that limit a right of a caller to some records of a type; empty where it covers all.
 * Another right is limited by reading too, unless the caller has no right to read.
 */
export function ownConditions(
  { registry, caller }: TypedWork,
  definition: RecordDefinition,
  right: Right,
): readonly Sql[] {
  const isLimitedByReading = right !== 'read' && mayDo(caller, definition.type, 'read')
  const rights: readonly Right[] = isLimitedByReading ? ['read', right] : [right]
  return rights
    .map((each) => ownershipCondition(registry, caller, definition, 'r', each))
    .filter((condition) => condition !== null)
}
