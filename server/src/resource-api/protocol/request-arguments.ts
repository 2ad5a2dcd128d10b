import { isUtf8 } from 'node:buffer'
import { Busboy } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { parseJsonText, RecordError } from '../../record-engine/index.ts'
import { readWhole } from '../../storage/index.ts'
import type { Arguments } from './call.ts'
import { parseJson, requireSound } from './json-values.ts'

/**
 * The maximum bytes of a body: 25 MiB for staff, and for every authenticated caller where it has files beside 1 MiB of
 * fields; else 1 MiB.
 */
export const bodyLimits = { large: 25 * 1024 * 1024, small: 1024 * 1024 } as const

/** An uploaded file of a form. */
export interface SentFile {
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/** The parsed input of a request. */
export interface Sent {
  /** A JSON body replaces the query; the fields of a form take precedence over it. */
  readonly args: Arguments
  readonly files: Readonly<Record<string, SentFile>>
  /** The fields of a record: the argument `data`, the body, or the arguments themselves. */
  fields(): Arguments
}

/** The kind of caller, which decides the maximum size of a body. */
export type Sender = 'staff' | 'known' | 'unknown'

/**
 * Parses the arguments of a call from its query and body, which is held in memory once: as bytes, or as parsed. Throws
 * `RequestEntityTooLarge`, `JSONDecodeError` with the reason, and `DataError` for values that cannot be stored.
 */
export async function readArguments(request: FastifyRequest, senderOf: () => Sender): Promise<Sent> {
  const query = getQuery(request)
  const { args, files, unparsed } = isBare(request)
    ? { args: query, files: {}, unparsed: null }
    : await withBody(request, query, senderOf())
  const known = withoutUnderscore(args)
  for (const name in known) {
    requireSound(name, 'The name of an argument')
    requireSound(known[name], `The argument ${name.slice(0, 140)}`)
  }
  return { args: known, files, fields: () => getFields(known, unparsed) }
}

/** A cache-busting parameter of clients is not an argument. */
function withoutUnderscore(args: Arguments): Arguments {
  if (args._ === undefined) return args
  const { _, ...others } = args
  return others
}

interface ParsedBody {
  readonly args: Arguments
  readonly files: Readonly<Record<string, SentFile>>
  /** The body, where its media type is unknown. */
  readonly unparsed: Buffer | null
}

/** A body whose bytes can be taken once, so that they are freed when they are parsed. */
class Body {
  readonly isEmpty: boolean
  readonly isObject: boolean
  #bytes: Buffer | null

  constructor(bytes: Buffer) {
    this.isEmpty = bytes.length === 0
    this.isObject = bytes[0] === '{'.charCodeAt(0)
    this.#bytes = bytes
  }

  take(): Buffer {
    const bytes = this.#bytes
    if (bytes === null) throw new Error('the body was taken before')
    this.#bytes = null
    return bytes
  }

  /** Throws `JSONDecodeError` for what is not UTF-8. */
  takeText(): string {
    return getText(this.take())
  }
}

async function withBody(request: FastifyRequest, query: Arguments, sender: Sender): Promise<ParsedBody> {
  const body = await readBody(request, sender)
  const contentType = request.headers['content-type'] ?? ''
  const mediaType = (contentType.split(';')[0] as string).trim().toLowerCase()
  const parsed = (args: Arguments, files: ParsedBody['files'] = {}): ParsedBody => ({ args, files, unparsed: null })
  if (body.isEmpty) return parsed(query)
  if (/^application\/(json|[\w.-]+\+json)$/.test(mediaType)) {
    const value = parseJson(body.takeText(), 'The body')
    if (Array.isArray(value)) return parsed({ data: value })
    if (typeof value !== 'object' || value === null) {
      throw new RecordError('JSONDecodeError', 'The body must be a JSON object or an array.')
    }
    return parsed(value as Arguments)
  }
  if (mediaType === 'multipart/form-data') {
    const { fields, files } = await readForm(body.take(), contentType, sender)
    return parsed({ ...query, ...fields }, files)
  }
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  if (body.isObject) {
    const text = body.takeText()
    const object = undeclaredObject(text)
    if (object !== null) return parsed(object)
    return isForm
      ? parsed({ ...query, ...fieldsOfForm(text) })
      : { args: query, files: {}, unparsed: Buffer.from(text) }
  }
  if (isForm) return parsed({ ...query, ...fieldsOfForm(body.takeText()) })
  return { args: query, files: {}, unparsed: body.take() }
}

/**
 * The JSON object of a body with another media type, as curl sends by default, or null. No form begins with a brace.
 */
function undeclaredObject(text: string): Arguments | null {
  try {
    return parseJsonText(text) as Arguments
  } catch (error) {
    if (error instanceof RecordError) throw error
    return null
  }
}

/**
 * The arguments of the query string (WHATWG URL standard, "application/x-www-form-urlencoded"). Fastify's parsed query
 * is the same, except for repeated or empty names and malformed percent-encoding: then it is parsed again.
 */
function getQuery({ url, query }: FastifyRequest): Arguments {
  const read = query as Readonly<Record<string, unknown>>
  const isPlain = (text: unknown) => typeof text === 'string' && !text.includes('%')
  for (const name in read) {
    if (name === '' || name.startsWith('?') || !isPlain(name) || !isPlain(read[name])) {
      return pairsToArguments(new URLSearchParams(url.slice(url.indexOf('?') + 1)))
    }
  }
  return read
}

/** The first value of a repeated name counts, as upstream has it. */
function pairsToArguments(pairs: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...pairs].reverse())
}

/** The maximum fields and files of a form. */
const maxParts = 2000

function fieldsOfForm(text: string): Arguments {
  if (text.split('&', maxParts + 1).length > maxParts) throw tooManyParts()
  return pairsToArguments(new URLSearchParams(text))
}

function tooManyParts(): RecordError {
  return new RecordError('JSONDecodeError', `A form has at most ${maxParts} parts.`)
}

/**
 * The fields and files of a form. Files are views of its bytes, not copies. Only staff may send fields as large as
 * files: for others the maximum of a body without files applies to all fields together.
 */
function readForm(
  bytes: Buffer,
  contentType: string,
  sender: Sender,
): Promise<{ fields: Arguments; files: ParsedBody['files'] }> {
  const fields: [string, string][] = []
  const files: [string, SentFile][] = []
  const max = sender === 'staff' ? bytes.length : bodyLimits.small
  let left = max
  return new Promise((resolve, reject) => {
    const refuse = () => {
      const text =
        'The body cannot be read as multipart/form-data: check its boundary, the names of its parts and its end.'
      reject(new RecordError('JSONDecodeError', text))
    }
    if (hasTooManyParts(bytes, contentType)) return reject(tooManyParts())
    try {
      const form = new Busboy({
        headers: { 'content-type': contentType },
        preservePath: true,
        isPartAFile: (_name, _type, fileName) => fileName !== undefined,
        limits: { parts: maxParts, fieldSize: max, headerSize: 16 * 1024, headerPairs: 100 },
      })
      form.on('field', (name: string | undefined, value: string, _isNameTruncated: boolean, isCut: boolean) => {
        left -= Buffer.byteLength(value)
        if (isCut || left < 0) reject(tooLarge('The fields of a form', max))
        else if (name === undefined) refuse()
        else fields.push([name, value])
      })
      form.on('file', (name: string | undefined, stream, fileName, _encoding, mediaType) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', refuse)
        stream.on('end', () => {
          if (name === undefined) refuse()
          else files.push([name, { fileName, mediaType, bytes: joined(chunks) }])
        })
      })
      form.on('partsLimit', () => reject(tooManyParts()))
      form.on('error', refuse)
      form.on('finish', () => resolve({ fields: pairsToArguments(fields), files: Object.fromEntries(files) }))
      form.end(bytes)
    } catch {
      refuse()
    }
  })
}

/** Whether a form has more parts than are read: the parser goes through all of them first, at 20 µs each. */
function hasTooManyParts(bytes: Buffer, contentType: string): boolean {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const delimiter = `\r\n--${quoted ?? token ?? ''}`
  let parts = 0
  for (let at = bytes.indexOf(delimiter); at !== -1 && delimiter.length > 4; at = bytes.indexOf(delimiter, at + 1)) {
    parts += 1
    if (parts > maxParts + 1) return true // the last one ends the form
  }
  return false
}

/** Joins adjacent views of the same memory without a copy. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [first, ...others] = chunks
  if (first === undefined) return Buffer.alloc(0)
  let end = first.byteOffset + first.length
  for (const { buffer, byteOffset, length } of others) {
    if (buffer !== first.buffer || byteOffset !== end) return Buffer.concat(chunks)
    end += length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset)
}

function getFields(args: Arguments, unparsed: Buffer | null): Arguments {
  const value =
    args.data === undefined || args.data === null
      ? unparsed === null || unparsed.length === 0
        ? args
        : parseJson(getText(unparsed), 'The body')
      : typeof args.data === 'string'
        ? parseJson(args.data, 'The argument data')
        : args.data
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RecordError('JSONDecodeError', 'The fields of a record are one JSON object: { … }.')
  }
  return value as Arguments
}

function getText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new RecordError('JSONDecodeError', 'The body is not UTF-8.')
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Whether a request has neither a body (RFC 9112 §6.3) nor headers of one. */
function isBare({ headers }: FastifyRequest): boolean {
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined
  )
}

async function readBody({ raw, headers }: FastifyRequest, sender: Sender): Promise<Body> {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new RecordError('UnsupportedMediaType', 'Send the body without a content encoding.')
  }
  // A request without either has no body (RFC 9112 §6.3).
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    return new Body(Buffer.alloc(0))
  const hasFiles = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
  const isLarge = sender === 'staff' || (sender === 'known' && hasFiles)
  const limit = isLarge ? bodyLimits.large : bodyLimits.small
  const bytes = await readWhole(raw, limit)
  if (bytes !== null) return new Body(bytes)
  throw tooLarge('The body', limit)
}

function tooLarge(what: string, max: number): RecordError {
  const text = `${what} may have at most ${max} bytes.`
  return new RecordError('RequestEntityTooLarge', text, { headers: { connection: 'close' } })
}
