import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, validationProblem } from '../../errors/index.ts'
import type { FileStore, UploadGrant } from '../file-store.ts'
import { findMediaType } from '../inspection/media-type.ts'
import type { SignedGrants } from '../signed-grants.ts'
import { requestedRange } from './byte-range.ts'
import { discardBody } from './incoming-body.ts'
import { alreadyFrozenProblem } from './measured-bytes.ts'
import { signedPath } from './served-addresses.ts'
import { servedFileHeaders } from './served-file-headers.ts'

interface FileRouteOptions {
  /** Called for every rejected upload to a valid signed address, before the response. */
  readonly onRefused?: (
    grant: UploadGrant,
    problem: Problem,
    visit: { readonly requestId: string; readonly address: string },
  ) => Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    uploadGrant: UploadGrant | null
  }
}

/**
 * Serves the signed addresses of files on disk, and of encrypted ones: `PUT /files/signed/{token}` and `GET|HEAD`
 * there. They need nothing but their token; one that was altered or made elsewhere is a 404 like any unknown address.
 * Bodies are streamed both ways. With plain files in S3 it does nothing, since S3 serves its own addresses.
 */
export function addFileRoutes(app: FastifyInstance, store: FileStore, options: FileRouteOptions = {}): void {
  if (!isServed(store)) return
  const { onRefused } = options
  app.register(async (scope) => {
    scope.decorateRequest('uploadGrant', null)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _bytes, done) => done(null))
    scope.put(`${signedPath}*`, {
      config: { operationId: 'uploadFile', takesFile: true },
      onRequest: async (request) => {
        request.uploadGrant = signedUpload(store, request)
        await requireAcceptable(store, request, request.uploadGrant)
      },
      onError: async (request, _reply, error) => {
        discardBody(request.raw)
        const { uploadGrant, id: requestId, ip: address } = request
        if (uploadGrant === null || !((error as unknown) instanceof Problem)) return
        await onRefused?.(uploadGrant, error as unknown as Problem, { requestId, address })
      },
      handler: async (request, reply) => {
        await receive(store, request)
        return reply.code(200).send()
      },
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url: `${signedPath}*`,
      config: { operationId: 'downloadFile' },
      handler: (request, reply) => hand(store, request, reply),
    })
  })
}

/** A store whose addresses the service answers. */
type ServedStore = FileStore & { readonly grants: SignedGrants }

function isServed(store: FileStore): store is ServedStore {
  return store.grants !== null
}

function signedUpload(store: ServedStore, request: FastifyRequest): UploadGrant {
  const grant = store.grants.open('upload', getToken(request))
  if (grant === null) throw unknownAddressProblem()
  return grant
}

/** What the headers of an upload can be refused for, before anything is read. */
async function requireAcceptable(store: ServedStore, request: FastifyRequest, grant: UploadGrant): Promise<void> {
  requireUnexpired(grant.expiresAt, 'upload')
  if ((await store.stat('frozen', grant.key)) !== null) throw alreadyFrozenProblem()
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (findMediaType(contentType) !== grant.mimeType || encoding !== 'identity') {
    const detail = `Send the file as ${grant.mimeType}, without a content encoding.`
    throw new Problem('unsupported_media_type', detail, { allowed: [grant.mimeType] })
  }
  requireLength(request.headers['content-length'], grant.sizeBytes)
}

function requireLength(header: string | undefined, sizeBytes: number): void {
  const location = { in: 'header', name: 'Content-Length' } as const
  const detail = `must be ${sizeBytes}, the size that was announced`
  if (header === undefined) throw validationProblem([{ ...location, code: 'required', detail }])
  if (Number(header) > sizeBytes) {
    throw new Problem('content_too_large', `This address takes exactly ${sizeBytes} bytes.`, { maxBytes: sizeBytes })
  }
  if (Number(header) < sizeBytes) throw validationProblem([{ ...location, code: 'too_small', detail }])
}

async function receive(store: ServedStore, request: FastifyRequest): Promise<void> {
  const { key, sizeBytes, checksumSha256 } = request.uploadGrant as UploadGrant
  // A failure must not destroy the request, since its answer goes over the same connection.
  const bytes: AsyncIterable<Uint8Array> = request.raw.iterator({ destroyOnReturn: false })
  await store.write(key, bytes, { maxBytes: sizeBytes, sizeBytes, checksumSha256 })
}

async function hand(store: ServedStore, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const grant = store.grants.open('download', getToken(request))
  if (grant === null) throw unknownAddressProblem()
  requireUnexpired(grant.expiresAt, 'download')
  const stored = await store.stat('frozen', grant.key)
  if (stored === null) throw goneProblem()
  const { sizeBytes } = stored
  // A frozen file never changes, so that its key stands for its content.
  const entityTag = `"${grant.key}"`
  const range = isRangeWanted(request, entityTag) ? requestedRange(request.headers.range, sizeBytes) : 'whole'
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  const part = range === 'whole' ? undefined : range
  const bytes = request.method === 'HEAD' ? undefined : await store.open('frozen', grant.key, part)
  if (bytes === null) throw goneProblem()
  if (part !== undefined) reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${sizeBytes}`)
  reply.headers({ ...servedFileHeaders(grant), etag: entityTag, 'accept-ranges': 'bytes' })
  reply.header('content-length', part === undefined ? sizeBytes : part.last - part.first + 1)
  return reply.send(bytes)
}

/** A range has a meaning for GET only (RFC 9110 §14.2), and with If-Range only for the file that it names (§13.1.5). */
function isRangeWanted(request: FastifyRequest, entityTag: string): boolean {
  const condition = request.headers['if-range']
  return request.method === 'GET' && (condition === undefined || condition === entityTag)
}

function getToken(request: FastifyRequest): string {
  return (request.params as Record<string, string>)['*'] as string
}

function requireUnexpired(expiresAt: Date, what: string): void {
  if (Date.now() < expiresAt.getTime()) return
  throw new Problem('link_expired', `This ${what} address has expired. Ask for a new one.`)
}

function unknownAddressProblem(): Problem {
  return new Problem('route_not_found', 'There is no such address.')
}

function goneProblem(): Problem {
  return new Problem('resource_not_found', 'The file was deleted.')
}
