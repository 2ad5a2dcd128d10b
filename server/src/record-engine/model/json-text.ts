import { jsonExcess } from '../../values/index.ts'
import { RecordError } from './record-error.ts'

/**
 * The value of a JSON text (RFC 8259).
 *
 * @param max the maximum values; by default as many as for a body of its length.
 * @throws SyntaxError for text that is not JSON.
 * @throws RecordError `DataError` for more values, or more keys in one object, than allowed.
 */
export function parseJsonText(text: string, max?: number): unknown {
  const excess = jsonExcess(text, max)
  if (excess === null) return JSON.parse(text)
  const of = excess.of === 'values' ? 'A JSON text of this length' : 'An object in a JSON text'
  throw new RecordError('DataError', `${of} has at most ${excess.most} ${excess.of}. Send fewer at once.`)
}
