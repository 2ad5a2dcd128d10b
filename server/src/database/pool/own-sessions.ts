import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, clientOptions, serviceRole } from './connection.ts'

/** The address of the database leads to something that does not give each client a session of its own. */
export class PooledSessions extends Error {
  constructor(reason: string) {
    super(
      `DATABASE_URL leads to a connection pooler (${reason}). Matricula pools its connections itself and needs sessions of its own, ` +
        'with their role, settings, prepared statements and locks. Point DATABASE_URL at PostgreSQL itself.',
    )
  }
}

/** How long a session may wait for another one before it is told that they are one, in milliseconds. */
const timeout = 2_000

/**
 * Makes sure that two clients have two sessions, each of which stays its own between transactions. A pooler such as PgBouncer gives a
 * session away at the end of each transaction, so that one tenant's setting, a lock or a prepared statement would be another
 * client's.
 *
 * @throws PooledSessions where they do not
 */
export async function requireOwnSessions(connection: Connection): Promise<void> {
  const [one, other] = [aClient(connection, 'owner'), aClient(connection, 'owner')]
  const isKnown = new AbortController()
  try {
    await one.connect()
    await other.connect()
    const set = await one.query(`select pg_backend_pid() as pid, set_config('matricula.session', 'own', false)`)
    await other.query('begin')
    const held = await other.query('select pg_backend_pid() as pid')
    const asked = one.query(`select pg_backend_pid() as pid, current_setting('matricula.session', true) as session`)
    // Where there is one session for both, it is free only after the other's transaction.
    await Promise.race([asked, pause(timeout, undefined, { signal: isKnown.signal }).catch(() => {})])
    await other.query('rollback')
    const [before, after] = [set.rows[0], (await asked).rows[0]]
    if (before.pid !== after.pid || after.session !== 'own' || held.rows[0].pid === after.pid) {
      throw new PooledSessions('sessions change between transactions')
    }
  } catch (error) {
    throw asPooled(error)
  } finally {
    isKnown.abort()
    await Promise.all([one.end(), other.end()].map((ended) => ended.catch(() => {})))
  }
}

/**
 * Makes sure that the service's sessions begin under its role, whom row-level security binds.
 *
 * @throws PooledSessions where what a session should begin with is left out
 */
export async function requireServiceRole(connection: Connection): Promise<void> {
  const client = aClient(connection, 'service')
  try {
    await client.connect()
    const { rows } = await client.query('select current_user as role')
    if (rows[0].role !== serviceRole) throw new PooledSessions('it leaves out the settings that a session begins with')
  } finally {
    await client.end().catch(() => {})
  }
}

function aClient(connection: Connection, as: 'owner' | 'service'): pg.Client {
  const client = new pg.Client(clientOptions(connection, as, 'matricula start'))
  client.on('error', () => {}) // the statement that is under way fails with it
  return client
}

/** What PgBouncer says to sessions that begin with settings, and to transactions where it shares out single statements. */
const poolerHint = /unsupported startup parameter|statement pooling/

function asPooled(error: unknown): unknown {
  const { message } = error as Error
  return error instanceof pg.DatabaseError && poolerHint.test(message) ? new PooledSessions(message) : error
}
