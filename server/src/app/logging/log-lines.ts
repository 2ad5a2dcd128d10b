import { writeSync } from 'node:fs'

/**
 * Batching: whole lines, up to PIPE_BUF bytes, so that lines of several processes do not mix (POSIX), and at the
 * latest after some milliseconds.
 */
const maxBytesAtOnce = 4096
const usualBytesAtOnce = 3584
const latestAfterMilliseconds = 500

/**
 * How long a reader that takes nothing is waited for, in milliseconds, once in so many; how many bytes are kept for
 * it meanwhile.
 */
const timeoutMs = 1_000
const patientEveryMilliseconds = 60_000
const maxBufferedBytes = 1024 * 1024

/** Writes bytes and returns the number written, as `fs.writeSync` does. */
type Write = (bytes: Buffer) => number

const clock = new Int32Array(new SharedArrayBuffer(4))

/**
 * The lines of a log on their way to standard output. What waits is written by `flushSync`, and when the process ends
 * by itself. Where it cannot be written, because the disk is full or nobody reads, lines are left out rather than
 * requests held up; how many is a line of its own once there is room again.
 */
export class LogLines {
  readonly #write: Write
  #lines: Buffer[] = []
  #bytes = 0
  #lost = 0
  /** Whether the last line that was written is not whole. */
  #isCut = false
  /** Whether what waits first is the rest of what was written in part. */
  #isRest = false
  /** Until when a reader is not waited for again. */
  #impatientUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(write: Write = (bytes) => writeSync(1, bytes)) {
    this.#write = write
  }

  /** Takes a line, with its end. */
  write(text: string): void {
    const line = Buffer.from(text)
    if (this.#bytes > 0 && this.#bytes + line.length > maxBytesAtOnce) this.flushSync()
    this.#keep(line)
    if (this.#bytes >= usualBytesAtOnce) this.flushSync()
    else this.#timer ??= setTimeout(() => this.flushSync(), latestAfterMilliseconds).unref()
  }

  /** Flushes the buffer. */
  flushSync(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lost > 0 && !this.#isRest && !this.#tellLost()) this.#leaveOut()
    while (this.#lines.length > 0) {
      const rest = this.#offer(this.#nextPiece())
      this.#isRest = rest !== null && rest.length > 0
      if (rest === null) this.#leaveOut()
      else if (rest.length > 0) {
        this.#lines.unshift(rest)
        break
      }
    }
    this.#bytes = this.#lines.reduce((sum, { length }) => sum + length, 0)
  }

  /** Writes the number of lost lines; returns whether it could. */
  #tellLost(): boolean {
    const lost = this.#lost
    const rest = this.#offer(getNotice(lost, this.#isCut))
    this.#lost = rest === null ? lost : 0
    if (rest !== null) this.#isCut = false
    this.#isRest = rest !== null && rest.length > 0
    if (rest !== null && rest.length > 0) this.#lines.unshift(rest)
    return rest !== null
  }

  #leaveOut(): void {
    this.#lost += this.#lines.length
    this.#lines = []
  }

  #keep(line: Buffer): void {
    if (this.#bytes + line.length > maxBufferedBytes) {
      this.#lost += 1
      return
    }
    this.#lines.push(line)
    this.#bytes += line.length
  }

  /** As many lines as go together, and one at least. */
  #nextPiece(): Buffer {
    let bytes = 0
    let count = 0
    for (const { length } of this.#lines) {
      if (count > 0 && bytes + length > maxBytesAtOnce) break
      bytes += length
      count += 1
    }
    return Buffer.concat(this.#lines.splice(0, count))
  }

  /** Writes a piece; returns what was not taken of it, or null where nothing can be written. */
  #offer(piece: Buffer): Buffer | null {
    const now = performance.now()
    const end = now < this.#impatientUntil ? now : now + timeoutMs
    let rest = piece
    while (rest.length > 0) {
      try {
        rest = rest.subarray(this.#write(rest))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'EAGAIN' && code !== 'EINTR') {
          this.#lost += linesIn(rest)
          this.#isCut ||= rest.length < piece.length && piece[piece.length - rest.length - 1] !== newline
          return null
        }
        if (performance.now() > end) {
          if (end > now) this.#impatientUntil = end + patientEveryMilliseconds
          return rest
        }
        Atomics.wait(clock, 0, 0, 5) // the reader is another process: nothing here could make it faster
      }
    }
    return rest
  }
}

const newline = 0x0a

const linesIn = (piece: Buffer) => piece.toString().split('\n').length - 1

function getNotice(lost: number, isCut: boolean): Buffer {
  const msg = 'Lines of the log could not be written and are lost'
  const line = JSON.stringify({ level: 40, time: new Date().toISOString(), lines: lost, msg })
  return Buffer.from(`${isCut ? '\n' : ''}${line}\n`)
}
