import type { Command } from 'commander'
import { readConfig } from '../../app/config.ts'
import { loadInstallation, recordRestored } from '../../app/installation.ts'
import { recordFilesKeys } from '../../app/keys/files-key-registry.ts'
import { withSecretKey } from '../../app/keys/keyed-config.ts'
import { bringUpToDate } from '../../app/prepare-database.ts'
import type { BackupHeader } from '../../backup/index.ts'
import { putInOrder, restoreBackup } from '../../backup/index.ts'
import { CommandError } from '../../errors/index.ts'
import { SecretSeal } from '../../identity/index.ts'
import {
  claimFiles,
  describeOwnership,
  hasNoFiles,
  loadSecretKey,
  openFileStore,
  readSecretKey,
} from '../../storage/index.ts'
import { requireSlug } from '../../tenancy/index.ts'
import { warnOnly, withOpened } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { howMany, withVerified } from './backup.ts'

interface RestoreOptions {
  readonly as?: string
  readonly anotherKey?: boolean
  readonly json?: boolean
}

/** `matricula restore`: a backup into an empty service, or an institution beside others. */
export function addRestoreCommand(command: Command): void {
  command
    .argument('<file>', 'a path, s3://bucket/name?endpoint=…, or - for standard input')
    .option('--as <slug>', 'give the institution of the backup another short name')
    .option('--another-key', 'even if SECRET_KEY differs: secrets and links in the backup are lost then')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: RestoreOptions) => {
      const config = readConfig(process.env)
      const slug = findSlug(options.as)
      const progress = new ProgressLine('Restore', options.json === true)
      try {
        const report = await withVerified(file, config.dataDir, async (verified) => {
          const { header, trailer } = verified
          if (slug !== null && header.tenant === null) {
            throw new CommandError(
              'wrong_usage',
              'This is a backup of all institutions: --as is only for a backup of one.',
            )
          }
          const key = keyFor(header, config.secretKey ?? (await readSecretKey(config.dataDir)), options)
          return withOpened(config, warnOnly, async ({ connection, isEmbedded }) => {
            if (key === 'from the backup') await loadSecretKey(config.dataDir, header.secretKey as string)
            const store = await openFileStore(await withSecretKey(config), null)
            try {
              const hadNoFiles = await hasNoFiles(store)
              const onProgress = ({ rows, files }: { rows?: number; files?: number }) =>
                progress.tell(
                  rows === undefined ? `${files} of ${trailer.files} files` : `${rows} of ${trailer.rows} rows`,
                )
              const target = { connection, isEmbedded, store }
              const { wasEmpty } = await restoreBackup(verified, target, { slug, onProgress })
              const { applied } = await bringUpToDate(connection)
              const installation = wasEmpty
                ? await recordRestored(connection, { mayClaim: hadNoFiles, copiedFrom: header.installation ?? null })
                : await loadInstallation(connection)
              const obstacle = describeOwnership(await claimFiles(store, installation))
              if (obstacle !== null) warnOnly.warn(obstacle)
              await recordFilesKeys(connection, config)
              await putInOrder(connection, header.tenant?.id ?? null)
              const { tables, rows, files, missingFiles } = trailer
              return {
                tenant: header.tenant === null ? null : (slug ?? header.tenant.slug),
                tenants: header.tenants,
                createdAt: header.createdAt,
                tables,
                rows,
                files,
                missingFiles: missingFiles.count,
                secretKey: key,
                migrations: applied,
              }
            } finally {
              await store.close()
            }
          })
        })
        print(options.json, { restored: report }, describe(report))
      } finally {
        progress.end()
      }
    })
}

function findSlug(text: string | undefined): string | null {
  if (text === undefined) return null
  requireSlug(text)
  return text
}

type KeyHere = 'the same' | 'from the backup' | 'another'

/**
 * How SECRET_KEY here stands to that of the backup. Throws `CommandError` where it is another one and nobody said
 * that it may be.
 */
function keyFor(header: BackupHeader, here: string | null, { anotherKey }: RestoreOptions): KeyHere {
  if (here !== null && new SecretSeal(here).keyId === header.secretKeyId) return 'the same'
  if (here === null && header.secretKey !== null) return 'from the backup'
  if (anotherKey) return 'another'
  const found = here === null ? 'is not here' : 'is not the one here'
  throw new CommandError(
    'state_conflict',
    `The SECRET_KEY of the backup (key id ${header.secretKeyId}) ${found}. Set SECRET_KEY to it, or put it into DATA_DIR/secret-key. ` +
      'Without it, --another-key restores everything except secrets of gateways and webhooks, and sent links.',
  )
}

interface RestoreReport {
  readonly tenant: string | null
  readonly tenants: number
  readonly createdAt: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly missingFiles: number
  readonly secretKey: KeyHere
  readonly migrations: readonly string[]
}

function describe({
  tenant,
  tenants,
  createdAt,
  tables,
  rows,
  files,
  missingFiles,
  secretKey,
  migrations,
}: RestoreReport) {
  const what = tenant === null ? howMany(tenants) : `The institution ${tenant}`
  return [
    `${what} as of ${createdAt}: ${rows} rows of ${tables} tables and ${files} files were restored and compared.`,
    ...(missingFiles > 0 ? [`${missingFiles} files that records refer to were not in the backup.`] : []),
    ...(migrations.length > 0 ? [`The database was brought to this version by ${migrations.length} migrations.`] : []),
    ...(secretKey === 'from the backup' ? ['SECRET_KEY came with it and is in DATA_DIR/secret-key.'] : []),
    ...(secretKey === 'another' ? ['SECRET_KEY differs: enter the secrets of gateways and webhooks again.'] : []),
  ].join('\n')
}
