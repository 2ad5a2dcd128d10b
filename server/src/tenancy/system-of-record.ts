import { type Domain, domains } from '@matricula/contract'
import { type Database, type Sql, sql } from '../database/index.ts'
import type { Tenant } from './tenant.ts'

/** What people call a domain of data. */
const domainTitles: Readonly<Record<Domain, string>> = {
  students: 'Students and guardians',
  enrollment: 'Applications and enrolments',
  payments: 'Fees and payments',
}

/** Whether people may only read a domain, because another system of the institution owns it. */
export function isOwnedElsewhere({ systemOfRecord }: Pick<Tenant, 'systemOfRecord'>, domain: Domain): boolean {
  return systemOfRecord[domain] === 'integration'
}

/** The refusal of somebody who would write what another system owns. */
export function ownedElsewhere(domain: Domain, owner: string | null): string {
  return `${domainTitles[domain]} are owned by ${owner ?? 'another system of the institution'}: change this there.`
}

/** The statement of the names by which those who write each domain for other systems are known, in their order. */
function domainOwnersStatement(tenantId: string): Sql {
  return sql`
    select domain, string_agg(distinct k.name, ', ' order by k.name) as owner
      from api_keys k, unnest(k.master_domains) domain
     where k.tenant_id = ${tenantId} and k.kind = 'client' and k.revoked_at is null
     group by domain`
}

/** Who owns the domains that another system owns, by the names of its tokens; null where there is none, and of other domains. */
export async function domainOwners(
  database: Pick<Database, 'read'>,
  tenant: Pick<Tenant, 'id' | 'systemOfRecord'>,
): Promise<Record<Domain, string | null>> {
  const elsewhere = domains.filter((domain) => isOwnedElsewhere(tenant, domain))
  const rows =
    elsewhere.length === 0
      ? []
      : await database.read<{ domain: Domain; owner: string }>(tenant.id, domainOwnersStatement(tenant.id))
  const findOwner = (domain: Domain) =>
    elsewhere.includes(domain) ? (rows.find((row) => row.domain === domain)?.owner ?? null) : null
  return { students: findOwner('students'), enrollment: findOwner('enrollment'), payments: findOwner('payments') }
}
