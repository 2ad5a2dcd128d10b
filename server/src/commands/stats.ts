import type { Command } from 'commander'
import { noTenant, sql } from '../database/index.ts'
import { withOperator } from './operator.ts'
import { print } from './outcome.ts'

/** What a tenant holds, by kind. */
interface TenantStats {
  readonly slug: string
  readonly status: string
  readonly records: Readonly<Record<string, number>>
  readonly users: number
}

/** `matricula stats`: how much there is. */
export function addStatsCommand(program: Command): void {
  program
    .command('stats')
    .description('How many records each tenant has, by kind, and how large the database is.')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const { tenants, databaseBytes } = await withOperator(async (operator) => {
        const [database] = await operator.asOwner(noTenant, (tx) =>
          tx.query<{ bytes: number }>(sql`select pg_database_size(current_database())::bigint as bytes`),
        )
        const tenants = await operator.asOwner(noTenant, (tx) =>
          tx.query<TenantStats>(sql`
            select t.slug, t.status,
                   coalesce((select json_object_agg(c.entity_type, c.count order by c.entity_type)
                               from (select entity_type, sum(count) as count from record_counts
                                      where tenant_id = t.id group by entity_type) c), '{}') as records,
                   (select count(*) from users u where u.tenant_id = t.id) as users
              from tenants t order by t.slug`),
        )
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
