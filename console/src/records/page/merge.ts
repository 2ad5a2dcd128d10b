import type { RecordType } from '@matricula/contract/record-types'
import { isSame, type Values } from '../form/field-model.ts'

/** What comes of two people changing one record. */
export interface Merged {
  /** What both agree on, on top of what is stored now. */
  readonly values: Values
  /** The fields that both changed, to different values. */
  readonly conflicts: readonly string[]
}

/**
 * Puts what somebody typed on top of what another one stored meanwhile. Fields that one of the two left alone take the other's
 * value; a field that both changed is a conflict, for which the value of who typed stands until it is decided.
 */
export function merge(type: RecordType, base: Values, mine: Values, theirs: Values): Merged {
  const conflicts: string[] = []
  const values: Record<string, unknown> = { ...theirs }
  for (const [name, field] of Object.entries(type.fields)) {
    if (isSame(field, base[name], mine[name])) continue
    if (!isSame(field, base[name], theirs[name]) && !isSame(field, mine[name], theirs[name])) conflicts.push(name)
    values[name] = mine[name]
  }
  return { values, conflicts }
}
