import { setImmediate } from 'node:timers/promises'
import type { RecordType } from '@matricula/contract/record-types'
import { getTableFields } from '../model/record-tables.ts'

/** A step of work on fewer rows takes a few milliseconds at most. */
const manyRows = 500

/** Lets other requests go on between two steps of work on a record, where it has so many rows that all steps together would hold them up. */
export async function pauseForRows(type: RecordType, fields: Readonly<Record<string, unknown>>): Promise<void> {
  let rows = 0
  for (const { field } of getTableFields(type)) {
    const value = fields[field]
    if (Array.isArray(value)) rows += value.length
  }
  if (rows >= manyRows) await setImmediate()
}
