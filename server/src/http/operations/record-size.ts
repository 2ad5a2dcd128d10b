import { Problem } from '../../errors/index.ts'

/** The most bytes that a record may have, as it is answered. */
const maxBytesOfRecord = 4 * 1024 * 1024

/** Refuses with `record_too_large` a record, as JSON, that would outgrow what is read of it at once. */
export function requireRecordSize(body: string): void {
  if (body.length < maxBytesOfRecord / 4) return // no character has more than four bytes
  const bytes = Buffer.byteLength(body)
  if (bytes <= maxBytesOfRecord) return
  const detail = `The record would have ${bytes} bytes. Shorten its free fields, or take contacts or links away.`
  throw new Problem('record_too_large', detail, { maxBytes: maxBytesOfRecord })
}
