import type { Command } from 'commander'
import { noTenant, sql, type Transaction } from '../../database/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

/** What a tenant holds, by kind. */
interface TenantStats {
  readonly slug: string
  readonly status: string
  readonly records: Readonly<Record<string, number>>
  readonly users: number
}

/** `matricula stats`: how much there is. */
export function addStatsCommand(command: Command): void {
  command.option('--json', 'print one JSON object').action(async ({ json }: { json?: boolean }) => {
    const { tenants, databaseBytes } = await withOperator(async (operator) => {
      const [database] = await operator.asOwner(noTenant, (tx) =>
        tx.query<{ bytes: number }>(sql`select pg_database_size(current_database())::bigint as bytes`),
      )
      const tenants = await operator.asOwner(noTenant, readStats)
      return { tenants, databaseBytes: database?.bytes ?? 0 }
    })
    const lines = tenants.map(({ slug, status, records, users }) => {
      const counts = Object.entries(records).map(([kind, count]) => `${kind} ${count}`)
      return `${slug.padEnd(24)} ${status.padEnd(10)} ${[...counts, `user ${users}`].join(', ')}`
    })
    const size = `The database has ${Math.round(databaseBytes / 1024 / 1024)} MiB.`
    print(json, { tenants, databaseBytes }, [...lines, size].join('\n'))
  })
}

/** Counts in all tenants. */
async function readStats(tx: Transaction): Promise<TenantStats[]> {
  const tenants = await tx.query<{ id: string; slug: string; status: string }>(
    sql`select id, slug, status from tenants order by slug`,
  )
  const records = await tx.query<{ tenantId: string; kind: string; count: number }>(sql`
    select tenant_id as "tenantId", entity_type as kind, sum(count)::bigint as count
      from record_counts group by 1, 2 order by 1, 2`)
  const users = await tx.query<{ tenantId: string; count: number }>(
    sql`select tenant_id as "tenantId", count(*) as count from users group by 1`,
  )
  return tenants.map(({ id, slug, status }) => ({
    slug,
    status,
    records: Object.fromEntries(
      records.filter(({ tenantId }) => tenantId === id).map(({ kind, count }) => [kind, count]),
    ),
    users: users.find(({ tenantId }) => tenantId === id)?.count ?? 0,
  }))
}
