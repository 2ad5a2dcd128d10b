import { RecordError } from './record-error.ts'

/**
 * What a client sent where a text belongs, such as the name of a record; a number stands for its digits.
 *
 * @throws RecordError `FrappeTypeError` for anything else, naming it.
 */
export function sentText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new RecordError('FrappeTypeError', `${name} must be a text.`)
}
