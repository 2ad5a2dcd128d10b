import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CommandError } from '../errors/index.ts'
import type { EncryptedFileStore, NamedFile, NamedFiles } from '../storage/index.ts'
import { FileUnreadable } from '../storage/index.ts'
import {
  type BackedUpTenant,
  type BackupHeader,
  type BackupTrailer,
  type Frame,
  frameTypes,
  jsonFrame,
  type KnownMigration,
  type SectionEnd,
  type SectionHead,
} from './backup-format.ts'
import { copyOut, readCopiedTables, textForm } from './copied-tables.ts'
import { getBytes, sectionFrames } from './write-frames.ts'

/** What a backup is made of. */
export interface BackupSource {
  /** As the owner of the tables, with a session of its own. */
  readonly client: pg.Client
  /** Where files are; null: they stay out of it. */
  readonly store: EncryptedFileStore | null
  readonly named: readonly NamedFiles[]
  /** Null: all of them. */
  readonly tenant: BackedUpTenant | null
  readonly madeBy: string
  /** The id of the installation, or null where the database has not become one. */
  readonly installation: string | null
  readonly secretKeyId: string
  readonly secretKey: string | null
  /** Called with progress, in rows and files. */
  readonly onProgress?: (progress: BackupProgress) => void
}

export interface BackupProgress {
  readonly rows: number
  readonly files: number
}

/** A backup being written: its bytes, and its summary once all were read. */
export interface RunningBackup {
  readonly bytes: AsyncGenerator<Buffer>
  readonly made: () => { readonly header: BackupHeader; readonly trailer: BackupTrailer }
}

const maxMissingNamed = 1000

/** How long it waits for a job that removes files, in milliseconds. */
const jobsTimeoutMs = 15 * 60_000

/**
 * Writes a backup with backpressure: the rows of all tables in one snapshot, then the files that these rows refer to.
 * Holds one chunk at a time, and the key of each file. Writers are not blocked; jobs that delete files wait until it
 * is done.
 */
export function makeBackup(source: BackupSource): RunningBackup {
  let header: BackupHeader | undefined
  const trailer = { tables: 0, rows: 0, files: 0, fileBytes: 0, missingFiles: { count: 0, keys: [] as string[] } }
  async function* frames(): AsyncGenerator<Frame> {
    const { client, store, named } = source
    if (store !== null) await holdRemovals(client, named)
    const files: NamedFile[] = []
    await client.query('begin transaction isolation level repeatable read read only')
    // Rows that this user may not see would be left out in silence.
    await client.query(`${textForm}; set local row_security = off`)
    header = await readHeader(source)
    yield jsonFrame(frameTypes.header, header)
    for (const table of await readCopiedTables(client, source.tenant !== null)) {
      const rows = client.query(copyTo(copyOut(table, source.tenant?.id ?? null)))
      const end = yield* sectionFrames({ kind: 'table', ...table }, rows as AsyncIterable<Buffer>)
      trailer.tables += 1
      trailer.rows += end.rows ?? 0
      source.onProgress?.(trailer)
    }
    if (store !== null) for (const each of named) files.push(...(await readNamed(source, each)))
    await client.query('commit')
    if (store !== null) for (const file of files) yield* fileFrames(store, file)
    yield jsonFrame(frameTypes.trailer, trailer)
    await client.query('select pg_advisory_unlock_all()')
  }
  async function* fileFrames(store: EncryptedFileStore, file: NamedFile): AsyncGenerator<Frame> {
    const { key, state, isNeeded } = file
    const bytes = await openNamed(store, file)
    if (bytes === null) {
      if (!isNeeded) return
      trailer.missingFiles.count += 1
      if (trailer.missingFiles.keys.length < maxMissingNamed) trailer.missingFiles.keys.push(key)
      return
    }
    const head: SectionHead = { kind: 'file', state, key }
    const end: SectionEnd = yield* sectionFrames(head, bytes as AsyncIterable<Buffer>)
    trailer.files += 1
    trailer.fileBytes += end.bytes
    source.onProgress?.(trailer)
  }
  return { bytes: getBytes(frames()), made: () => ({ header: header as BackupHeader, trailer }) }
}

/**
 * The bytes of a file; null where it is not there or cannot be read, so that one file does not keep all others out of
 * the backup.
 */
async function openNamed(store: EncryptedFileStore, { key, state }: NamedFile): Promise<Readable | null> {
  try {
    // What was an upload in the snapshot may be complete by now.
    return (await store.openWhole(state, key)) ?? (state === 'upload' ? await store.openWhole('frozen', key) : null)
  } catch (error) {
    if (error instanceof FileUnreadable) return null
    throw error
  }
}

/**
 * Advisory lock: keeps jobs that delete files from running; waits for a running one. Throws `CommandError` after 15
 * minutes.
 */
export async function holdRemovals(client: pg.Client, named: readonly NamedFiles[]): Promise<void> {
  const deadline = Date.now() + jobsTimeoutMs
  for (const { removedBy } of named) {
    for (;;) {
      // Asked again and again: a statement that waits would hold up the building of an index.
      const { rows } = await client.query<{ held: boolean }>(
        `select pg_try_advisory_lock_shared(hashtextextended('matricula.job.' || $1, 0)) as held`,
        [removedBy],
      )
      if (rows[0]?.held === true) break
      if (Date.now() > deadline) {
        throw new CommandError(
          'state_conflict',
          `The job ${removedBy} has been removing files for too long. Try again later.`,
        )
      }
      await pause(200)
    }
  }
}

async function readHeader({ client, store, tenant, ...said }: BackupSource): Promise<BackupHeader> {
  const { rows: facts } = await client.query<{ at: string; version: string; tenants: number }>(
    `select stamp_text(now()) as at, current_setting('server_version') as version, count(*)::integer as tenants from tenants`,
  )
  const { rows: migrations } = await client.query<KnownMigration>(
    'select name, checksum from schema_migrations order by name',
  )
  const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  )
  const [{ at = '', version = '', tenants = 0 } = {}] = facts
  return {
    createdAt: at,
    madeBy: said.madeBy,
    installation: said.installation,
    serverVersion: version,
    tenant,
    tenants: tenant === null ? tenants : 1,
    migrations,
    secretKeyId: said.secretKeyId,
    secretKey: said.secretKey,
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
    hasFiles: store !== null,
  }
}

const fetchedAtOnce = 10_000

async function readNamed({ client, tenant }: BackupSource, named: NamedFiles): Promise<NamedFile[]> {
  const { text, values } = named.statement(tenant?.id ?? null)
  await client.query(`declare named_files no scroll cursor for ${text}`, values)
  const files: NamedFile[] = []
  for (;;) {
    const { rows } = await client.query<NamedFile>(`fetch ${fetchedAtOnce} from named_files`)
    for (const row of rows) files.push(row)
    if (rows.length < fetchedAtOnce) break
  }
  await client.query('close named_files')
  return files
}
