import { findMediaType } from './media-type.ts'

/** Other names of types, by the name that the content is told by. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['image/jpg', 'image/pjpeg'],
  'image/png': ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
  'image/bmp': ['image/x-ms-bmp', 'image/x-bmp'],
  'image/tiff': ['image/tif', 'image/x-tiff'],
  'image/heic': ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  'image/svg+xml': ['image/svg'],
  'image/x-icon': ['image/vnd.microsoft.icon'],
  'application/pdf': ['application/x-pdf'],
  'application/rtf': ['text/rtf', 'application/x-rtf', 'text/richtext'],
  'application/xml': ['text/xml'],
  'application/zip': ['application/x-zip-compressed', 'application/x-zip'],
  'application/gzip': ['application/x-gzip'],
  'application/x-rar-compressed': ['application/vnd.rar', 'application/x-rar'],
  'audio/mpeg': ['audio/mp3', 'audio/x-mp3', 'audio/x-mpeg'],
  'audio/wav': ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  'audio/x-m4a': ['audio/mp4', 'audio/m4a'],
  'audio/ogg': ['audio/opus', 'application/ogg'],
  'audio/flac': ['audio/x-flac'],
  'video/mp4': ['video/x-m4v'],
  'video/vnd.avi': ['video/x-msvideo', 'video/avi'],
  'video/matroska': ['video/x-matroska'],
  'video/webm': ['audio/webm'],
}

/** Texts that nothing in their content tells from any other. */
const plainTexts = new Set([
  'text/plain',
  'text/csv',
  'text/x-csv',
  'application/csv',
  'text/tab-separated-values',
  'text/markdown',
  'application/json',
])

const names = new Map(
  Object.entries(otherNames).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/**
 * Whether an announced media type, with any parameters and in any case, is the one that was found in the content
 * (`inspectFile`), under this or another of its names. Never when nothing was found.
 */
export function isSameType(announced: string, found: string | null): boolean {
  const type = findMediaType(announced)
  if (type === null || found === null) return false
  const name = (given: string) => (plainTexts.has(given) ? 'text/plain' : (names.get(given) ?? given))
  return name(type) === name(found)
}
