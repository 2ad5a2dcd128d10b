import type pg from 'pg'

/** What a process uses the server for. Only one service at a time may use a data folder; commands may beside it. */
export type Purpose = 'service' | 'command'

// Session-level advisory locks of the database `postgres`. They end with their connection, so that a process that was
// killed leaves none behind.
const family = 0x6d617472
const [inUse, service, creation] = [1, 2, 3]

/** How a connection that holds locks is called, so that the others can tell whose they are. */
export function applicationName(purpose: Purpose): string {
  return `matricula ${purpose} ${process.pid}`
}

/** Notes that the server is in use; false when somebody is stopping it. */
export async function markInUse(client: pg.Client): Promise<boolean> {
  return ask(client, `select pg_try_advisory_lock_shared(${family}, ${inUse}) as answer`)
}

/** Makes this the one service on the server; false when there is one. */
export async function becomeService(client: pg.Client): Promise<boolean> {
  return ask(client, `select pg_try_advisory_lock(${family}, ${service}) as answer`)
}

/** The process id of the service that uses the server, which may lie in another container; undefined when there is none. */
export async function findService(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = ${family} and objid = ${service} and granted
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return Number(rows[0]?.application_name.split(' ')[2]) || undefined
}

/**
 * Ends this connection's use of the server. True when nobody else uses it: then nobody can begin to before this
 * connection ends.
 */
export async function endUse(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_all()')
  return ask(client, `select pg_try_advisory_lock(${family}, ${inUse}) as answer`)
}

/** Creates a database unless it exists; several at once may ask. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${family}, ${creation})`)
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  const { rowCount: isQuiet } = await client.query(
    `select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = $1 and s.setrole = 0 and 'log_min_messages=log' = any (s.setconfig)`,
    [name],
  )
  // Errors of statements are answers to whoever sent them, and may quote personal data: they stay out of the log.
  if (isQuiet === 0) await client.query(`alter database ${client.escapeIdentifier(name)} set log_min_messages = 'log'`)
  await client.query(`select pg_advisory_unlock(${family}, ${creation})`)
}

async function ask(client: pg.Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(question)
  return rows[0]?.answer === true
}
