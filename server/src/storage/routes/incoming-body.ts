import type { IncomingMessage } from 'node:http'

/** Limits of a discarded body, so that its sender reads the response; then the connection is closed. */
const discarded = { bytes: 16 * 1024 * 1024, milliseconds: 10_000 }

/** Reads and discards the rest of a request body within the limits. */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded) return
  const close = () => request.destroy()
  const timer = setTimeout(close, discarded.milliseconds).unref()
  let left = discarded.bytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) close()
  })
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
  request.resume()
}

const firstBytes = 64 * 1024

/**
 * Reads a whole body into one buffer that is as long as the body, or null when it has more bytes than `maxBytes`. The
 * request stays open, since its answer goes over the same connection. Rejects with what ends the request early.
 */
export function readWhole(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const announced = request.headers['content-length']
  if (Number(announced ?? 0) > maxBytes) return Promise.resolve(null)
  // What comes in chunks is not known before; its buffer grows with it.
  let bytes = Buffer.allocUnsafeSlow(announced === undefined ? firstBytes : Number(announced))
  let length = 0
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      request.off('data', take).off('end', finish).off('error', fail)
      settled()
    }
    const take = (chunk: Buffer) => {
      if (length + chunk.length > maxBytes) {
        request.pause()
        return settle(() => resolve(null))
      }
      if (length + chunk.length > bytes.length) {
        const longer = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(2 * bytes.length, length + chunk.length)))
        bytes.copy(longer, 0, 0, length)
        bytes = longer
      }
      chunk.copy(bytes, length)
      length += chunk.length
    }
    const finish = () => settle(() => resolve(bytes.subarray(0, length)))
    const fail = (error: Error) => settle(() => reject(error))
    request.on('data', take).on('end', finish).on('error', fail)
  })
}
