import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** For how long one that was just opened may say nothing, in milliseconds: its request may be on its way. */
const silenceTimeoutMs = 1_000

/**
 * Ends, from when the service closes, the connections on which nobody waits for an answer: those between two requests (RFC 9112
 * §9.6), and those that were opened and said nothing, as browsers do ahead of need. Node would wait for their own ends.
 */
export function endIdleConnections(app: FastifyInstance): void {
  const openedAt = new Map<Socket, number>()
  app.server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now())
    socket.once('close', () => openedAt.delete(socket))
  })
  const endSilent = () => {
    const latest = performance.now() - silenceTimeoutMs
    for (const [socket, at] of openedAt) if (socket.bytesRead === 0 && at < latest) socket.destroy()
  }
  app.addHook('preClose', async () => {
    const closing = setInterval(() => {
      app.server.closeIdleConnections()
      endSilent()
    }, 50)
    app.server.once('close', () => clearInterval(closing))
  })
}
