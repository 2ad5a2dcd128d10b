import { jsonExcess } from '../../values/index.ts'
import { RecordError } from './record-error.ts'

/**
 * The value of a JSON text (RFC 8259).
 *
 * @param max the maximum values; by default as many as for a body of its length.
 * @throws SyntaxError for text that is not JSON.
 * @throws RecordError `DataError` for more values, more levels, or more keys in one object, than allowed.
 */
export function parseJsonText(text: string, max?: number): unknown {
  const excess = jsonExcess(text, max)
  if (excess === null) return JSON.parse(text)
  throw new RecordError(
    'DataError',
    `${holders[excess.of]} has at most ${excess.max} ${excess.of}. Send fewer at once.`,
  )
}

/** What has the values, keys or levels that are counted. */
const holders = {
  values: 'A JSON text of this length',
  keys: 'An object in a JSON text',
  levels: 'A JSON text',
} as const
