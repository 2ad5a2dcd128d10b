import type { Command } from 'commander'
import pg from 'pg'
import { loadInstallation } from '../../app/installation.ts'
import { forgetFilesKeys, recordedFilesKeys } from '../../app/keys/files-key-registry.ts'
import { stopRequest } from '../../app/shutdown.ts'
import { holdRemovals } from '../../backup/index.ts'
import { clientOptions, countWithoutFilesKey, noTenant } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import type { EncryptedFileStore, NamedFile } from '../../storage/index.ts'
import {
  claimFiles,
  countOthers,
  countStoredUnder,
  describeOwnership,
  FileStoreUnavailable,
  parseFilesKeys,
} from '../../storage/index.ts'
import { type Operator, openFiles, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { namedFiles } from './backup.ts'

interface Report {
  /** The id of the key under which files are now. */
  readonly keyId: string
  encrypted: number
  /** They were under it before. */
  asTheyWere: number
  /** They cannot be read, and stay as they are. */
  readonly unreadable: string[]
  /** They wait to be completed, and are under another key or none. */
  uploads: number
  /** The ids of the keys that FILES_KEY needs no longer. */
  forgotten: readonly string[]
}

/** `matricula encrypt-files`: brings every stored file under the newest key. */
export function addEncryptFilesCommand(command: Command): void {
  command
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nGive FILES_KEY, with the new key first, to every service and restart it before.')
    .action(async ({ json }: { json?: boolean }) => {
      const report = await withOperator(async (operator) => {
        const [newest] = parseFilesKeys(operator.config.filesKey)
        if (newest === undefined) {
          throw new CommandError(
            'invalid_configuration',
            'FILES_KEY is not set: a key is the output of openssl rand -base64 32',
          )
        }
        const store = await openFiles(operator)
        const progress = new ProgressLine('Encrypting', json === true)
        try {
          const obstacle = describeOwnership(await claimFiles(store, await loadInstallation(operator.connection)))
          if (obstacle !== null) throw new CommandError('state_conflict', obstacle)
          return await encryptAll(operator, store, newest.id, ({ encrypted, asTheyWere }) =>
            progress.tell(`${encrypted} files, ${asTheyWere} were encrypted before`),
          )
        } finally {
          progress.end()
          await store.close()
        }
      })
      if (report.unreadable.length > 0) process.exitCode = 1
      print(json, { files: report }, describe(report))
    })
}

function describe({ keyId, encrypted, asTheyWere, unreadable, uploads, forgotten }: Report): string {
  return [
    `${encrypted} files were encrypted under the key ${keyId}; ${asTheyWere} were before.`,
    ...unreadable.map((key) => `${key} cannot be read and was not changed. Restore it from a backup.`),
    ...(uploads === 0
      ? []
      : [`${uploads} uploads are not completed yet: keep the other keys, and run this again in 8 days.`]),
    ...forgotten.map(
      (id) => `FILES_KEY no longer needs the key ${id}, except for files restored from copies of the storage.`,
    ),
  ].join('\n')
}

const batchSize = 64
const atOnce = 4

/** The keys of frozen files, in batches of one tenant each. */
async function* batches(store: EncryptedFileStore): AsyncGenerator<string[]> {
  const batch: string[] = []
  for await (const key of store.list('frozen')) {
    if (batch.length > 0 && (batch.length === batchSize || getTenant(key) !== getTenant(batch[0] as string))) {
      yield batch.splice(0)
    }
    batch.push(key)
  }
  if (batch.length > 0) yield batch
}

const getTenant = (key: string) => key.split('/')[0] as string
const getId = (key: string) => key.split('/')[1] as string

type Owner = Pick<Operator, 'connection' | 'asOwner'>

/** Brings every frozen file under the first key of a store, and forgets the others once nothing can be under them. */
export async function encryptAll(
  operator: Owner,
  store: EncryptedFileStore,
  keyId: string,
  onProgress: (reported: Report) => void = () => {},
): Promise<Report> {
  const reported: Report = { keyId, encrypted: 0, asTheyWere: 0, unreadable: [], uploads: 0, forgotten: [] }
  const client = new pg.Client(clientOptions(operator.connection, 'owner', 'matricula encrypt-files'))
  client.on('error', () => {}) // the statement that is under way fails with it
  const requireKeyEverywhere = async () => {
    const without = await countWithoutFilesKey(client, keyId)
    if (without === 0) return
    throw new CommandError(
      'state_conflict',
      `${without} of the running services do not have the key ${keyId} and could not read the files. Give FILES_KEY to every service, restart it, and run this again.`,
    )
  }
  try {
    await client.connect()
    await requireKeyEverywhere()
    // Before the walk: an upload that is completed meanwhile is counted as what it was, or walked over.
    const { counts } = await countStoredUnder(store, 'upload')
    reported.uploads = countOthers(counts, keyId)
    for await (const keys of batches(store)) {
      if (stopRequest.aborted) return reported
      await holdRemovals(client, namedFiles)
      await encryptBatch(operator, store, keys, reported)
      await client.query('select pg_advisory_unlock_all()')
      onProgress(reported)
    }
  } finally {
    await client.end()
  }
  if (stopRequest.aborted || reported.uploads + reported.unreadable.length > 0) return reported
  const others = (await recordedFilesKeys(operator.connection)).filter((id) => id !== keyId)
  await forgetFilesKeys(operator.connection, others)
  return { ...reported, forgotten: others }
}

/**
 * Encrypts some files of one tenant, and removes again those that somebody removed at that very moment. Jobs that
 * remove what no record named before must not run meanwhile.
 */
async function encryptBatch(
  operator: Owner,
  store: EncryptedFileStore,
  keys: string[],
  reported: Report,
): Promise<void> {
  const before = await loadNamed(operator, keys)
  const encrypted: string[] = []
  for (let next = 0; next < keys.length && !stopRequest.aborted; next += atOnce) {
    await Promise.all(
      keys.slice(next, next + atOnce).map(async (key) => {
        const outcome = await store.encryptAnew(key).catch((error: unknown) => {
          if (error instanceof FileStoreUnavailable) return 'unreadable' as const
          throw error
        })
        if (outcome === 'encrypted') encrypted.push(key)
        if (outcome === 'as_it_was') reported.asTheyWere += 1
        if (outcome === 'unreadable') reported.unreadable.push(key)
      }),
    )
  }
  reported.encrypted += encrypted.length
  if (encrypted.length === 0) return
  // Records let go of a file before it is removed.
  const after = await loadNamed(operator, encrypted)
  for (const key of encrypted) if (before.has(key) && !after.has(key)) await store.remove('frozen', key)
}

/** Those of some files of one tenant that its records name. */
async function loadNamed({ asOwner }: Owner, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const tenantId = getTenant(keys[0] as string)
  const ids = keys.map(getId)
  const found = await asOwner(noTenant, async (tx) => {
    const rows: NamedFile[] = []
    for (const named of namedFiles) rows.push(...(await tx.query<NamedFile>(named.statement(tenantId, ids))))
    return rows
  })
  return new Set(found.map(({ key }) => key))
}
