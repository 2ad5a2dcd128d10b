import { randomUUID } from 'node:crypto'
import type { BackupOwner } from '../backup/index.ts'
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
    const made = { id: randomUUID(), mayClaim: found === null, ...originalLineage, copiedFrom: found?.id ?? null }
    return writeInstallation(tx, here, made, found?.id ?? null)
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

/**
 * Notes that the rows of a database came from a backup.
 *
 * @param mayClaim Without it, files that are there may be another's
 * @param copiedFrom The installation that made the backup, where it is known
 */
export async function recordRestored(
  connection: Connection,
  { mayClaim, copiedFrom }: { readonly mayClaim: boolean; readonly copiedFrom: string | null },
): Promise<Installation> {
  const { id } = await loadInstallation(connection)
  return asOwner(connection, noTenant, async (tx) =>
    writeInstallation(tx, await findLocation(tx), { id, mayClaim, ...originalLineage, copiedFrom }, id),
  )
}

/** Whose scheduled backups the installation of a database may remove. The first time it becomes one. */
export async function loadBackupOwner(connection: Connection): Promise<BackupOwner> {
  const { id } = await loadInstallation(connection)
  return (await readBackupOwner(connection)) ?? { id, replaced: [], replacesUnnamed: false }
}

/** The same without a change; null where the database has not become an installation since it was made or copied. */
export function readBackupOwner(connection: Connection): Promise<BackupOwner | null> {
  return asOwner(connection, noTenant, async (tx) => {
    const found = await readRecorded(tx)
    return found !== null && isSameLocation(found, await findLocation(tx)) ? found : null
  })
}

/**
 * Notes that an installation took the place of the one from which its rows came, and of the former owner of its files:
 * their scheduled backups are its own from then on, and so are those that name no installation.
 */
export async function adoptBackups(connection: Connection, formerOwner: string | null): Promise<BackupOwner> {
  const { id } = await loadInstallation(connection)
  return asOwner(connection, noTenant, async (tx) => {
    const recorded = await readRecorded(tx)
    const former = [...(recorded?.replaced ?? []), recorded?.copiedFrom ?? id, formerOwner ?? id]
    const replaced = [...new Set(former)].filter((each) => each !== id)
    await tx.query(sql`
      update installations set replaced = ${replaced}::uuid[], replaces_unnamed = true where id = ${id}`)
    return { id, replaced, replacesUnnamed: true }
  })
}

/** Makes the database that takes the place of another one the installation that the other was. */
export async function moveInstallation(from: Connection, to: Connection): Promise<void> {
  const before = await asOwner(from, noTenant, readRecorded)
  await asOwner(to, noTenant, async (tx) => {
    const found = await readRecorded(tx)
    const installation = before ?? { id: randomUUID(), mayClaim: true, ...originalLineage }
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
    const made = { id: randomUUID(), mayClaim: false, ...originalLineage, copiedFrom: found?.id ?? null }
    return writeInstallation(tx, await findLocation(tx), made, found?.id ?? null)
  })
}

/** From which installation the rows came, and whose place it took. */
interface Lineage extends Omit<BackupOwner, 'id'> {
  readonly copiedFrom: string | null
}

const originalLineage: Lineage = { copiedFrom: null, replaced: [], replacesUnnamed: false }

type Recorded = Installation & Location & Lineage

interface StoredInstallation {
  readonly id: string
  readonly may_claim: boolean
  readonly server_identifier: string | null
  readonly database_oid: number
  readonly copied_from?: string | null
  readonly replaced?: readonly string[]
  readonly replaces_unnamed?: boolean
}

/** What is noted in a database; null where nothing is, or where it is older than that. */
async function readRecorded(tx: Transaction): Promise<Recorded | null> {
  const [table] = await tx.query<{ exists: boolean }>(sql`select to_regclass('installations') is not null as exists`)
  if (table?.exists !== true) return null
  // As JSON, because a database that is about to be migrated has not got every column yet.
  const [found] = await tx.query<{ row: StoredInstallation }>(sql`select to_jsonb(i) as row from installations i`)
  if (found === undefined) return null
  const { row } = found
  return {
    id: row.id,
    mayClaim: row.may_claim,
    server: row.server_identifier,
    database: String(row.database_oid),
    copiedFrom: row.copied_from ?? null,
    replaced: row.replaced ?? [],
    replacesUnnamed: row.replaces_unnamed ?? false,
  }
}

/** Of several that write at once the first one is heeded. Returns what is noted then. */
async function writeInstallation(
  tx: Transaction,
  { server, database }: Location,
  { id, mayClaim, copiedFrom, replaced, replacesUnnamed }: Installation & Lineage,
  instead: string | null,
): Promise<Installation> {
  await tx.query(sql`
    insert into installations (id, may_claim, copied_from, replaced, replaces_unnamed, server_identifier, database_oid)
    values (${id}, ${mayClaim}, ${copiedFrom}, ${[...replaced]}::uuid[], ${replacesUnnamed}, ${server}, ${database}::bigint)
        on conflict (is_only) do update
       set id = excluded.id, may_claim = excluded.may_claim, copied_from = excluded.copied_from, replaced = excluded.replaced,
           replaces_unnamed = excluded.replaces_unnamed, server_identifier = excluded.server_identifier,
           database_oid = excluded.database_oid, made_at = current_stamp()
     where installations.id = ${instead}::uuid`)
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
