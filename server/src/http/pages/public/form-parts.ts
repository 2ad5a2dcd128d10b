import { on } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Problem } from '../../../errors/index.ts'
import { unreadableForm } from './page-problem.ts'

/** Limits of a form: parts of any kind, files, bytes of one text, and bytes of the names and texts of all parts. */
const formBounds = { parts: 2050, files: 50, textBytes: 64 * 1024, allTextBytes: 1024 * 1024 } as const

/** What is parsed at once, in bytes: the parser ends what it was given although it reached its limit, at 20 µs a part. */
const pieceBytes = 16 * 1024

/** Every part is a stream, text too, so that none is buffered as a whole. */
const parsing = {
  isPartAFile: () => true,
  fileHwm: 1024,
  limits: { files: formBounds.parts, parts: formBounds.parts, fileSize: 5 * 1024 ** 3 },
} as const

/** An incoming file: its bytes must be read before the next part is requested. */
export interface FilePart {
  readonly kind: 'file'
  readonly name: string
  /** The file name given by the sender, empty where no file was chosen. */
  readonly fileName: string
  /** The media type declared by the sender. */
  readonly mimeType: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

type ParsedPart = [
  name: string | undefined,
  stream: BusboyFileStream,
  fileName: string | undefined,
  encoding: string,
  mimeType: string,
]

/**
 * The parts of a form (RFC 7578) as they arrive. When the caller stops, the rest is discarded.
 *
 * @throws Problem `unsupported_media_type`, `content_too_large`, `validation_failed` for a part without a name.
 */
export async function* formParts(request: IncomingMessage): AsyncGenerator<FilePart | TextPart> {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    const allowed = ['multipart/form-data']
    throw new Problem('unsupported_media_type', 'Send the form as multipart/form-data.', { allowed })
  }
  const form = new Busboy({ ...parsing, headers: { 'content-type': contentType } })
  const parts = on(form, 'file', { close: ['finish', 'close'] }) as AsyncIterableIterator<ParsedPart>
  form.once('partsLimit', () => form.destroy(tooManyParts()))
  followParts(form)
  void feed(request, form)
  let files = 0
  let left: number = formBounds.allTextBytes
  try {
    for await (const [sentName, stream, fileName, , mimeType] of parts) {
      const name = requireName(sentName)
      left -= Buffer.byteLength(name)
      if (fileName === undefined) {
        const { text, bytes } = await loadText(stream, left)
        left -= bytes
        yield { kind: 'text', name, text }
      } else {
        files += 1
        if (files > formBounds.files)
          throw new Problem('content_too_large', `A form has at most ${formBounds.files} files.`)
        yield { kind: 'file', name, fileName, mimeType, bytes: stream }
        stream.resume() // discard what was not read, else no further part arrives
      }
    }
  } finally {
    form.destroy()
  }
}

/** Gives the parser the body piece by piece, no faster than its parts are read, and discards what it does not take. */
async function feed(request: IncomingMessage, form: BusboyInstance): Promise<void> {
  let goOn = (): void => undefined
  form.once('close', () => goOn())
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      for (let at = 0; at < chunk.length && !form.destroyed; at += pieceBytes) {
        await new Promise<void>((resolve) => {
          goOn = resolve
          form.write(chunk.subarray(at, at + pieceBytes), () => resolve())
        })
      }
      if (form.destroyed) return
    }
    form.end()
  } catch (error) {
    form.destroy(error as Error)
  } finally {
    request.resume()
  }
}

/** A part fails with its form, and its form with it: no part comes after one that is not read to its end. */
function followParts(form: BusboyInstance): void {
  let last: BusboyFileStream | null = null
  form.on('error', (error) => last?.destroy(error as Error))
  form.on('file', (_name, stream) => {
    last = stream
    stream.once('limit', () => stream.destroy(tooLong('A file', parsing.limits.fileSize)))
    stream.on('error', () => undefined) // its reader has it, and there may be none yet
    stream.once('close', () => {
      if (!stream.readableEnded) form.destroy(stream.errored ?? undefined)
    })
  })
}

/** The text of a part within the limits; `left` is what remains for all texts of the form, in bytes. */
async function loadText(stream: Readable, left: number): Promise<{ text: string; bytes: number }> {
  const { textBytes, allTextBytes } = formBounds
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > textBytes) throw tooLong('One text of a form', textBytes)
    if (bytes > left) break
    chunks.push(chunk)
  }
  if (bytes > left) throw tooLong('The texts of a form together', allTextBytes)
  return { text: Buffer.concat(chunks).toString('utf8'), bytes }
}

function tooLong(what: string, maxBytes: number): Problem {
  return new Problem('content_too_large', `${what} may have at most ${maxBytes} bytes.`, { maxBytes })
}

function tooManyParts(): Problem {
  return new Problem('content_too_large', `A form has at most ${formBounds.parts} parts.`)
}

/** The name of a part, which the parser does not require. */
function requireName(name: string | undefined): string {
  if (name !== undefined) return name
  throw unreadableForm({ in: 'body', pointer: '#', detail: 'has a part without a name (RFC 7578 §4.2)' })
}
