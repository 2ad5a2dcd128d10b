import * as declared from './declared.ts'
import type { RecordType } from './record-type.ts'

export * from './declared.ts'
export { labelsOf } from './labels.ts'

const standing = Object.values<unknown>(declared).filter(standsByItself)

/**
 * Every type of record of the Resource and Method API that stands by itself and is stored; the types of rows hang on
 * them.
 */
export const recordTypes: readonly RecordType[] = standing.filter((type) => type.isComputed !== true)

/** The types whose records follow from what the service declares. */
export const computedTypes: readonly RecordType[] = standing.filter((type) => type.isComputed === true)

function standsByItself(exported: unknown): exported is RecordType {
  const type = exported as Partial<RecordType>
  return type.naming !== undefined && type.permissions !== undefined && type.kind !== 'child'
}
