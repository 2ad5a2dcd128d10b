import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a new connection may stay silent, in milliseconds: its request may be on its way. */
const silenceTimeoutMs = 1_000

/**
 * Graceful shutdown: closes, once the service is closing, the connections without a pending request: those between
 * two requests (RFC 9112 §9.6), and those that browsers opened in advance. Node would wait until the clients close
 * them.
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
