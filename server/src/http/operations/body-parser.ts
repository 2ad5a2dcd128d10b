import { isUtf8 } from 'node:buffer'
import type { FileBody, Operation } from '@matricula/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, validationProblem } from '../../errors/index.ts'
import { jsonExcess } from '../../values/index.ts'

/** Maximum size of a JSON body in bytes. */
export const maximumBodyBytes = 1024 * 1024

/**
 * Parses the bodies of the Client API: `application/json`, on PATCH also `application/merge-patch+json` (RFC 7396),
 * in UTF-8, at most 1 MiB, with a bounded number of values; or a file of the media types that the operation declares.
 * Where it declares no body, the bytes are ignored. Errors: `unsupported_media_type`, `malformed_json`, `validation_failed`.
 */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maximumBodyBytes }, (request, bytes, done) => {
    try {
      done(null, parseBody(request, bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  const operation = (request.routeOptions.config as { operation?: Operation }).operation
  if (operation?.file !== undefined) return toFile(request, operation.file.types, bytes)
  if (operation?.body === undefined) return undefined
  requireJson(request, operation)
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new Problem('malformed_json', 'The body is not UTF-8.')
  const text = bytes.toString('utf8')
  requireBounded(text, operation)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('malformed_json', 'The body cannot be parsed as JSON. Check its quotes, commas and braces.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('malformed_json', 'The body must be a JSON object: { … }.')
  }
  return value
}

/** Throws `validation_failed` before parsing when a text has more values, more levels, or more keys in one object, than allowed. */
function requireBounded(text: string, { body }: Operation): void {
  const excess = jsonExcess(text)
  if (excess === null) return
  const { of, member, isMember } = excess
  const properties = (body?.properties ?? {}) as Readonly<Record<string, ObjectSchema>>
  const known = member !== null && Object.hasOwn(properties, member) ? member : null
  const max = (isMember && known !== null && findMaxKeys(properties[known])) || excess.max
  const detail = `must have at most ${max} ${of}${of === 'keys' && known !== null && !isMember ? ' in each object' : ''}`
  throw validationProblem([{ in: 'body', pointer: known === null ? '#' : `#/${known}`, code: 'too_long', detail }])
}

interface ObjectSchema {
  readonly maxProperties?: number
  readonly anyOf?: readonly ObjectSchema[]
}

/** Maximum number of keys of an object, also of a nullable one. */
function findMaxKeys({ maxProperties, anyOf = [] }: ObjectSchema = {}): number | undefined {
  return maxProperties ?? anyOf.map(findMaxKeys).find((max) => max !== undefined)
}

function toFile(request: FastifyRequest, types: readonly string[], bytes: Buffer): FileBody {
  return { mediaType: requireMediaType(request, types), bytes }
}

function requireJson(request: FastifyRequest, operation: Operation): void {
  const allowed = ['application/json', ...(operation.method === 'PATCH' ? ['application/merge-patch+json'] : [])]
  requireMediaType(request, allowed)
  const [, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new Problem('unsupported_media_type', 'Send the body in UTF-8.', { allowed })
  }
}

/** The media type of a body, which must be one of these, without a content encoding. */
function requireMediaType(request: FastifyRequest, allowed: readonly string[]): string {
  const [sent = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const mediaType = sent.trim()
  if (!allowed.includes(mediaType)) {
    throw new Problem('unsupported_media_type', `Send the body as ${allowed.join(' or ')}.`, { allowed })
  }
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the body without a content encoding.', { allowed })
  }
  return mediaType
}
