import { RecordError } from './record-error.ts'

/**
 * A text argument that a client sent, such as the name of a record; a number becomes its digits.
 *
 * @throws RecordError `FrappeTypeError` for anything else, with the argument's name.
 */
export function sentText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new RecordError('FrappeTypeError', `${name} must be a text.`)
}
