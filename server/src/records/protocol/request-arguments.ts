import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { RecordError } from '../record-error.ts'
import type { Arguments } from './call.ts'
import { parseJson, requireSound } from './json-values.ts'

/** The most bytes that a body may have: 25 MiB, and 1 MiB of somebody who is not known. */
export const bodyLimits = { known: 25 * 1024 * 1024, unknown: 1024 * 1024 } as const

/** A file that came in a form. */
export interface SentFile {
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/** What a request brought. */
export interface Sent {
  /** A JSON body replaces the query; the fields of a form go before it. */
  readonly args: Arguments
  readonly files: Readonly<Record<string, SentFile>>
  /** The fields of a record: of the argument `data`, of the body, or the arguments themselves. */
  fields(): Arguments
}

/**
 * Reads the arguments of a call from its query and body. Throws `RequestEntityTooLarge`, `JSONDecodeError` with the reason,
 * and `DataError` for values that cannot be kept.
 */
export async function readArguments(request: FastifyRequest, limit: number): Promise<Sent> {
  const bytes = await readBody(request.raw, limit)
  const query = pairsToArguments(new URLSearchParams(request.url.split('?').slice(1).join('?')))
  const { args, files, isParsed } = await withBody(request, bytes, query)
  const known = Object.fromEntries(Object.entries(args).filter(([name]) => name !== '_'))
  for (const [name, value] of Object.entries(known)) {
    requireSound(name, 'The name of an argument')
    requireSound(value, `The argument ${name.slice(0, 140)}`)
  }
  return { args: known, files, fields: () => fieldsOf(known, isParsed ? null : bytes) }
}

interface ParsedBody {
  readonly args: Arguments
  readonly files: Readonly<Record<string, SentFile>>
  /** Whether the body was read in its media type. */
  readonly isParsed: boolean
}

async function withBody(request: FastifyRequest, bytes: Buffer, query: Arguments): Promise<ParsedBody> {
  const contentType = request.headers['content-type'] ?? ''
  const mediaType = (contentType.split(';')[0] as string).trim().toLowerCase()
  if (bytes.length === 0) return { args: query, files: {}, isParsed: true }
  if (/^application\/(json|[\w.-]+\+json)$/.test(mediaType)) {
    const value = parseJson(textOf(bytes), 'The body')
    if (Array.isArray(value)) return { args: { data: value }, files: {}, isParsed: true }
    if (typeof value !== 'object' || value === null) {
      throw new RecordError('JSONDecodeError', 'The body must be a JSON object or an array.')
    }
    return { args: value as Arguments, files: {}, isParsed: true }
  }
  const object = mediaType === 'multipart/form-data' ? null : undeclaredObject(bytes)
  if (object !== null) return { args: object, files: {}, isParsed: true }
  if (mediaType === 'application/x-www-form-urlencoded') {
    const form = pairsToArguments(new URLSearchParams(textOf(bytes)))
    return { args: { ...query, ...form }, files: {}, isParsed: true }
  }
  if (mediaType === 'multipart/form-data') {
    const { fields, files } = await readForm(bytes, contentType)
    return { args: { ...query, ...fields }, files, isParsed: true }
  }
  return { args: query, files: {}, isParsed: false }
}

/** The JSON object of a body that does not say that it is one, as curl sends it by itself, or null. No form begins so. */
function undeclaredObject(bytes: Buffer): Arguments | null {
  if (bytes[0] !== '{'.charCodeAt(0)) return null
  try {
    return JSON.parse(textOf(bytes)) as Arguments
  } catch {
    return null
  }
}

/** Of names that come more than once the first counts, as upstream has it. */
function pairsToArguments(pairs: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...pairs].reverse())
}

async function readForm(bytes: Buffer, contentType: string) {
  let form: Awaited<ReturnType<Response['formData']>>
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    const text = 'The body cannot be read as multipart/form-data: check its boundary and its end.'
    throw new RecordError('JSONDecodeError', text)
  }
  const fields: [string, string][] = []
  const files: [string, SentFile][] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value])
    else {
      const content = Buffer.from(await value.arrayBuffer())
      files.push([name, { fileName: value.name, mediaType: value.type, bytes: content }])
    }
  }
  return { fields: pairsToArguments(fields), files: Object.fromEntries(files) }
}

function fieldsOf(args: Arguments, unparsed: Buffer | null): Arguments {
  const value =
    args.data === undefined || args.data === null
      ? unparsed === null || unparsed.length === 0
        ? args
        : parseJson(textOf(unparsed), 'The body')
      : typeof args.data === 'string'
        ? parseJson(args.data, 'The argument data')
        : args.data
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RecordError('JSONDecodeError', 'The fields of a record are one JSON object: { … }.')
  }
  return value as Arguments
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new RecordError('JSONDecodeError', 'The body is not UTF-8.')
  }
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const {
    'content-length': length,
    'transfer-encoding': chunked,
    'content-encoding': encoding = 'identity',
  } = request.headers
  if (encoding !== 'identity') {
    throw new RecordError('UnsupportedMediaType', 'Send the body without a content encoding.')
  }
  if (Number(length ?? 0) > limit) throw tooLarge(limit)
  // A request without either has no body (RFC 9112 §6.3).
  if (length === undefined && chunked === undefined) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let size = 0
  // A refusal must not destroy the request, since its answer goes over the same connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(limit: number): RecordError {
  return new RecordError('RequestEntityTooLarge', `The body may have at most ${limit} bytes.`, {
    headers: { connection: 'close' },
  })
}
