import { connect, type Socket } from 'node:net'

/** Where clamd listens. */
export type ScannerAddress = { readonly host: string; readonly port: number } | { readonly path: string }

/** The result of a scan. */
export type ScanOutcome = { readonly isClean: true } | { readonly isClean: false; readonly signature: string }

/** CLAMD_URL has a value that names no scanner. The message says what it takes. */
export class ScannerUrlError extends Error {}

/** The scanner cannot be reached, does not answer, or cannot scan this. Never means that a file is clean. */
export class ScannerUnavailable extends Error {}

/** Reads a CLAMD_URL: `tcp://host:port` (port 3310 unless said otherwise) or `unix:/path`. Throws `ScannerUrlError`. */
export function parseScannerUrl(text: string): ScannerAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  const isBare = url !== null && url.search === '' && url.hash === '' && url.username === ''
  if (isBare && url.protocol === 'unix:' && url.host === '' && url.pathname.startsWith('/')) {
    return { path: decodeURIComponent(url.pathname) }
  }
  if (isBare && url.protocol === 'tcp:' && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.port !== '0') {
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 3310) }
  }
  throw new ScannerUrlError('CLAMD_URL must have the form tcp://host:port or unix:/path/of/clamd.sock')
}

/** Client of clamd (8). Each scan has a connection of its own. */
export class VirusScanner {
  readonly #address: ScannerAddress
  readonly #idleMilliseconds: number

  /** `idleMilliseconds` is how long the scanner may be silent while it takes a file or thinks about it. */
  constructor(address: ScannerAddress, { idleMilliseconds = 60_000 }: { idleMilliseconds?: number } = {}) {
    this.#address = address
    this.#idleMilliseconds = idleMilliseconds
  }

  /**
   * Streams bytes to the scanner (INSTREAM) and tells what it says. StreamMaxLength, MaxFileSize and MaxScanSize in its
   * clamd.conf must be at least the size of the largest file: it calls clean what lies beyond the last two.
   *
   * @throws ScannerUnavailable when it cannot be reached, is silent, or refuses the stream.
   */
  async scan(bytes: AsyncIterable<Uint8Array>): Promise<ScanOutcome> {
    const response = await this.#send('INSTREAM', bytes)
    if (response === 'stream: OK') return { isClean: true }
    const signature = /^stream: (.+) FOUND$/.exec(response)?.[1]
    if (signature !== undefined) return { isClean: false, signature }
    const advice = response.includes('size limit exceeded') ? ' Raise StreamMaxLength in clamd.conf.' : ''
    throw new ScannerUnavailable(`The virus scanner cannot scan this file: ${response}.${advice}`)
  }

  /** For doctor and readyz: throws `ScannerUnavailable` when the scanner does not answer. */
  async check(): Promise<void> {
    const response = await this.#send('PING')
    if (response !== 'PONG') throw new ScannerUnavailable(`What answers at CLAMD_URL is not clamd: ${response}`)
  }

  /** Sends a command, with a stream if it takes one, and gives the answer. */
  async #send(command: string, bytes?: AsyncIterable<Uint8Array>): Promise<string> {
    const socket = connect({ ...this.#address })
    socket.setTimeout(this.#idleMilliseconds, () => socket.destroy(new Error('it is silent')))
    const response = readResponse(socket)
    try {
      // An answer that comes before all is sent, such as a refusal, ends the sending.
      const sent = send(socket, command, bytes).catch((error: Error) => {
        if (error instanceof SourceBroken) throw error
        return response
      })
      await Promise.race([sent, response])
      return await response
    } catch (error) {
      if (error instanceof SourceBroken) throw error.cause
      const { code, message } = error as NodeJS.ErrnoException
      const mayBeTooLarge = bytes !== undefined && (code === 'EPIPE' || code === 'ECONNRESET')
      const advice = mayBeTooLarge ? ' The file may be larger than StreamMaxLength in clamd.conf.' : ''
      throw new ScannerUnavailable(`The virus scanner cannot be asked: ${code ?? message}.${advice}`, { cause: error })
    } finally {
      response.catch(() => {})
      socket.destroy()
    }
  }
}

/** The bytes to be scanned could not be read: no fault of the scanner. */
class SourceBroken extends Error {}

async function send(socket: Socket, command: string, bytes?: AsyncIterable<Uint8Array>): Promise<void> {
  await write(socket, Buffer.from(`z${command}\0`))
  if (bytes === undefined) return
  for await (const chunk of readable(bytes)) {
    // A length of zero would end the stream.
    if (chunk.length > 0) await write(socket, getLength(chunk), chunk)
  }
  await write(socket, Buffer.alloc(4))
}

async function* readable(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (cause) {
    throw new SourceBroken('the file cannot be read', { cause })
  }
}

function getLength(chunk: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return length
}

/** Resolves when the system has taken the bytes, so that a file passes in chunks. */
function write(socket: Socket, ...parts: Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Error('the connection is closed'))
    socket.write(Buffer.concat(parts), (error) => (error ? reject(error) : resolve()))
  })
}

/** The response up to its terminating NUL. */
function readResponse(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      text += part
      if (text.includes('\0')) resolve(text.slice(0, text.indexOf('\0')))
      else if (text.length > 4096) socket.destroy(new Error('it says too much'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('it hung up')))
  })
}
