import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  type Frame,
  frameHeadBytes,
  frameTypes,
  jsonFrame,
  magic,
  type SectionEnd,
  type SectionHead,
} from './backup-format.ts'
import { RowDigest } from './row-digest.ts'

/** As pg_dump's own format has it: more costs time and gains little. */
const compressionLevel = 6
const pieceBytes = 128 * 1024

/**
 * The bytes of a backup: its frames, sealed by the SHA-256 of all of them. Ends without the seal when the frames
 * break off.
 */
export async function* getBytes(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const seal = createHash('sha256').update(magic)
  yield magic
  for await (const frame of frames) {
    for (const part of getParts(frame)) {
      seal.update(part)
      yield part
    }
  }
  yield* getParts({ type: frameTypes.seal, content: seal.digest() })
}

function getParts({ type, content }: Frame): [Buffer, Buffer] {
  const head = Buffer.alloc(frameHeadBytes)
  head.write(type, 'latin1')
  head.writeUInt32BE(content.length, 1)
  return [head, content]
}

/** The frames of one section; returns what its content was. */
export async function* sectionFrames(
  head: SectionHead,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Frame, SectionEnd> {
  yield jsonFrame(frameTypes.section, head)
  const measure = new SectionMeasure(head)
  const measured = measure.watch(content)
  for await (const piece of head.kind === 'table' ? compressed(measured) : measured) {
    yield { type: frameTypes.data, content: piece }
  }
  yield jsonFrame(frameTypes.end, measure.end)
  return measure.end
}

async function* compressed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip({ level: compressionLevel, chunkSize: pieceBytes })
  const feeding = pipeline(inFewPieces(content), gzip)
  feeding.catch(() => {}) // reading it fails with it
  yield* gzip
  await feeding
}

/** A stream that holds no more than two pieces of what it reads. */
export function inFewPieces(content: AsyncIterable<Buffer>): Readable {
  return Readable.from(content, { highWaterMark: 2 })
}

/** Measures the content of a section while it passes. */
export class SectionMeasure {
  #bytes = 0
  readonly #hash = createHash('sha256')
  readonly #rows: RowDigest | null
  #end: SectionEnd | undefined

  constructor({ kind }: SectionHead) {
    this.#rows = kind === 'table' ? new RowDigest() : null
  }

  async *watch(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      this.#bytes += piece.length
      this.#hash.update(piece)
      this.#rows?.add(piece)
      yield piece
    }
  }

  /** What it was, once all of it has passed. */
  get end(): SectionEnd {
    this.#end ??= {
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
      ...(this.#rows !== null && { rows: this.#rows.rows, digest: this.#rows.digest }),
    }
    return this.#end
  }
}
