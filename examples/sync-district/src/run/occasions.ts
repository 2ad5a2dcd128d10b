import { createHash } from 'node:crypto'

/**
 * The Idempotency-Key of a creation. It follows from what is created and from the occasion, so a run that was killed and started
 * again uses the same key and gets the answer of the first. The occasion names the state that the creation starts from: what was created,
 * removed and is to be created again is another occasion.
 */
export function getKey(...facts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}
