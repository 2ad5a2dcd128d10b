import pg from 'pg'
import { isAfterFailure } from '../database-errors.ts'
import { queryOn } from '../pipeline/pipeline-batch.ts'
import type { Loan } from '../pool/lease.ts'
import type { Statement } from '../sql/statement.ts'
import { isSameVoice, preparedFor, telling, type Voice } from './session-context.ts'

/** For whom a connection speaks outside of transactions. */
const voices = new WeakMap<pg.ClientBase, Voice>()

/** Runs one statement of a tenant by itself, in one round trip. Throws `AnswerTooLarge`. */
export async function runAlone<Row extends object>(
  loan: Loan,
  tenantId: string,
  statement: Statement,
  mostBytes: number,
): Promise<Row[]> {
  loan.requireWanted()
  const { client, shards } = loan
  const voice: Voice = { tenantId, shards }
  const isSet = isSameVoice(voices.get(client), voice)
  // Sent in the same tick. A transaction sets its own for itself, and this one is there again when it ends.
  const set = isSet ? null : queryOn(client, preparedFor(voice, telling(voice, 'told anew')))
  const answer = queryOn<Row>(client, preparedFor(voice, statement), mostBytes)
  set?.catch(() => {}) // told below
  try {
    const { rows } = await answer
    voices.set(client, voice)
    return rows
  } catch (error) {
    // What is sent together is done or undone together: the connection may speak for whom it spoke before.
    voices.delete(client)
    // Any error but a refused statement is one of the connection.
    if (!(error instanceof pg.DatabaseError)) loan.breakOff()
    else if (isAfterFailure(error)) await set
    throw error
  }
}
