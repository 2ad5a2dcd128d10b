import { getRandomValues } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes are asked for in pieces of so many: to ask for the sixteen of each id costs several times as much as the id. */
const pieceBytes = 4096
const idBytes = 16

const piece = new Uint8Array(pieceBytes)
const numbers = new DataView(piece.buffer)
let used = pieceBytes

/** The millisecond of the id before, and its place among those of it. */
let msecs = 0
let seq = 0

/** A new identifier: UUID version 7 (RFC 9562), which grows with time; each of a process is above those before it. */
export function newId(): string {
  if (used === pieceBytes) {
    getRandomValues(piece)
    used = 0
  }
  const from = used
  used += idBytes
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    // It begins anywhere in the lower half (RFC 9562 §6.2), so that there is room to grow.
    seq = numbers.getUint32(from + 6) >>> 1
  } else {
    seq += 1
  }
  return v7({ random: piece.subarray(from, used), msecs, seq })
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of a UUID, in either case. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
