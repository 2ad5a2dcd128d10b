import { type Database, type Sql, sql } from '../database/index.ts'
import type { CachedCustomFields } from './custom-fields/index.ts'
import type { Tenant } from './tenant.ts'
import { type TenantRow, tenantColumns, toTenant } from './tenants.ts'

/** What was found is believed this long, so that a suspension takes effect within a second. */
const trustMilliseconds = 900
const maxKnown = 10_000

interface Known {
  readonly tenant: Promise<Tenant | null>
  readonly askedAt: number
}

/** Tells whose an address is: that of the tenant with a slug, or with a host name. */
export class TenantAddresses {
  readonly #database: Pick<Database, 'readGlobal'>
  readonly #customFields: CachedCustomFields
  readonly #known = new Map<string, Known>()

  constructor(database: Pick<Database, 'readGlobal'>, customFields: CachedCustomFields) {
    this.#database = database
    this.#customFields = customFields
  }

  /** The tenant with a slug, or null. */
  bySlug(slug: string): Promise<Tenant | null> {
    return this.#find(bySlugKey(slug), () => this.#askOne(sql`slug = ${slug}`))
  }

  /**
   * The tenant to which the requests to a host name belong, or null.
   *
   * @param host The name without a port
   * @param slug That of a tenant which is asked for next (`bySlug`): the same statement reads it
   */
  byHost(host: string, slug?: string): Promise<Tenant | null> {
    const name = host.toLowerCase()
    return this.#find(byHostKey(name), () => {
      if (slug === undefined || this.#findKnown(bySlugKey(slug)) !== undefined) {
        return this.#askOne(sql`host = ${name}`)
      }
      const both = this.#ask(sql`host = ${name} or slug = ${slug}`)
      void this.#keep(
        bySlugKey(slug),
        both.then((rows) => this.#toTenant(rows.find((row) => row.tenant_slug === slug))),
      )
      return both.then((rows) => this.#toTenant(rows.find((row) => row.host === name)))
    })
  }

  #find(key: string, ask: () => Promise<Tenant | null>): Promise<Tenant | null> {
    return this.#findKnown(key) ?? this.#keep(key, ask())
  }

  #findKnown(key: string): Promise<Tenant | null> | undefined {
    const known = this.#known.get(key)
    return known !== undefined && performance.now() - known.askedAt < trustMilliseconds ? known.tenant : undefined
  }

  #keep(key: string, tenant: Promise<Tenant | null>): Promise<Tenant | null> {
    this.#known.delete(key)
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value as string)
    this.#known.set(key, { tenant, askedAt: performance.now() })
    tenant.catch(() => this.#known.delete(key))
    return tenant
  }

  async #askOne(condition: Sql): Promise<Tenant | null> {
    const [row] = await this.#ask(condition)
    return this.#toTenant(row)
  }

  #ask(condition: Sql): Promise<AddressedRow[]> {
    return this.#database.readGlobal(sql`select ${tenantColumns}, host from tenants where ${condition}`)
  }

  async #toTenant(row: AddressedRow | undefined): Promise<Tenant | null> {
    return row === undefined ? null : toTenant(row, await this.#customFields.of(row.tenant_id, row.custom_fields_at))
  }
}

interface AddressedRow extends TenantRow {
  readonly host: string | null
}

const byHostKey = (host: string) => `host ${host}`
const bySlugKey = (slug: string) => `slug ${slug}`
