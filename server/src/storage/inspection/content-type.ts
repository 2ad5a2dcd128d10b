import { findActiveType, hidesActiveContent } from './active-content.ts'
import { compoundFileType } from './compound-file-type.ts'
import type { ContentSample } from './content-sample.ts'
import { findMediaType } from './media-type.ts'
import { zipFileType } from './zip-file-type.ts'

/** Types that are texts and that their first words tell apart from any other text. */
const textTypes = new Set(['application/rtf', 'text/calendar', 'text/vcard'])

/**
 * The media type of a file by its content, or null. What a browser or a shell would run is told as what it is, also
 * when it wears the signature of an image or a PDF. Texts of every kind, such as CSV and JSON, are `text/plain`.
 */
export async function mediaTypeOfContent(sample: ContentSample): Promise<string | null> {
  const { head } = sample
  if (head.length === 0) return null
  const text = findText(sample)
  const active = findActiveType(text ?? head.toString('latin1'))
  if (active !== null) return active
  if (sample.tail.length > 0) return zipFileType(sample)
  const type = text === null || isPdf(head) ? await findBinaryType(sample) : await loadTextType(head)
  return type !== 'text/plain' && hidesActiveContent(head) ? 'text/html' : type
}

/** The head as text, or null when the file is none. UTF-16 is known by its mark; other encodings by what they lack. */
function findText({ head, isPrintable }: ContentSample): string | null {
  if (isPrintable) return head.toString('utf8')
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0
  if (mark !== 0xfffe && mark !== 0xfeff) return null
  const text = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(head)
  return /[^\P{Cc}\t\n\f\r]/u.test(text) ? null : text
}

async function loadTextType(head: Buffer): Promise<string> {
  // Asked last: a text may well begin with BM, like a bitmap, or with MZ, like a program.
  const type = await typeBySignature(head)
  return type !== null && textTypes.has(type) ? type : 'text/plain'
}

async function findBinaryType({ head, directory }: ContentSample): Promise<string | null> {
  if (isPdf(head)) return 'application/pdf'
  const type = await typeBySignature(head)
  return type === 'application/x-cfb' ? compoundFileType(directory) : type
}

async function typeBySignature(head: Buffer): Promise<string | null> {
  // Loaded for the first file only: together with its readers it would be a part of the service's start.
  const { fileTypeFromBuffer } = await import('file-type')
  // A reader that stumbles over a damaged file knows no type of it.
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  return findMediaType(type?.mime ?? '')
}

/** Readers take blanks before the signature of a PDF, which scanners write. */
function isPdf(head: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head.subarray(0, 64).toString('latin1'))
}
