import { toUSVString } from 'node:util'
import { parseJsonText, RecordError } from '../../record-engine/index.ts'

/** Deeper values would overflow the stack of recursive code. */
const deepest = 32

/**
 * The value of a JSON text. Throws `JSONDecodeError` with the position, naming the text by `what` (`The body`,
 * `The argument filters`), and `DataError` for more than a million values.
 */
export function parseJson(text: string, what: string): unknown {
  let value: unknown
  try {
    value = parseJsonText(text)
  } catch (error) {
    if (error instanceof RecordError) throw error
    throw new RecordError('JSONDecodeError', `${what} cannot be parsed as JSON${getLocation(error)}.`)
  }
  requireSound(value, what)
  return value
}

/**
 * Throws `DataError` for text that PostgreSQL cannot store, numbers beyond double precision, and values nested too
 * deep.
 */
export function requireSound(value: unknown, what: string, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new RecordError('DataError', `${what} must not contain U+0000.`)
    if (toUSVString(value) !== value) {
      throw new RecordError('DataError', `${what} must not contain half of a surrogate pair.`)
    }
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RecordError('DataError', `${what} has a number that is too large to be kept.`)
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  if (depth >= deepest) throw new RecordError('DataError', `${what} is nested more than ${deepest} levels deep.`)
  if (Array.isArray(value)) {
    for (const item of value) requireSound(item, what, depth + 1)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    requireSound(name, what, depth + 1)
    requireSound(member, what, depth + 1)
  }
}

/** The position in V8's message, without the quoted text. */
function getLocation(error: unknown): string {
  const position = /at position (\d+)/.exec((error as Error).message)?.[1]
  return position === undefined ? '. Check its quotes, commas and braces' : ` at character ${position}`
}
