import type { Command } from 'commander'
import { stopRequest } from '../app/shutdown.ts'
import { CommandError } from '../errors/index.ts'
import { listTenants, type TenantRecord } from '../tenancy/index.ts'
import type { Operator } from './operator.ts'
import { getFailure } from './outcome.ts'

/** Which tenants a command is for. */
export interface WhichTenants {
  readonly tenant?: string
  readonly everyTenant?: boolean
}

/** Adds the options of a command that is for one tenant, or for all that are active, as a timer runs it. */
export function addWhichTenants(command: Command): Command {
  return command
    .option('--tenant <slug>', 'the tenant')
    .option('--every-tenant', 'every active tenant, one after the other, instead of one')
}

/** What became of a tenant's turn. */
export interface TenantOutcome<Result> {
  readonly slug: string
  readonly result: Result | null
  /** Why it failed; null where it did not. */
  readonly failure: string | null
}

/**
 * Does something for the one tenant that was named, which throws what it throws; or for each active one: where it
 * fails for one, the others have their turn all the same. Throws `CommandError` where neither or both are asked for.
 */
export async function forEachTenant<Result>(
  operator: Operator,
  { tenant: slug, everyTenant = false }: WhichTenants,
  work: (tenant: TenantRecord) => Promise<Result>,
): Promise<TenantOutcome<Result>[]> {
  if ((slug !== undefined) === everyTenant)
    throw new CommandError('wrong_usage', 'Give either --tenant or --every-tenant.')
  if (slug !== undefined) return [{ slug, result: await work(await operator.requireTenant(slug)), failure: null }]
  const outcomes: TenantOutcome<Result>[] = []
  for (const tenant of await listTenants(operator.database)) {
    if (tenant.status !== 'active' || stopRequest.aborted) continue
    try {
      await operator.noteCommand(tenant)
      outcomes.push({ slug: tenant.slug, result: await work(tenant), failure: null })
    } catch (error) {
      outcomes.push({ slug: tenant.slug, result: null, failure: getFailure(error).message })
    }
  }
  return outcomes
}
