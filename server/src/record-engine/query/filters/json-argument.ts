import { parseJsonText } from '../../model/json-text.ts'
import { RecordError } from '../../model/record-error.ts'

/**
 * An argument that is JSON text, or already parsed because it came in a JSON body. Null for the empty text.
 *
 * @throws RecordError `JSONDecodeError` for text that is not JSON.
 */
export function jsonArgument(name: string, sent: unknown): unknown {
  if (typeof sent !== 'string') return sent ?? null
  if (sent.trim() === '') return null
  const value = parsedJson(sent)
  if (value !== undefined) return value
  throw new RecordError('JSONDecodeError', `${name} is not JSON. Send it as JSON, percent-encoded in an address.`)
}

/** The value of a JSON text (RFC 8259), or undefined where it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (error instanceof RecordError) throw error
    return undefined
  }
}
