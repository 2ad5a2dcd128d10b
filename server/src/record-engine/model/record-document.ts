import type { DocumentOf, RecordType } from '@matricula/contract/record-types'

/** A record in memory of any type. */
export interface AnyDocument {
  name: string
  owner: string
  creation: string
  modified: string
  modified_by: string
  docstatus: number
  idx: number
  [field: string]: unknown
}

/** The record in memory of a statically known type, or of any. */
export type RecordOf<Type extends RecordType> = RecordType extends Type ? AnyDocument : DocumentOf<Type>
