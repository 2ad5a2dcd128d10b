import type { Fields } from '../run/difference.ts'
import type { RecordKind } from '../run/report.ts'
import type { Work } from '../run/run.ts'
import type { RecordClient, RecordFilter } from './record-client.ts'
import type { StoredDocument } from './school-records.ts'

/** A run, as the parts of it share it that speak the Resource and Method API. */
export interface RecordRun extends Work {
  readonly records: RecordClient
}

/** Makes the record, or changes the stored one; counts it and answers its name. */
export async function send(
  { records, report }: RecordRun,
  kind: RecordKind,
  type: string,
  stored: StoredDocument | undefined,
  fields: Fields,
  found: RecordFilter[],
): Promise<string> {
  const name = stored === undefined ? await records.create(type, fields, found) : stored.name
  if (stored !== undefined) await records.update(type, name, fields)
  report.count(kind, stored === undefined ? 'created' : 'updated')
  return name
}
