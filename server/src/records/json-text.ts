import { RecordError } from './record-error.ts'

/** A list of a hundred thousand rows with ten fields each. Every value takes many times the memory of the text that it is in. */
const mostValues = 1_000_000

/**
 * The value of a JSON text (RFC 8259).
 *
 * @throws SyntaxError for a text that is none.
 * @throws RecordError `DataError` for one with more than a million values.
 */
export function parseJsonText(text: string): unknown {
  if (text.length > mostValues) requireFewValues(text)
  return JSON.parse(text)
}

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x2c, 0x5b, 0x7b]) // , [ {

function requireFewValues(text: string): void {
  let values = 1
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (isInText) {
      if (character === backslash) at += 1
      else if (character === quote) isInText = false
    } else if (character === quote) isInText = true
    else if (opening.has(character)) values += 1
  }
  if (values <= mostValues) return
  throw new RecordError('DataError', `A JSON text has at most ${mostValues} values. Send fewer at once.`)
}
