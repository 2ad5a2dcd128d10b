import { findStored, type KeyedRequest, keyError, parseIdempotencyKey } from '../../concurrency/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import type { Caller } from '../../record-engine/index.ts'
import { RecordError } from '../../record-engine/index.ts'

/**
 * The Idempotency-Key of a creation, or null: a repetition with the same key and fields returns the record created
 * first. Upstream's clients send none. Throws `ValidationError` for a malformed key.
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

/** A record that was created with a key: its name, and the response where the creator may not read it. */
export interface MadeOnce {
  readonly name: string
  readonly answered?: object
}

/** The stored form of it. */
export const storedCreation = (made: MadeOnce) => ({
  status: 200,
  body: JSON.stringify(made),
  location: null,
  entityTag: null,
})

/**
 * The record that an earlier request created with the key. Rethrows any other error; throws `RequestTimeout` while a
 * concurrent request creates it.
 */
export async function madeBefore(database: Database, keyed: KeyedRequest, error: unknown): Promise<MadeOnce> {
  const rejection = keyError(error)
  if (rejection === null) throw error
  const stored = rejection === 'kept' ? await findStored(database, keyed).catch(refused) : null
  if (stored !== null) return JSON.parse(stored.response.body)
  throw new RecordError('RequestTimeout', 'This record is being created by another request. Repeat it in a second.')
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
