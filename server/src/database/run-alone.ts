import pg from 'pg'
import { prepared } from './bounded-query.ts'
import type { Loan } from './connections.ts'
import { isAfterFailure } from './errors.ts'
import { queryOn } from './flight.ts'
import { type Sql, sql } from './statement.ts'

/** The tenant for which a connection speaks outside of transactions. */
const tenants = new WeakMap<pg.ClientBase, string>()

/** Runs one statement of a tenant by itself, in one round trip. Throws `AnswerTooLarge`. */
export async function runAlone<Row extends object>(
  loan: Loan,
  tenantId: string,
  statement: Sql,
  mostBytes: number,
): Promise<Row[]> {
  loan.requireWanted()
  const { client } = loan
  const isSet = tenants.get(client) === tenantId
  // Sent in the same tick. A transaction sets its own for itself, and this one is there again when it ends.
  const set = isSet
    ? null
    : queryOn(client, prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, false)`))
  const answer = queryOn<Row>(client, prepared(statement), mostBytes)
  set?.catch(() => {}) // told below
  try {
    const { rows } = await answer
    tenants.set(client, tenantId)
    return rows
  } catch (error) {
    // What is sent together is done or undone together: the connection may speak for whom it spoke before.
    tenants.delete(client)
    // Any error but a refused statement is one of the connection.
    if (!(error instanceof pg.DatabaseError)) loan.breakOff()
    else if (isAfterFailure(error)) await set
    throw error
  }
}
