import { mkdir } from 'node:fs/promises'
import type { Command } from 'commander'
import pg from 'pg'
import { readInstallation } from '../../app/installation.ts'
import { withSecretKey } from '../../app/keys/keyed-config.ts'
import { putDownBeforeEnd, untilStopped } from '../../app/shutdown.ts'
import {
  backupsOfClusters,
  makeBackup,
  openBackupAddress,
  type RunningBackup,
  recordBackup,
  requireNoCluster,
  spooled,
  type VerifiedBackup,
  verifyBackup,
} from '../../backup/index.ts'
import { clientOptions, DatabaseUnavailable } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { filesOfDocuments } from '../../features/documents/index.ts'
import { filesWithAddresses } from '../../features/files/index.ts'
import { SecretSeal } from '../../identity/index.ts'
import type { NamedFiles } from '../../storage/index.ts'
import { openFileStore } from '../../storage/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { programVersion } from '../../values/index.ts'
import { type Operator, warnOnly, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'

interface BackupOptions {
  readonly tenant?: string
  readonly withSecretKey?: boolean
  readonly json?: boolean
}

/** What a backup turned out to be. */
export interface BackupReport {
  readonly file: string
  readonly bytes: number
  readonly createdAt: string
  readonly tenant: string | null
  readonly tenants: number
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly fileBytes: number
  readonly missingFiles: number
  readonly withSecretKey: boolean
}

/** `matricula backup …`: everything in one file, and whether such a file is whole. */
export function addBackupCommand(backup: Command): void {
  backup
    .enablePositionalOptions()
    .argument('<file>', 'a path, s3://bucket/name?endpoint=…, or - for standard output')
    .option('--tenant <slug>', 'only this institution')
    .option('--with-secret-key', 'include SECRET_KEY: anybody with the file can then read every secret in it')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: BackupOptions) => {
      if (file === '-' && options.json) {
        throw new CommandError('wrong_usage', 'Standard output can take the backup or the JSON, not both. Name a file.')
      }
      const report = await withOperator(async (operator) => {
        const tenant = options.tenant === undefined ? null : await operator.requireTenant(options.tenant)
        return backUp(operator, file, {
          tenant,
          withKey: options.withSecretKey === true,
          isQuiet: options.json === true,
        })
      })
      if (file === '-') process.stderr.write(`${describe(report)}\n`)
      else print(options.json, { backup: report }, describe(report))
    })

  backup
    .command('verify')
    .description('Verifies that a backup is complete and unchanged. Needs no database.')
    .argument('<file>', 'a path, s3://bucket/name?endpoint=…, or - for standard input')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { json?: boolean }) => {
      const report = findReport(file, await readWhole(await opened(file)))
      print(options.json, { backup: report }, `The backup is complete.\n${describe(report)}`)
    })
}

/** Every kind of record that names files. */
export const namedFiles: readonly NamedFiles[] = [filesOfDocuments, filesWithAddresses]

/** A backup is whole also where the database takes no writes, as while it is moved. Throws every other fault. */
function tellOfNoNote(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable && error.code === '25006')) throw error
  warnOnly.warn('The database takes no writes, so that doctor and the metrics do not know of this backup.')
}

/** Writes a backup of everything, or of one institution, and notes that of everything for `doctor` and the metrics. */
export async function backUp(
  operator: Pick<Operator, 'config' | 'connection' | 'database'>,
  file: string,
  { tenant, withKey, isQuiet }: { tenant: TenantRecord | null; withKey: boolean; isQuiet: boolean },
): Promise<BackupReport> {
  const begun = performance.now()
  const config = await withSecretKey(operator.config)
  const store = await openFileStore(config, null)
  const client = new pg.Client(clientOptions(operator.connection, 'owner', 'matricula backup'))
  client.on('error', () => {}) // the statement that is under way fails with it
  const progress = new ProgressLine('Backup', isQuiet)
  try {
    await client.connect()
    await requireNoCluster(client, backupsOfClusters)
    const running = makeBackup({
      client,
      store,
      named: namedFiles,
      tenant: tenant === null ? null : { id: tenant.id, slug: tenant.slug, name: tenant.name },
      madeBy: programVersion,
      installation: (await readInstallation(operator.connection))?.id ?? null,
      secretKeyId: new SecretSeal(config.secretKey).keyId,
      secretKey: withKey ? config.secretKey : null,
      onProgress: ({ rows, files }) => progress.tell(`${rows} rows, ${files} files`),
    })
    const bytes = await deliver(running, file)
    const report = { ...findReport(file, running.made()), bytes }
    if (tenant === null) {
      const seconds = (performance.now() - begun) / 1000
      await recordBackup(operator.database, { seconds, bytes, missingFiles: report.missingFiles }).catch(tellOfNoNote)
    }
    return report
  } finally {
    progress.end()
    await client.end()
    await store.close()
  }
}

async function deliver({ bytes }: RunningBackup, file: string): Promise<number> {
  if (file !== '-') {
    const { target, name } = await openBackupAddress(file)
    return putDownBeforeEnd(target.write(name, untilStopped(bytes)))
  }
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(piece, (error) => (error ? reject(error) : resolve())),
    )
  }
  return size
}

/**
 * Reads a backup once from beginning to end, and then does something with it. What can be read only once is kept
 * meanwhile in a folder.
 */
export async function withVerified<Result>(
  file: string,
  folder: string,
  work: (verified: VerifiedBackup) => Promise<Result>,
): Promise<Result> {
  const verified = async (again: () => AsyncIterable<Uint8Array>) => work({ ...(await readWhole(again())), again })
  if (file === '-' || file.startsWith('s3://')) {
    await mkdir(folder, { recursive: true })
    return spooled(await opened(file), folder, verified)
  }
  return verified(async function* () {
    yield* await opened(file)
  })
}

async function opened(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === '-') return process.stdin
  const { target, name } = await openBackupAddress(file)
  return target.read(name)
}

/** Reads all of a backup once, compares it with its sums, and counts its bytes. Throws `BackupFileError`. */
async function readWhole(pieces: AsyncIterable<Uint8Array>) {
  let bytes = 0
  const counted = async function* () {
    for await (const piece of pieces) {
      bytes += piece.length
      yield piece
    }
  }
  const found = await verifyBackup(counted())
  return { ...found, bytes }
}

function findReport(
  file: string,
  { header, trailer, bytes = 0 }: ReturnType<RunningBackup['made']> & { bytes?: number },
) {
  const { tables, rows, files, fileBytes, missingFiles } = trailer
  return {
    file,
    bytes,
    createdAt: header.createdAt,
    tenant: header.tenant?.slug ?? null,
    tenants: header.tenants,
    tables,
    rows,
    files,
    fileBytes,
    missingFiles: missingFiles.count,
    withSecretKey: header.secretKey !== null,
  }
}

function describe({
  bytes,
  createdAt,
  tenant,
  tenants,
  rows,
  files,
  missingFiles,
  withSecretKey,
}: BackupReport): string {
  const of = tenant === null ? howMany(tenants) : `the institution ${tenant}`
  return [
    `Backup of ${of} as of ${createdAt}: ${rows} rows and ${files} files in ${(bytes / 1024 ** 2).toFixed(1)} MiB.`,
    ...(missingFiles > 0
      ? [
          `${missingFiles} files that records refer to are missing from the storage or damaged, and are not in the backup.`,
        ]
      : []),
    withSecretKey
      ? 'SECRET_KEY is included: store the backup where nobody else can read it.'
      : 'SECRET_KEY is not included: store it elsewhere. The secrets in the backup cannot be read without it.',
  ].join('\n')
}

/** How many institutions, in words. */
export const howMany = (tenants: number) => (tenants === 1 ? '1 institution' : `${tenants} institutions`)
