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
    return this.#find(`slug ${slug}`, () => sql`slug = ${slug}`)
  }

  /** The tenant to which the requests to a host name belong, or null. The name has no port. */
  byHost(host: string): Promise<Tenant | null> {
    const name = host.toLowerCase()
    return this.#find(`host ${name}`, () => sql`host = ${name}`)
  }

  #find(key: string, condition: () => Sql): Promise<Tenant | null> {
    const known = this.#known.get(key)
    if (known !== undefined && performance.now() - known.askedAt < trustMilliseconds) return known.tenant
    this.#known.delete(key)
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value as string)
    const tenant = this.#ask(condition())
    this.#known.set(key, { tenant, askedAt: performance.now() })
    tenant.catch(() => this.#known.delete(key))
    return tenant
  }

  async #ask(condition: Sql): Promise<Tenant | null> {
    const [row] = await this.#database.readGlobal<TenantRow>(
      sql`select ${tenantColumns} from tenants where ${condition}`,
    )
    if (row === undefined) return null
    return toTenant(row, await this.#customFields.of(row.tenant_id, row.custom_fields_at))
  }
}
