import { publicLocales } from '@matricula/contract'
import { type Command, Option } from 'commander'
import type { Config } from '../../app/config.ts'
import { noTenant, sql, type Transaction } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { changeDisclosureSettings, type DisclosureSettings } from '../../features/disclosures/index.ts'
import { changeCompanyCurrency } from '../../features/organisation/index.ts'
import { countHolders, forgetPasskeysOf } from '../../identity/passkeys/index.ts'
import { findCurrency, isWithdrawn } from '../../money/index.ts'
import {
  createTenant,
  findTenant,
  listTenants,
  parseModules,
  parseSystemOfRecord,
  type TenantRecord,
  type TenantSettings,
  updateTenant,
} from '../../tenancy/index.ts'
import { newId } from '../../values/index.ts'
import { operatorContext, warnOnly, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { recordTenant } from './tenant-changes.ts'
import { addTenantRemovalCommands } from './tenant-removal.ts'

interface TenantOptions {
  slug: string
  name?: string
  modules?: string
  sor?: string
  status?: 'active' | 'suspended'
  host?: string
  timezone?: string
  currency?: string
  language?: string
  disclosures?: 'on' | 'off'
  keepDisclosures?: string
  passkeys?: 'forget' | 'keep'
  json?: boolean
}

const sorHelp = 'who owns a domain: students=…,enrollment=…,payments=… with platform, integration or shared'

const languageHelp = `language of its texts: ${publicLocales.join(', ')}`

/** `matricula tenant …`: institutions. */
export function addTenantCommand(tenant: Command): void {
  tenant
    .command('create')
    .description(
      'Creates a tenant, by default with every module, and all domains shared between integrations and the institution.',
    )
    .requiredOption('--slug <slug>', 'short name in addresses: small letters, digits, hyphens')
    .requiredOption('--name <name>', 'name of the institution')
    .option('--modules <list>', 'all, or modules separated by commas', 'all')
    .option('--sor <pairs>', sorHelp)
    .option('--timezone <zone>', 'such as America/Mexico_City', 'UTC')
    .option('--currency <code>', 'three letters (ISO 4217)', 'USD')
    .option('--language <code>', languageHelp, 'en')
    .option('--json', 'print one JSON object')
    .action(async (options: TenantOptions) => {
      const settings = { ...settingsOf(options), name: options.name as string }
      warnOfWithdrawn(settings.currency)
      // It loads half of the program, for which other commands need not wait.
      const { seedTenant } = await import('../../app/tenant-seeds.ts')
      const created = await withOperator(
        (operator) =>
          operator.asOwner(newId(), async (tx) => {
            const record = await createTenant(tx, options.slug, settings)
            seedTenant(tx)
            recordTenant(tx, null, record)
            return record
          }),
        { mayBegin: true },
      )
      print(options.json, { tenant: created }, describe(created))
    })

  tenant
    .command('update')
    .description('Changes the given settings.')
    .argument('<slug>')
    .option('--name <name>', 'name of the institution')
    .option('--modules <list>', 'all, or modules separated by commas')
    .option('--sor <pairs>', sorHelp)
    .option('--status <status>', 'active or suspended')
    .option('--host <host>', 'host name whose requests belong to the tenant; empty for none')
    .addOption(
      new Option('--passkeys <what>', 'with --host, of those that people made for the host name of before').choices([
        'forget',
        'keep',
      ]),
    )
    .option('--timezone <zone>', 'such as America/Mexico_City')
    .option('--currency <code>', 'three letters (ISO 4217)')
    .option('--language <code>', languageHelp)
    .addOption(new Option('--disclosures <state>', 'whether to record who reads what').choices(['on', 'off']))
    .option('--keep-disclosures <years>', 'how many years to keep these records, such as 3y')
    .option('--json', 'print one JSON object')
    .action(async (slug: string, options: TenantOptions) => {
      const settings = settingsOf(options)
      const disclosures = getDisclosures(options)
      const changed = await withOperator(async (operator) => {
        const { id } = await operator.requireTenant(slug)
        return operator.asOwner(id, async (tx) => {
          const before = await findTenant(tx, slug)
          if (before !== null) await leaveHost(tx, operator.config, before, settings.host, options.passkeys)
          const after = await updateTenant(tx, slug, settings)
          recordTenant(tx, before, after)
          await changeDisclosureSettings(tx, operatorContext(after), disclosures)
          if (before !== null && before.currency !== after.currency) await moveToCurrency(tx, before, after)
          return after
        })
      })
      print(options.json, { tenant: changed }, describe(changed))
    })

  tenant
    .command('list')
    .description('Every tenant.')
    .option('--deleted', 'list deleted tenants instead')
    .option('--json', 'print one JSON object')
    .action(async (options: TenantOptions & { deleted?: boolean }) => {
      if (options.deleted) return printDeleted(options.json)
      const tenants = await withOperator(({ database }) => listTenants(database))
      const lines = tenants.map(({ slug, name, status }) => `${slug.padEnd(24)} ${status.padEnd(10)} ${name}`)
      print(options.json, { tenants }, lines.join('\n') || 'No tenants yet. Create one with: matricula tenant create')
    })

  tenant
    .command('show')
    .description('One tenant.')
    .argument('<slug>')
    .option('--json', 'print one JSON object')
    .action(async (slug: string, options: TenantOptions) => {
      const found = await withOperator((operator) => operator.requireTenant(slug))
      print(options.json, { tenant: found }, describe(found))
    })

  addTenantRemovalCommands(tenant)
}

async function printDeleted(isJson: boolean | undefined): Promise<void> {
  const deleted = await withOperator(({ asOwner }) =>
    asOwner(noTenant, (tx) =>
      tx.query<{ slug: string; name: string; deletedAt: string | null }>(sql`
        select id, slug, name, deleted_at as "deletedAt", backup, rows::float8, files::float8 from deleted_tenants order by deleted_at`),
    ),
  )
  const lines = deleted.map(
    ({ slug, name, deletedAt }) => `${slug.padEnd(24)} ${(deletedAt ?? 'incomplete').padEnd(24)}  ${name}`,
  )
  print(isJson, { deleted }, lines.join('\n') || 'None was deleted.')
}

/**
 * Sees to the passkeys of an institution that leaves its host name, where they would open nothing any more. Throws
 * `CommandError` where it was not said what becomes of them.
 */
async function leaveHost(
  tx: Transaction,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  before: TenantRecord,
  host: string | null | undefined,
  passkeys: TenantOptions['passkeys'],
): Promise<void> {
  if (host === undefined || before.host === null || [host, new URL(publicUrl).hostname].includes(before.host)) return
  if (passkeys === 'forget') await forgetPasskeysOf(tx, operatorContext(before), before.host)
  if (passkeys !== undefined) return
  const people = await countHolders(tx, before.host)
  if (people === 0) return
  throw new CommandError(
    'state_conflict',
    `Passkeys were made for ${before.host} (by people: ${people}), and they open nothing at another host name. With --passkeys forget they log in by password, or as they did before, and add new ones, also where one is required of them; they are mailed. With --passkeys keep the passkeys stay for when ${before.host} comes back, and whoever must show one cannot log in until then.`,
  )
}

/** The companies and accounts of a tenant that changes its currency change with it. */
async function moveToCurrency(tx: Transaction, before: TenantRecord, after: TenantRecord): Promise<void> {
  const { currency: from } = before
  const { currency: to } = after
  const companies = await changeCompanyCurrency(tx, operatorContext(after), { from, to })
  warnOfWithdrawn(to)
  const moved =
    companies.length === 0
      ? `No company was in ${from}, and none was changed.`
      : `${companies.join(', ')} and the accounts in ${from} are in ${to} now.`
  warnOnly.warn(`${moved} Fees, payments and ledger entries that were made in ${from} stay in it.`)
}

function warnOfWithdrawn(code: string | undefined): void {
  const currency = findCurrency(code ?? '')
  if (currency === null || !isWithdrawn(currency, new Date().toISOString().slice(0, 10))) return
  warnOnly.warn(
    `${currency.code} was withdrawn from ISO 4217 after ${currency.until}. Use it for records of that time only.`,
  )
}

function getDisclosures({ disclosures, keepDisclosures }: TenantOptions): Partial<DisclosureSettings> {
  const years = keepDisclosures === undefined ? null : /^([1-9]\d{0,2})y?$/.exec(keepDisclosures)
  if (keepDisclosures !== undefined && (years === null || Number(years[1]) > 100)) {
    throw new CommandError('invalid_value', 'Disclosures are kept for 1 to 100 years: write such as 3y.')
  }
  return {
    ...(disclosures !== undefined && { enabled: disclosures === 'on' }),
    ...(years !== null && { keepYears: Number(years[1]) }),
  }
}

function settingsOf({ name, modules, sor, status, host, timezone, currency, language }: TenantOptions): TenantSettings {
  if (status !== undefined && status !== 'active' && status !== 'suspended') {
    throw new CommandError('invalid_value', 'The status is active or suspended.')
  }
  return {
    ...(name !== undefined && { name }),
    ...(modules !== undefined && { modules: parseModules(modules) }),
    ...(sor !== undefined && { systemOfRecord: parseSystemOfRecord(sor) }),
    ...(status !== undefined && { status }),
    ...(host !== undefined && { host: host === '' ? null : host.toLowerCase() }),
    ...(timezone !== undefined && { timeZone: timezone }),
    ...(currency !== undefined && { currency: currency.toUpperCase() }),
    ...(language !== undefined && { language }),
  }
}

function describe(tenant: TenantRecord): string {
  const owners = Object.entries(tenant.sorByDomain).map(([domain, owner]) => `${domain}=${owner}`)
  return [
    `${tenant.name} (${tenant.slug})`,
    `  id                ${tenant.id}`,
    `  status            ${tenant.status}`,
    `  modules           ${tenant.enabledModules.join(', ')}`,
    `  system of record  ${owners.join(', ')}`,
    `  time zone         ${tenant.timeZone}`,
    `  currency          ${tenant.currency}`,
    `  language          ${tenant.language}`,
    `  host              ${tenant.host ?? '-'}`,
  ].join('\n')
}
