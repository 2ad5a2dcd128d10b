import { Problem } from '../../errors/index.ts'

/** Maximum size of a record as JSON, in bytes. */
const maxBytesOfRecord = 4 * 1024 * 1024

/** Throws `record_too_large` for a record, as JSON, beyond 4 MiB. */
export function requireRecordSize(body: string): void {
  if (body.length < maxBytesOfRecord / 4) return // no character has more than four bytes
  const bytes = Buffer.byteLength(body)
  if (bytes <= maxBytesOfRecord) return
  const detail = `The record would have ${bytes} bytes. Shorten its free fields, or remove contacts or links.`
  throw new Problem('record_too_large', detail, { maxBytes: maxBytesOfRecord })
}
