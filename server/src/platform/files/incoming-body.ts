import type { IncomingMessage } from 'node:http'

/** What is read, and how long, of a refused upload, so that its sender sees the answer; then the connection is cut. */
const discarded = { bytes: 16 * 1024 * 1024, milliseconds: 10_000 }

/** Reads on, for a while, what is left of a body that nobody wants, and throws it away. */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded) return
  const cut = () => request.destroy()
  const timer = setTimeout(cut, discarded.milliseconds).unref()
  let left = discarded.bytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) cut()
  })
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
  request.resume()
}

/** Cuts the connection of a body that pauses for this long. What comes after it, the service's part, may take its time. */
export function cutWhenIdle(request: IncomingMessage, milliseconds: number): void {
  const { socket } = request
  socket.setTimeout(milliseconds)
  request.once('end', () => socket.setTimeout(0))
}
