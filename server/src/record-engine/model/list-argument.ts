import { RecordError } from './record-error.ts'

/** The maximum items of all lists of one call. */
const maxItems = 1000

/**
 * Rejects a call whose lists have too many items.
 *
 * @param what the names of the arguments, as the beginning of a sentence
 * @param max 1000 by default
 * @throws RecordError `DataError`, naming the bound.
 */
export function requireFewItems(what: string, items: number, max = maxItems): void {
  if (items <= max) return
  throw new RecordError(
    'DataError',
    `${what} may have at most ${max} items, not ${items}. Send the others in a further call.`,
  )
}
