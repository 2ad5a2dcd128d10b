import type { ByteRange } from '../file-store.ts'

/**
 * What a Range header (RFC 9110 §14.2) asks of a file of `sizeBytes`. One range is served. A header of another form, in
 * another unit or with several ranges is ignored, as the standard allows, and the whole file is meant.
 */
export function requestedRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '')
  if (match === null) return 'whole'
  const [, from, to] = match as unknown as [string, string, string]
  if (from === '' && to === '') return 'whole'
  const last = sizeBytes - 1
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { first: sizeBytes - length, last }
  }
  if (to !== '' && Number(to) < Number(from)) return 'whole'
  if (Number(from) > last) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? last : Math.min(Number(to), last) }
}
