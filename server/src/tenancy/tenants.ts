import {
  type Domain,
  domains,
  type Module,
  modules,
  type PublicLocale,
  publicLocales,
  type SystemOfRecord,
  systemsOfRecord,
} from '@matricula/contract'
import { type Database, sql, type Transaction } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import { findCurrency } from '../money/index.ts'
import { type CustomFields, noCustomFields } from './custom-fields/index.ts'
import type { RoleLimits } from './role-limits.ts'
import type { Tenant } from './tenant.ts'
import { knownZone } from './zone-differences.ts'

/** The columns of a tenant as SQL answers them. */
export interface TenantRow {
  tenant_id: string
  tenant_slug: string
  tenant_name: string
  tenant_status: 'active' | 'suspended'
  time_zone: string
  currency: string
  language: PublicLocale
  enabled_modules: Module[]
  sor_students: SystemOfRecord
  sor_enrollment: SystemOfRecord
  sor_payments: SystemOfRecord
  /** When the fields that it has added last changed; null while there are none. */
  custom_fields_at: string | null
  /** What it has taken from its roles; absent where it is not asked for. */
  role_limits?: RoleLimits
}

export function toTenant(row: TenantRow, customFields: CustomFields): Tenant {
  return {
    id: row.tenant_id,
    slug: row.tenant_slug,
    name: row.tenant_name,
    status: row.tenant_status,
    timeZone: row.time_zone,
    currency: row.currency,
    language: row.language,
    enabledModules: row.enabled_modules,
    systemOfRecord: { students: row.sor_students, enrollment: row.sor_enrollment, payments: row.sor_payments },
    customFields,
    ...(row.role_limits !== undefined && { roleLimits: row.role_limits }),
  }
}

/** What an operator says of a tenant that is to be made or changed. */
export interface TenantSettings {
  readonly name?: string
  readonly modules?: readonly Module[]
  readonly systemOfRecord?: Partial<Record<Domain, SystemOfRecord>>
  readonly status?: 'active' | 'suspended'
  readonly host?: string | null
  readonly timeZone?: string
  readonly currency?: string
  readonly language?: string
}

/** A tenant as operators see it. */
export interface TenantRecord {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly status: 'active' | 'suspended'
  readonly host: string | null
  readonly timeZone: string
  readonly currency: string
  /** The language of its own texts, of its mails and of its pages, where nothing else says one. */
  readonly language: PublicLocale
  readonly enabledModules: readonly Module[]
  readonly sorByDomain: Readonly<Record<Domain, SystemOfRecord>>
  readonly createdAt: string
  readonly updatedAt: string
}

interface TenantRecordRow extends TenantRow {
  host: string | null
  created_at: string
  updated_at: string
}

/** The columns of a `TenantRow` in the table of tenants. */
export const tenantColumns = sql`
  id as tenant_id, slug as tenant_slug, name as tenant_name, status as tenant_status, time_zone, currency,
  language, enabled_modules, sor_students, sor_enrollment, sor_payments, custom_fields_at, role_limits`

const selectTenants = sql`select ${tenantColumns}, host, created_at, updated_at from tenants`

/** Makes a tenant, as the owner. Throws `CommandError` for a setting that cannot be kept or a slug that is taken. */
export async function createTenant(
  tx: Transaction,
  slug: string,
  settings: TenantSettings & { readonly name: string },
): Promise<TenantRecord> {
  requireSlug(slug)
  requireSettings(settings)
  if ((await findTenant(tx, slug)) !== null)
    throw new CommandError(
      'already_exists',
      `There is a tenant ${slug} already. Choose another slug, or change that one: matricula tenant update ${slug}`,
    )
  const { name, modules: enabled = modules, systemOfRecord = {}, currency = 'USD', language = 'en' } = settings
  const timeZone = settings.timeZone === undefined ? 'UTC' : await requireTimeZone(tx, settings.timeZone)
  await tx.query(sql`
    insert into tenants (id, slug, name, enabled_modules, sor_students, sor_enrollment, sor_payments, time_zone, currency,
                         language)
    values (${tx.tenantId}, ${slug}, ${name}, ${enabled}, ${systemOfRecord.students ?? 'shared'},
            ${systemOfRecord.enrollment ?? 'shared'}, ${systemOfRecord.payments ?? 'shared'},
            ${timeZone}, ${currency}, ${language})`)
  return (await findTenant(tx, slug)) as TenantRecord
}

/** Throws `CommandError` for what cannot be the slug of a tenant. */
export function requireSlug(slug: string): void {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) return
  throw new CommandError(
    'invalid_value',
    'The slug takes 1 to 63 small letters, digits and hyphens, with none at either end.',
  )
}

/** Changes a tenant, as the owner. Throws `CommandError`. */
export async function updateTenant(tx: Transaction, slug: string, settings: TenantSettings): Promise<TenantRecord> {
  requireSettings(settings)
  const before = await findTenant(tx, slug)
  if (before === null)
    throw new CommandError('not_found', `There is no tenant ${slug}. matricula tenant list shows them.`)
  const systemOfRecord = { ...before.sorByDomain, ...settings.systemOfRecord }
  const timeZone = settings.timeZone === undefined ? before.timeZone : await requireTimeZone(tx, settings.timeZone)
  await tx.query(sql`
    update tenants
       set name = ${settings.name ?? before.name}, enabled_modules = ${settings.modules ?? before.enabledModules},
           sor_students = ${systemOfRecord.students}, sor_enrollment = ${systemOfRecord.enrollment},
           sor_payments = ${systemOfRecord.payments}, status = ${settings.status ?? before.status},
           host = ${settings.host === undefined ? before.host : settings.host},
           time_zone = ${timeZone}, currency = ${settings.currency ?? before.currency},
           language = ${settings.language ?? before.language},
           updated_at = greatest(current_stamp(), updated_at)
     where id = ${before.id}`)
  return (await findTenant(tx, slug)) as TenantRecord
}

/** The tenant with a slug, or null. */
export async function findTenant(tx: Pick<Transaction, 'query'>, slug: string): Promise<TenantRecord | null> {
  const [row] = await tx.query<TenantRecordRow>(sql`${selectTenants} where slug = ${slug}`)
  return row === undefined ? null : toTenantRecord(row)
}

/** Every tenant, by slug. */
export async function listTenants(database: Pick<Database, 'readGlobal'>): Promise<TenantRecord[]> {
  const rows = await database.readGlobal<TenantRecordRow>(sql`${selectTenants} order by slug`)
  return rows.map(toTenantRecord)
}

function toTenantRecord(row: TenantRecordRow): TenantRecord {
  const { id, slug, name, status, timeZone, currency, language, enabledModules, systemOfRecord } = toTenant(
    row,
    noCustomFields,
  )
  return {
    id,
    slug,
    name,
    status,
    host: row.host,
    timeZone,
    currency,
    language,
    enabledModules,
    sorByDomain: systemOfRecord,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function requireSettings(settings: TenantSettings): void {
  const { name, currency, language, host } = settings
  if (name !== undefined && name.trim() === '') throw new CommandError('invalid_value', 'The name must not be empty.')
  if (currency !== undefined && findCurrency(currency) === null) {
    throw new CommandError('invalid_value', `There is no currency ${currency}. Use a code of ISO 4217, such as EUR.`)
  }
  if (language !== undefined && !(publicLocales as readonly string[]).includes(language)) {
    throw new CommandError('invalid_value', `There is no language ${language}. There are: ${publicLocales.join(', ')}.`)
  }
  if (host && !/^[a-z0-9.-]{1,253}$/.test(host))
    throw new CommandError('invalid_value', 'The host must be a host name.')
}

/** The name of a zone as it is kept. Throws `CommandError` where not both Node and the database know it by name. */
async function requireTimeZone(tx: Transaction, name: string): Promise<string> {
  const zone = await knownZone(tx, name)
  if (zone !== null) return zone
  throw new CommandError(
    'invalid_value',
    `There is no time zone ${name} that both Node and the database know. Use a name such as America/Mexico_City.`,
  )
}

/** Reads `students=integration,enrollment=shared`. Throws `CommandError`. */
export function parseSystemOfRecord(text: string): Partial<Record<Domain, SystemOfRecord>> {
  const pairs = text.split(',').map((part) => part.split('=').map((word) => word.trim()))
  return Object.fromEntries(
    pairs.map(([domain, value]) => {
      if (!domains.includes(domain as Domain) || !systemsOfRecord.includes(value as SystemOfRecord)) {
        throw new CommandError(
          'invalid_value',
          `${domain}=${value ?? ''}: write ${domains.join(', ')}, each with one of ${systemsOfRecord.join(', ')}.`,
        )
      }
      return [domain, value]
    }),
  )
}

/** Reads `all` or a list of modules. Throws `CommandError`. */
export function parseModules(text: string): Module[] {
  if (text === 'all') return [...modules]
  return text.split(',').map((word) => {
    const module = modules.find((candidate) => candidate === word.trim())
    if (module === undefined)
      throw new CommandError('invalid_value', `There is no module ${word}. The modules: ${modules.join(', ')}.`)
    return module
  })
}
