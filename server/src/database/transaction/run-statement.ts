import pg from 'pg'
import { isAfterFailure } from '../database-errors.ts'
import { queryOn } from '../pipeline/pipeline-batch.ts'
import type { Lease } from '../pool/lease.ts'
import type { Statement } from '../sql/statement.ts'
import { isSameSession, preparedFor, type SessionContext, setSession } from './session-context.ts'

/** For whom a connection speaks outside of transactions. */
const sessions = new WeakMap<pg.ClientBase, SessionContext>()

/** Runs one statement of a tenant by itself, in one round trip. Throws `ResultTooLarge`. */
export async function runAlone<Row extends object>(
  lease: Lease,
  tenantId: string,
  statement: Statement,
  maxBytes: number,
): Promise<Row[]> {
  lease.requireWanted()
  const { client, shards } = lease
  const session: SessionContext = { tenantId, shards }
  const isSet = isSameSession(sessions.get(client), session)
  // Sent in the same tick. A transaction sets its own for itself, and this one is there again when it ends.
  const set = isSet ? null : queryOn(client, preparedFor(session, setSession(session, 'told anew')))
  const response = queryOn<Row>(client, preparedFor(session, statement), maxBytes)
  set?.catch(() => {}) // told below
  try {
    const { rows } = await response
    sessions.set(client, session)
    return rows
  } catch (error) {
    // What is sent together is done or undone together: the connection may speak for whom it spoke before.
    sessions.delete(client)
    // Any error but a refused statement is one of the connection.
    if (!(error instanceof pg.DatabaseError)) lease.breakOff()
    else if (isAfterFailure(error)) await set
    throw error
  }
}
