import { jsonExcess } from '../../values/index.ts'
import { RecordError } from './record-error.ts'

/**
 * The value of a JSON text (RFC 8259).
 *
 * @param most the most values that it may have; as many as a body of its length where nothing is said.
 * @throws SyntaxError for a text that is none.
 * @throws RecordError `DataError` for one with more values, or with more keys in one object than there may be.
 */
export function parseJsonText(text: string, max?: number): unknown {
  const excess = jsonExcess(text, max)
  if (excess === null) return JSON.parse(text)
  const of = excess.of === 'values' ? 'A JSON text of this length' : 'An object in a JSON text'
  throw new RecordError('DataError', `${of} has at most ${excess.most} ${excess.of}. Send fewer at once.`)
}
