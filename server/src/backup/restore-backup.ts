import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, clientOptions, migrate, presentServices, readMigrations } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import type { FileStore } from '../storage/index.ts'
import type { BackupHeader, BackupTrailer } from './backup-format.ts'
import { loadFiles } from './load-files.ts'
import { loadRows } from './load-rows.ts'

export interface RestoreTarget {
  readonly connection: Connection
  readonly isEmbedded: boolean
  /** Where files go; null: they are left where they are. */
  readonly store: FileStore | null
}

export interface RestoreOptions {
  readonly slug: string | null
  readonly onProgress: (progress: { readonly rows?: number; readonly files?: number }) => void
}

/** A backup that was read once from its beginning to its end and found whole. */
export interface VerifiedBackup {
  readonly header: BackupHeader
  readonly trailer: BackupTrailer
  /** Its bytes, as often as they are wanted. */
  readonly again: () => AsyncIterable<Uint8Array>
}

/**
 * Restores a backup into an empty database, or one institution beside others that are in use. Files come first and
 * rows in one transaction, so that what is interrupted leaves nothing that shows and can be done again. The database
 * then has the schema of the backup; whoever calls brings it up to date, and calls `putInOrder`. Tells whether the
 * database was empty.
 * @throws Refusal where the place is not one for it; nothing was written then
 */
export async function restoreBackup(
  { header, again }: VerifiedBackup,
  { connection, isEmbedded, store }: RestoreTarget,
  { slug, onProgress }: RestoreOptions,
): Promise<{ readonly wasEmpty: boolean }> {
  await requireKnownSchema(header)
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula restore'))
  client.on('error', () => {}) // the statement that is under way fails with it
  await client.connect()
  try {
    await requireNoCluster(client, 'Restore into a PostgreSQL, and distribute that: see the guide to Citus.')
    const isAlone = await requireRoom(client, header, slug)
    if (isAlone) await makeSchema(client, connection, isEmbedded, header)
    if (store !== null) await loadFiles(again(), store, (files) => onProgress({ files }))
    await takeTurn(client)
    if ((await requireRoom(client, header, slug)) !== isAlone) throw new CommandError('state_conflict', othersCame)
    await loadRows(client, again(), { header, isAlone, slug, onRows: (rows) => onProgress({ rows }) })
    return { wasEmpty: isAlone }
  } finally {
    await client.end()
  }
}

const othersCame = 'Others have begun to use the database meanwhile. Nothing was restored; stop them, and begin again.'

async function requireKnownSchema({ migrations }: BackupHeader): Promise<void> {
  const here = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  const strange = migrations.find(({ name, checksum }) => here.get(name) !== checksum)
  if (strange === undefined) return
  throw new CommandError(
    'migration_refused',
    here.has(strange.name)
      ? `The backup was made where the migration ${strange.name} was another one. Restore it with the version that made it.`
      : `The backup has the migration ${strange.name}, which this version does not know. Restore it with a newer version.`,
  )
}

/**
 * What keeps the data of a cluster: PostgreSQL manual, "Continuous Archiving", and Citus manual, "Point-In-Time
 * Recovery".
 */
export const backupsOfClusters =
  "Archive the WAL of each node and keep base backups of it (pg_basebackup). Name a moment with select citus_create_restore_point('…') at " +
  'the coordinator; to go back to it, restore every node with that name as recovery_target_name.'

/**
 * Backups go through one PostgreSQL: the snapshots of the nodes of a cluster are not one. Throws `CommandError`,
 * which says what to do instead.
 */
export async function requireNoCluster(client: pg.Client, instead: string): Promise<void> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return
  throw new CommandError(
    'state_conflict',
    `The database is a Citus cluster, whose nodes have no snapshot in common: this command cannot work on it. ${instead}`,
  )
}

/** Whether the backup has the database to itself. Throws `CommandError` where there is no room for it. */
async function requireRoom(client: pg.Client, header: BackupHeader, slug: string | null): Promise<boolean> {
  const { rows: tables } = await client.query(`select to_regclass('public.tenants') is not null as exists`)
  const { rows: tenants } = tables[0].exists
    ? await client.query<{ id: string; slug: string; host: string | null }>('select id, slug, host from tenants')
    : { rows: [] }
  const { services, isUntold } = await presentServices(client)
  if (tenants.length === 0 && services.length === 0 && !isUntold) return true
  const { tenant } = header
  if (tenant === null) {
    throw new CommandError(
      'state_conflict',
      tenants.length > 0
        ? `The database is not empty: it has ${tenants.length} institutions. Restore into another one (DATA_DIR or DATABASE_URL).`
        : 'A service runs on the database. Stop it, restore, and start it again.',
    )
  }
  if (tenants.some(({ id }) => id === tenant.id)) {
    throw new CommandError(
      'already_exists',
      `The institution of the backup is there already (${tenant.slug}). Delete it first with matricula tenant delete, or restore into another database.`,
    )
  }
  if (tenants.some((other) => other.slug === (slug ?? tenant.slug))) {
    throw new CommandError(
      'already_exists',
      `There is another institution ${slug ?? tenant.slug}. Choose a name with --as.`,
    )
  }
  const { rows: known } = await client.query<{ name: string }>('select name from schema_migrations')
  const names = new Set(known.map(({ name }) => name))
  if (names.size === header.migrations.length && header.migrations.every(({ name }) => names.has(name))) return false
  throw new CommandError(
    'migration_refused',
    'The backup is of another version than the database. Restore it into an empty database with this version, back the institution up from there, and restore that.',
  )
}

/** Makes an empty database have the schema of the backup. */
async function makeSchema(
  client: pg.Client,
  connection: Connection,
  isEmbedded: boolean,
  { migrations }: BackupHeader,
): Promise<void> {
  const { rows: tables } = await client.query(`select to_regclass('public.schema_migrations') is not null as exists`)
  const names = migrations.map(({ name }) => name)
  if (tables[0].exists) {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    if (rows.every(({ name }) => names.includes(name))) {
      if (rows.length < names.length) await migrate(connection, { only: names })
      return
    }
    if (!isEmbedded) {
      throw new CommandError(
        'migration_refused',
        'The database is of a later version than the backup, though it has no institution. Make a new database, and name it in DATABASE_URL.',
      )
    }
    await client.query('begin; drop schema public cascade; create schema public; commit')
  }
  await migrate(connection, { only: names })
}

/** Advisory lock: keeps services from migrating, and so from starting, until this session ends. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (let asked = 0; asked < 600; asked += 1) {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(hashtextextended('matricula.migrate', 0)) as taken`,
    )
    if (rows[0].taken) return
    await pause(100)
  }
  throw new CommandError(
    'state_conflict',
    'Another process migrates or restores the database. Wait for it, and begin again.',
  )
}

/** Lets what is per server begin anew behind a restore: the order of events, and what the planner knows of the rows. */
export async function putInOrder(connection: Connection, tenantId: string | null): Promise<void> {
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula restore'))
  await client.connect()
  try {
    const { rows: tenants } = await client.query<{ id: string }>(
      'select id from tenants where $1::uuid is null or id = $1 order by id',
      [tenantId],
    )
    for (const { id } of tenants) {
      for (let last = -1n; ; ) {
        const { rows } = await client.query<{ position: string }>('select order_events($1)::text as position', [id])
        const position = BigInt(rows[0]?.position ?? 0)
        if (position === last) break
        last = position
      }
    }
    await client.query(tenantId === null ? 'vacuum (analyze)' : 'analyze')
  } finally {
    await client.end()
  }
}
