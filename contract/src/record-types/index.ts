import * as declared from './declared.ts'
import type { RecordType } from './record-type.ts'

export * from './declared.ts'

/** Every type of record of the Resource and Method API that stands by itself; the types of rows hang on them. */
export const recordTypes: readonly RecordType[] = Object.values<unknown>(declared).filter(standsByItself)

function standsByItself(exported: unknown): exported is RecordType {
  const type = exported as Partial<RecordType>
  return type.naming !== undefined && type.permissions !== undefined && type.kind !== 'child'
}
