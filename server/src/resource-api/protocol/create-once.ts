import { findStored, type KeyedRequest, keyError, parseIdempotencyKey } from '../../concurrency/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import type { Caller } from '../../record-engine/index.ts'
import { RecordError } from '../../record-engine/index.ts'

/**
 * The Idempotency-Key with which a record is made, or null: whoever sends it again with the same fields gets the record that was made
 * with it, and no second one. Upstream's clients send none. Throws `ValidationError` for a key that is none.
 */
export function keyedCreation(
  header: string | string[] | undefined,
  caller: Caller,
  type: string,
  fields: unknown,
): KeyedRequest | null {
  if (header === undefined || caller.actor.id === null) return null
  const request = { tenantId: caller.tenant.id, callerId: caller.actor.id, operation: 'createRecord', path: type }
  return { ...request, key: asked(() => parseIdempotencyKey(header)), body: fields }
}

/** A record that was made with a key: its name, and what was answered where whoever made it may not read it. */
export interface MadeOnce {
  readonly name: string
  readonly answered?: object
}

/** What is kept of it. */
export const storedCreation = (made: MadeOnce) => ({
  status: 200,
  body: JSON.stringify(made),
  location: null,
  entityTag: null,
})

/**
 * The record that was made with a key before, where that is why it was not made now; else throws what was thrown, and
 * `RequestTimeout` while another request makes it.
 */
export async function madeBefore(database: Database, keyed: KeyedRequest, error: unknown): Promise<MadeOnce> {
  const rejection = keyError(error)
  if (rejection === null) throw error
  const stored = rejection === 'kept' ? await findStored(database, keyed).catch(refused) : null
  if (stored !== null) return JSON.parse(stored.response.body)
  throw new RecordError('RequestTimeout', 'This record is being made by another request. Repeat it in a second.')
}

function asked<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): never {
  if (error instanceof Problem) throw new RecordError('ValidationError', error.message)
  throw error
}
