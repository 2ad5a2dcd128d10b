import type { RecordType } from '@matricula/contract/record-types'
import type { AnyDocument } from './record-document.ts'
import type { RecordWork } from './record-work.ts'

/**
 * What the audit keeps of a record that the Client API shares: its own record of it, and the fields that only this surface
 * shows, so that every change is seen in it.
 */
export async function sharedSnapshot(
  work: RecordWork,
  type: RecordType,
  name: string,
  record: object,
  ownFields: readonly string[],
): Promise<object> {
  const document = (await work.get(type, name)) as AnyDocument
  return { ...record, ...Object.fromEntries(ownFields.map((field) => [field, document[field]])) }
}
