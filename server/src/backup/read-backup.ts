import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import {
  BackupFileError,
  type BackupHeader,
  type BackupTrailer,
  type Frame,
  type FrameType,
  frameHeadBytes,
  frameTypes,
  magic,
  maxFrameBytes,
  type SectionEnd,
  type SectionHead,
} from './backup-format.ts'
import { inFewPieces, SectionMeasure } from './write-frames.ts'

/** A part of a backup as it is read. The content of a section is read before the next part is asked for. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'section'; readonly head: SectionHead; readonly content: AsyncIterable<Buffer>; end(): SectionEnd }
  | { readonly kind: 'trailer'; readonly trailer: BackupTrailer }

const isCut = 'It is cut off: its end is missing. Copy it again from where it was made, or use another backup.'
const isAltered =
  'It was altered or damaged since it was made. Copy it again from where it was made, or use another backup.'

/**
 * Reads a backup part by part and compares everything with the sums in it. What is wrong may show only at the end, so
 * nothing is to be trusted before the last part was read.
 * @throws BackupFileError when it is no backup, is cut off, altered, or of a later format
 */
export async function* readBackup(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPart> {
  const frames = readFrames(bytes)
  const header = getContent<BackupHeader>(await nextFrame(frames), frameTypes.header)
  yield { kind: 'header', header }
  const counts = { tables: 0, rows: 0, files: 0, fileBytes: 0 }
  for (;;) {
    const frame = await nextFrame(frames)
    if (frame.type === frameTypes.trailer) {
      const trailer = getContent<BackupTrailer>(frame, frameTypes.trailer)
      const { missingFiles: _, ...said } = trailer
      if (!isDeepStrictEqual(said, counts)) throw new BackupFileError(isAltered)
      if (!(await frames.next()).done) throw new BackupFileError(isAltered)
      yield { kind: 'trailer', trailer }
      return
    }
    const head = getContent<SectionHead>(frame, frameTypes.section)
    const section = new Section(head, frames)
    yield { kind: 'section', head, content: section.content, end: () => section.end }
    for await (const _ of section.content); // what nobody has read
    counts.tables += head.kind === 'table' ? 1 : 0
    counts.files += head.kind === 'file' ? 1 : 0
    counts.rows += section.end.rows ?? 0
    counts.fileBytes += head.kind === 'file' ? section.end.bytes : 0
  }
}

/** Reads the header alone, and no further. Whether the rest is whole is not known then. Throws `BackupFileError`. */
export async function readBackupHeader(bytes: AsyncIterable<Uint8Array>): Promise<BackupHeader> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    for await (const part of readBackup({ [Symbol.asyncIterator]: () => source })) {
      if (part.kind === 'header') return part.header
    }
    throw new BackupFileError(isCut)
  } finally {
    await source.return?.()
  }
}

/** Reads all of a backup and compares it with its sums. Throws `BackupFileError`. */
export async function verifyBackup(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ header: BackupHeader; trailer: BackupTrailer }> {
  let header: BackupHeader | undefined
  let trailer: BackupTrailer | undefined
  for await (const part of readBackup(bytes)) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'trailer') trailer = part.trailer
  }
  return { header: header as BackupHeader, trailer: trailer as BackupTrailer }
}

class Section {
  /** Read once. */
  readonly content: AsyncIterable<Buffer>
  #end: SectionEnd | undefined

  constructor(head: SectionHead, frames: AsyncGenerator<Frame>) {
    this.content = this.#read(head, frames)
  }

  get end(): SectionEnd {
    if (this.#end === undefined) throw new Error('a section has no end before it was read')
    return this.#end
  }

  async *#read(head: SectionHead, frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
    const measure = new SectionMeasure(head)
    const stored = this.#stored(frames)
    yield* measure.watch(head.kind === 'table' ? decompressed(stored) : stored)
    if (!isDeepStrictEqual(measure.end, this.#end)) throw new BackupFileError(isAltered)
  }

  async *#stored(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
    for (;;) {
      const frame = await nextFrame(frames)
      if (frame.type === frameTypes.data) yield frame.content
      else {
        this.#end = getContent<SectionEnd>(frame, frameTypes.end)
        return
      }
    }
  }
}

async function* decompressed(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  const feeding = pipeline(inFewPieces(stored), gunzip)
  feeding.catch(() => {}) // reading it fails with it
  try {
    yield* gunzip
    await feeding
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw new BackupFileError(isAltered)
    throw error
  }
}

async function nextFrame(frames: AsyncGenerator<Frame>): Promise<Frame> {
  const { value, done } = await frames.next()
  if (done) throw new BackupFileError(isAltered)
  return value
}

function getContent<Content>({ type, content }: Frame, wanted: FrameType): Content {
  if (type !== wanted) throw new BackupFileError(isAltered)
  try {
    return JSON.parse(content.toString('utf8')) as Content
  } catch {
    throw new BackupFileError(isAltered)
  }
}

/** The frames up to the seal, which must be the sum of all bytes before it and the end of the file. */
async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const bytes = new ByteQueue(source)
  const begin = await bytes.take(magic.length)
  if (begin === null || !begin.equals(magic)) throw new BackupFileError(strangeBeginning(begin))
  const seal = createHash('sha256').update(begin)
  for (;;) {
    const head = await bytes.take(frameHeadBytes)
    if (head === null) throw new BackupFileError(isCut)
    const type = head.toString('latin1', 0, 1) as FrameType
    const length = head.readUInt32BE(1)
    const isKnown = Object.values(frameTypes).includes(type)
    if (!isKnown || length > maxFrameBytes) throw new BackupFileError(isAltered)
    const content = await bytes.take(length)
    if (content === null) throw new BackupFileError(isCut)
    if (type === frameTypes.seal) {
      if (!content.equals(seal.digest()) || (await bytes.take(1)) !== null) throw new BackupFileError(isAltered)
      return
    }
    seal.update(head).update(content)
    yield { type, content }
  }
}

function strangeBeginning(begin: Buffer | null): string {
  const version = /^matricula backup (\d+)\n/.exec(begin?.toString('latin1') ?? '')?.[1]
  if (version === undefined) return 'It is no backup of Matricula, or its beginning was altered.'
  return `It has version ${version} of the format, which this program does not know. Use a newer version of Matricula.`
}

/** Bytes that come in pieces, taken in other ones. */
class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>
  #pieces: Buffer[] = []
  #length = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next bytes, or null where fewer are left. */
  async take(length: number): Promise<Buffer | null> {
    while (this.#length < length) {
      const { value, done } = await this.#source.next()
      if (done) return null
      this.#pieces.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      this.#length += value.byteLength
    }
    const [first] = this.#pieces
    const all =
      first !== undefined && (this.#pieces.length === 1 || first.length >= length) ? first : Buffer.concat(this.#pieces)
    const isFirst = all === first
    const rest = isFirst ? this.#pieces.slice(1) : []
    this.#pieces = all.length > length ? [all.subarray(length), ...rest] : rest
    this.#length -= length
    return all.subarray(0, length)
  }
}
