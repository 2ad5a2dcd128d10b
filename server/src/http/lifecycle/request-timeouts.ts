import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors/index.ts'

/** Timeouts for slow senders (slowloris), in milliseconds, and their minimum progress. */
export interface RequestTimeouts {
  /** For the request line and headers, from the first byte or from the opening of the connection. */
  readonly head: number
  /** How often pending heads are checked. */
  readonly headInterval: number
  /** For a complete body of up to 1 MiB that is not a file. */
  readonly smallBody: number
  /** Interval in which at least `minBytes` of a file or of a larger body must arrive. */
  readonly progress: number
  readonly minBytes: number
}

export const defaultRequestTimeouts: RequestTimeouts = {
  head: 60_000,
  headInterval: 10_000,
  smallBody: 60_000,
  progress: 30_000,
  minBytes: 64 * 1024,
}

const smallBodyBytes = 1024 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a file of any size: no total timeout, only the minimum progress. */
    takesFile?: boolean
  }
}

/**
 * Rejects requests whose bodies arrive too slowly, on every surface, with `request_timeout` (408, RFC 9110 §15.5.9)
 * and closes the connection: small bodies after a total time, files when they stop making progress. Time spent in the
 * service itself does not count.
 */
export function addRequestTimeouts(app: FastifyInstance, timeout: RequestTimeouts): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Most bodies arrive with the head, and a timer for each would cost more than a tenth of the time of a write.
    if (hasBody(request)) {
      setImmediate(() => {
        if (!request.raw.complete && !request.raw.destroyed) watch(request, reply, timeout)
      })
    }
    done()
  })
}

/** A request has a body when it says its length or sends it in chunks (RFC 9112 §6.3). */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function takesFile({ routeOptions, headers }: FastifyRequest): boolean {
  if (routeOptions.config.takesFile === true) return true
  if (headers['content-type']?.toLowerCase().startsWith('multipart/') === true) return true
  return Number(headers['content-length'] ?? 0) > smallBodyBytes
}

function watch(request: FastifyRequest, reply: FastifyReply, timeout: RequestTimeouts): void {
  const { raw } = request
  const { socket } = raw
  const isFile = takesFile(request)
  let known = socket.bytesRead
  const look = () => {
    const received = socket.bytesRead - known
    known += received
    // Bytes that arrived and were not read yet wait for the service, not for the client.
    const isTaken = raw.readableLength === 0
    if (!isTaken || (isFile && received >= timeout.minBytes)) return
    clearInterval(timer)
    timeOut(request, reply, isFile ? timeout.progress : timeout.smallBody)
  }
  const timer = setInterval(look, isFile ? timeout.progress : timeout.smallBody).unref()
  for (const event of ['end', 'close']) raw.once(event, () => clearInterval(timer))
}

function timeOut({ raw }: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  if (raw.complete) return
  // Already responded to: only close the connection.
  if (reply.sent) {
    raw.destroy()
    return
  }
  const seconds = Math.ceil(milliseconds / 1000)
  const problem = new Problem(
    'request_timeout',
    `Nothing of the body, or too little of it, came within ${seconds} s. Send the request again, at once as a whole.`,
    {},
    { connection: 'close' },
  )
  // The reader of the body responds in the form of its surface; without a reader, respond here.
  if (raw.listenerCount('error') > 0) raw.emit('error', problem)
  else reply.send(problem)
}
