import { randomUUID } from 'node:crypto'
import { asOwner, type Connection, noTenant, sql, type Transaction } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import type { Installation } from '../storage/index.ts'

/** Where a row was made: a server, where it tells which it is, and a database of it. */
interface Location {
  readonly server: string | null
  readonly database: string
}

/**
 * Which installation a database is. The first time it becomes one. A database whose rows were copied from another one,
 * by `pg_dump` or as a template, becomes an installation of its own.
 */
export function loadInstallation(connection: Connection): Promise<Installation> {
  return asOwner(connection, noTenant, async (tx) => {
    const here = await findLocation(tx)
    const found = await readRecorded(tx)
    if (found !== null && isSameLocation(found, here)) return found
    return writeInstallation(tx, here, { id: randomUUID(), mayClaim: found === null }, found?.id ?? null)
  })
}

/**
 * Which installation a database is, without a change; null where it has not become one since it was made or copied.
 */
export function readInstallation(connection: Connection): Promise<Installation | null> {
  return asOwner(connection, noTenant, async (tx) => {
    const found = await readRecorded(tx)
    return found !== null && isSameLocation(found, await findLocation(tx)) ? found : null
  })
}

/** Notes that the rows of a database came from a backup. Without `mayClaim`, files that are there may be another's. */
export async function recordRestored(connection: Connection, mayClaim: boolean): Promise<Installation> {
  const { id } = await loadInstallation(connection)
  return asOwner(connection, noTenant, async (tx) =>
    writeInstallation(tx, await findLocation(tx), { id, mayClaim }, id),
  )
}

/** Makes the database that takes the place of another one the installation that the other was. */
export async function moveInstallation(from: Connection, to: Connection): Promise<void> {
  const before = await asOwner(from, noTenant, readRecorded)
  await asOwner(to, noTenant, async (tx) => {
    const found = await readRecorded(tx)
    const installation = before ?? { id: randomUUID(), mayClaim: true }
    await writeInstallation(tx, await findLocation(tx), installation, found?.id ?? null)
  })
}

/**
 * Makes a database another installation than it was, for a copy that nothing tells from what it was copied from.
 *
 * @throws CommandError `state_conflict` while services run on it, which know it as it was
 */
export function renewInstallation(connection: Connection, services: number): Promise<Installation> {
  if (services > 0) {
    throw new CommandError('state_conflict', `${services} services run on the database. Stop them, and try again.`)
  }
  return asOwner(connection, noTenant, async (tx) => {
    const found = await readRecorded(tx)
    return writeInstallation(tx, await findLocation(tx), { id: randomUUID(), mayClaim: false }, found?.id ?? null)
  })
}

type Recorded = Installation & Location

/** What is noted in a database; null where nothing is, or where it is older than that. */
async function readRecorded(tx: Transaction): Promise<Recorded | null> {
  const [table] = await tx.query<{ exists: boolean }>(sql`select to_regclass('installations') is not null as exists`)
  if (table?.exists !== true) return null
  const [row] = await tx.query<{ id: string; may_claim: boolean; server: string | null; database: string }>(sql`
    select id, may_claim, server_identifier as server, database_oid::text as database from installations`)
  return row === undefined ? null : { ...row, mayClaim: row.may_claim }
}

/** Of several that write at once the first one is heeded. Returns what is noted then. */
async function writeInstallation(
  tx: Transaction,
  { server, database }: Location,
  { id, mayClaim }: Installation,
  replaced: string | null,
): Promise<Installation> {
  await tx.query(sql`
    insert into installations (id, may_claim, server_identifier, database_oid)
    values (${id}, ${mayClaim}, ${server}, ${database}::bigint)
        on conflict (is_only) do update
       set id = excluded.id, may_claim = excluded.may_claim, server_identifier = excluded.server_identifier,
           database_oid = excluded.database_oid, made_at = current_stamp()
     where installations.id = ${replaced}::uuid`)
  return (await readRecorded(tx)) ?? { id, mayClaim }
}

async function findLocation(tx: Transaction): Promise<Location> {
  const [right] = await tx.query<{ granted: boolean }>(
    sql`select has_function_privilege('pg_control_system()', 'execute') as granted`,
  )
  const [row] = await tx.query<{ database: string }>(
    sql`select oid::text as database from pg_database where datname = current_database()`,
  )
  const [control] = right?.granted
    ? await tx.query<{ server: string }>(sql`select system_identifier::text as server from pg_control_system()`)
    : []
  return { server: control?.server ?? null, database: row?.database ?? '0' }
}

function isSameLocation(one: Location, other: Location): boolean {
  const isSameServer = one.server === null || other.server === null || one.server === other.server
  return isSameServer && one.database === other.database
}
