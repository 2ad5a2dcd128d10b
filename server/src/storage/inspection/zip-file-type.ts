import type { ContentSample } from './content-sample.ts'

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endLength = 22
const entryLength = 46

const office = 'application/vnd.openxmlformats-officedocument'
const macros = 'application/vnd.ms'

/** The kinds of Office files, by the folder that only they have: the plain one, and the one that may run macros. */
const officeFolders = {
  'word/': [`${office}.wordprocessingml.document`, `${macros}-word.document.macroenabled.12`],
  'xl/': [`${office}.spreadsheetml.sheet`, `${macros}-excel.sheet.macroenabled.12`],
  'ppt/': [`${office}.presentationml.presentation`, `${macros}-powerpoint.presentation.macroenabled.12`],
} as const

/**
 * Kinds that a first entry `mimetype`, which is not compressed, names (OpenDocument 1.3 part 2 §3.3, EPUB 3.3 §4.3).
 */
const declaredTypes = new Set([
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.graphics',
  'application/epub+zip',
])

/**
 * The media type of a ZIP file by the list of its entries, which stands at its end (APPNOTE 6.3.10 §4.3.12). Null when
 * the list is not there, as in a file that was cut off.
 */
export function zipFileType({
  head,
  tail,
  sizeBytes,
}: Pick<ContentSample, 'head' | 'tail' | 'sizeBytes'>): string | null {
  const names = entryNames(tail, sizeBytes - tail.length)
  if (names === null) return null
  const declared = declaredType(head)
  if (declared !== null) return declared
  if (names.includes('[Content_Types].xml')) {
    for (const [folder, [plain, withMacros]] of Object.entries(officeFolders)) {
      if (!names.some((name) => name.startsWith(folder))) continue
      return names.some((name) => name.endsWith('vbaProject.bin')) ? withMacros : plain
    }
  }
  if (names.includes('AndroidManifest.xml')) return 'application/vnd.android.package-archive'
  return names.includes('META-INF/MANIFEST.MF') ? 'application/java-archive' : 'application/zip'
}

/** The names in the list; none where the list begins before what was kept; null where there is no list. */
function entryNames(tail: Buffer, tailPosition: number): string[] | null {
  // A comment of at most 64 KiB may follow the record of the end.
  for (let end = tail.length - endLength; end >= 0 && tail.length - end <= endLength + 0xffff; end -= 1) {
    if (tail.readUInt32LE(end) !== endSignature || tail.readUInt16LE(end + 20) !== tail.length - end - endLength)
      continue
    return namesOfList(tail, tail.readUInt32LE(end + 16) - tailPosition, end)
  }
  return null
}

function namesOfList(tail: Buffer, start: number, end: number): string[] | null {
  // A list of more than four gigabytes has its place elsewhere (ZIP64), and reads as one that begins too late.
  if (start < 0 || start > end) return []
  const names: string[] = []
  let position = start
  while (position + entryLength <= end && tail.readUInt32LE(position) === entrySignature) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      tail.readUInt16LE(position + field),
    ) as [number, number, number]
    const name = tail.toString('utf8', position + entryLength, position + entryLength + nameLength)
    names.push(name.replaceAll('\\', '/'))
    position += entryLength + nameLength + extraLength + commentLength
  }
  return names.length > 0 ? names : null
}

function declaredType(head: Buffer): string | null {
  const isFirst = head.length > 38 && head.readUInt16LE(26) === 8 && head.toString('latin1', 30, 38) === 'mimetype'
  if (!isFirst || head.readUInt16LE(8) !== 0) return null
  const start = 38 + head.readUInt16LE(28)
  const declared = head.toString('latin1', start, start + 100)
  return [...declaredTypes].find((type) => declared.startsWith(`${type}PK`)) ?? null
}
