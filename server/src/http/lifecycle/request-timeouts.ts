import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors/index.ts'

/** How long the sender of a request may take, in milliseconds, and how little it may send. */
export interface RequestTimeouts {
  /** For the head, from its first byte, or from the opening of the connection. */
  readonly head: number
  /** How often heads that are on their way are looked at. */
  readonly headInterval: number
  /** For a whole body of up to 1 MiB that is no file. */
  readonly smallBody: number
  /** For the fewest bytes of a file, or of a larger body, over and over. */
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
    /** Whether the body is a file of any size, which is waited for as long as it makes progress. */
    takesFile?: boolean
  }
}

/**
 * Ends requests whose bodies trickle, on every surface, with 408 (RFC 9110 §15.5.9) and the end of the connection: small
 * bodies after a time, files when they stop making progress. The time that the service takes itself does not count.
 */
export function addRequestTimeouts(app: FastifyInstance, timeout: RequestTimeouts): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Of most requests the body has come with the head, and a timer for each would cost more than a tenth of the time of a write.
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
    // What arrived and nobody has taken yet waits for the service.
    const isTaken = raw.readableLength === 0
    if (!isTaken || (isFile && received >= timeout.minBytes)) return
    clearInterval(timer)
    giveUp(request, reply, isFile ? timeout.progress : timeout.smallBody)
  }
  const timer = setInterval(look, isFile ? timeout.progress : timeout.smallBody).unref()
  for (const event of ['end', 'close']) raw.once(event, () => clearInterval(timer))
}

function giveUp({ raw }: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  if (raw.complete) return
  // What was answered is let go with its connection.
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
  // Whoever reads the body answers, in the form of its surface; where nobody does yet, nobody will.
  if (raw.listenerCount('error') > 0) raw.emit('error', problem)
  else reply.send(problem)
}
