import type { ChangeContext } from '../../changes/index.ts'
import { changedFields, recordAccess } from '../../changes/index.ts'
import { literal, noTenant, sql, type Transaction } from '../../database/index.ts'
import { inBatches, type Job } from '../../jobs/index.ts'

/** Whether an institution records disclosures, and for how many years it keeps them. */
export interface DisclosureSettings {
  readonly enabled: boolean
  readonly keepYears: number
}

const usual: DisclosureSettings = { enabled: true, keepYears: 3 }

/** The settings of an institution, or the defaults. */
export async function readDisclosureSettings(tx: Transaction): Promise<DisclosureSettings> {
  const [row] = await tx.query<DisclosureSettings>(sql`
    select enabled, keep_years as "keepYears" from disclosure_settings where tenant_id = ${tx.tenantId}`)
  return row ?? usual
}

/** Changes the given members, with audit when they differ. `keepYears` is from 1 to 100. */
export async function changeDisclosureSettings(
  tx: Transaction,
  context: ChangeContext,
  changes: Partial<DisclosureSettings>,
): Promise<void> {
  const before = await readDisclosureSettings(tx)
  const after = { ...before, ...changes }
  if (changedFields(before, after).length === 0) return
  await tx.query(sql`
    insert into disclosure_settings (tenant_id, enabled, keep_years) values (${tx.tenantId}, ${after.enabled}, ${after.keepYears})
    on conflict (tenant_id) do update
      set enabled = excluded.enabled, keep_years = excluded.keep_years, updated_at = excluded.updated_at`)
  const facts = { before, after }
  recordAccess(tx, context, {
    action: 'tenant.disclosures_changed',
    entityType: 'tenant',
    entityId: tx.tenantId,
    facts,
  })
}

const batchSize = 1000

/**
 * The job that makes the partitions of the months to come, drops those that no institution keeps any more, and deletes of the others the rows
 * of institutions that keep them for a shorter time.
 */
export const forgetDisclosuresJob: Job = {
  name: 'forget-disclosures',
  everySeconds: 3600,
  prepare: async (database) => {
    await database.transaction(noTenant, (tx) => tx.query(sql`select make_disclosure_partitions() as made`))
    await database.transaction(noTenant, (tx) => tx.query(sql`select drop_disclosure_partitions() as dropped`))
  },
  run: (database, tenant, hasTime = () => true) =>
    inBatches(batchSize, hasTime, () =>
      database.transaction(tenant.id, async (tx) => {
        const { keepYears } = await readDisclosureSettings(tx)
        const gone = await tx.query(sql`
          delete from disclosures
           where tenant_id = ${tx.tenantId}
             and (month, id) in (
                   select month, id from disclosures
                    where tenant_id = ${tx.tenantId}
                      and month < date_trunc('month', now() - make_interval(years => ${literal(keepYears)}))::date
                    order by month limit ${literal(batchSize)})
          returning 1 as gone`)
        return gone.length
      }),
    ),
}
