import { RecordError } from './record-error.ts'

/** The most items of the lists that a method goes through, all that it is sent together. */
const maxItems = 1000

/**
 * Refuses lists that a method goes through with more items than it takes in one call.
 *
 * @param what the arguments that they came in, as the beginning of a sentence
 * @param most 1000 where nothing is said
 * @throws RecordError `DataError`, naming the bound.
 */
export function requireFewItems(what: string, items: number, max = maxItems): void {
  if (items <= max) return
  throw new RecordError(
    'DataError',
    `${what} may have at most ${max} items, not ${items}. Send the others in a further call.`,
  )
}
