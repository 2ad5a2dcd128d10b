import { setImmediate } from 'node:timers/promises'
import type { RecordType } from '@matricula/contract/record-types'
import { getTableFields } from '../model/record-tables.ts'

/** Processing fewer rows takes a few milliseconds at most. */
const manyRows = 500

/**
 * Yields to the event loop (`setImmediate`) between two steps on a record with 500 rows or more, so that other requests
 * are not blocked.
 */
export async function pauseForRows(type: RecordType, fields: Readonly<Record<string, unknown>>): Promise<void> {
  let rows = 0
  for (const { field } of getTableFields(type)) {
    const value = fields[field]
    if (Array.isArray(value)) rows += value.length
  }
  if (rows >= manyRows) await setImmediate()
}
