import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import pg from 'pg'
import { putDownBeforeEnd, stopRequest } from '../../app/shutdown.ts'
import {
  deleteTenant,
  recordDeletion,
  requireNoCluster,
  rowsOfTenant,
  unfinishedDeletion,
  within,
} from '../../backup/index.ts'
import { clientOptions, noTenant } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { type TenantRecord, updateTenant } from '../../tenancy/index.ts'
import { backUp } from '../backup/backup.ts'
import { type Operator, openFiles, warnOnly, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'

/** How long a service may still answer by what it knew of a tenant, in milliseconds, with room to spare. */
const servicesTimeoutMs = 2_000

interface DeleteOptions {
  readonly yes?: boolean
  readonly backup?: string | false
  readonly json?: boolean
}

/** `matricula tenant export` and `tenant delete`: an institution leaves. */
export function addTenantRemovalCommands(tenant: Command): void {
  tenant
    .command('export')
    .description('Exports all data of an institution, with its files, to one file: a backup of this institution only.')
    .argument('<slug>')
    .argument('<file>', 'a path, or s3://bucket/name?endpoint=…')
    .option('--json', 'print one JSON object')
    .action(async (slug: string, file: string, { json }: { json?: boolean }) => {
      if (file === '-')
        throw new CommandError('wrong_usage', 'For standard output use: matricula backup - --tenant SLUG')
      const exported = await withOperator(async (operator) => {
        const found = await operator.requireTenant(slug)
        return backUp(operator, file, { tenant: found, withKey: false, isQuiet: json === true })
      })
      print(json, { exported }, `${exported.rows} rows and ${exported.files} files of ${slug} are in ${file}.`)
    })

  tenant
    .command('delete')
    .description(
      'Backs up an institution, then deletes it: records, ledger, audit, users, files. Without --yes, only shows what would be deleted.',
    )
    .argument('<slug>')
    .option('--yes', 'do it')
    .option('--backup <file>', 'where to write its last backup: a path, or s3://… (default: a new file in BACKUP_TO)')
    .option('--no-backup', 'keep nothing of it')
    .option('--json', 'print one JSON object')
    .action(async (slug: string, options: DeleteOptions) => {
      const deleted = await withOperator((operator) => remove(operator, slug, options))
      const { rows, files, backup } = deleted
      const stored = backup === null ? 'No backup was kept.' : `Its backup is ${backup}.`
      print(options.json, { deleted }, `${slug} is deleted: ${rows} rows and ${files} files. ${stored}`)
    })
}

async function remove(operator: Operator, slug: string, { yes, backup, json }: DeleteOptions) {
  const tenant = await operator.requireTenant(slug)
  const client = new pg.Client(clientOptions(operator.connection, 'owner', 'matricula deletion'))
  client.on('error', () => {}) // the statement that is under way fails with it
  const store = await openFiles(operator)
  const progress = new ProgressLine('Delete', json === true)
  try {
    await client.connect()
    await requireNoCluster(client, `Suspend the institution first: matricula tenant update ${slug} --status suspended.`)
    await takeTurn(client, tenant)
    const before = await unfinishedDeletion(client, tenant.id)
    let stored = before?.isUntouched ? before.backup : null
    const file = yes !== true || stored !== null ? null : findLocation(operator, tenant, backup)
    if (yes !== true) throw new CommandError('state_conflict', await warning(client, tenant))
    if (stored === null) {
      const { rows = 0, files = 0 } = (await lastBackup(operator, tenant, file, json === true)) ?? {}
      // Where a deletion was broken off and the institution went on, its backup has what is not there any more.
      stored = [before?.backup ?? null, file].filter((each) => each !== null).join(', ') || null
      await recordDeletion(client, { tenant, backup: stored, rows, files })
    }
    const told = (rows: number) => progress.tell(`${rows} rows`)
    const { kinds, rows, files } = await deleteTenant(client, store, tenant.id, told)
    return { id: tenant.id, slug, rows, files, backup: stored, kinds }
  } finally {
    progress.end()
    await client.end()
    await store.close()
  }
}

/** Keeps others from deleting the same tenant until the session ends. Throws `CommandError` where somebody does. */
async function takeTurn(client: pg.Client, { id, slug }: TenantRecord): Promise<void> {
  const { rows } = await client.query(
    `select pg_try_advisory_lock(hashtextextended('matricula.deletion ' || $1, 0)) as taken`,
    [id],
  )
  if (!rows[0].taken) throw new CommandError('state_conflict', `Another command is already deleting ${slug}.`)
}

/** Suspends a tenant and backs it up. Where that fails the tenant has its status again, and the operator is told. */
function lastBackup(operator: Operator, tenant: TenantRecord, file: string | null, isQuiet: boolean) {
  const { slug, status } = tenant
  const setStatus = (next: TenantRecord['status']) =>
    operator.asOwner(noTenant, (tx) => updateTenant(tx, slug, { status: next }))
  const suspendAndBackUp = async () => {
    // Nobody writes as an institution that is suspended, so that its backup is its last state.
    await setStatus('suspended')
    try {
      await pause(servicesTimeoutMs, undefined, { signal: stopRequest })
      return file === null ? null : await backUp(operator, file, { tenant, withKey: false, isQuiet })
    } catch (error) {
      const isBack = await setStatus(status).catch(() => null)
      warnOnly.warn(
        isBack === null
          ? `Nothing was deleted, but ${slug} is still suspended: matricula tenant update ${slug} --status ${status}`
          : `Nothing was deleted, and ${slug} is ${status} as before.`,
      )
      throw error
    }
  }
  return putDownBeforeEnd(suspendAndBackUp())
}

/** Where the last backup goes; null: nowhere. Throws `CommandError` where nobody said. */
function findLocation({ config }: Operator, { slug }: TenantRecord, backup: string | false | undefined): string | null {
  if (backup === false) return null
  if (typeof backup === 'string' && backup !== '-') return backup
  if (backup === undefined && config.backups !== null) {
    return within(config.backups.to, `${slug}-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`)
  }
  throw new CommandError(
    'wrong_usage',
    'Give --backup FILE, or set BACKUP_TO, for the last backup. --no-backup deletes without one.',
  )
}

async function warning(client: pg.Client, { slug, id, name }: TenantRecord): Promise<string> {
  const counts = Object.entries(await rowsOfTenant(client, id)).sort(([, one], [, other]) => other - one)
  const max = counts.slice(0, 8).map(([table, rows]) => `${rows} ${table.replaceAll('_', ' ')}`)
  const rest = counts.slice(8).reduce((sum, [, rows]) => sum + rows, 0)
  return (
    `Nothing was deleted. ${name} (${slug}) has ${max.join(', ')}, ${rest} other rows, and its files. ` +
    'Add --yes to delete it.'
  )
}
