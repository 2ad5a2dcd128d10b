import { countedLists } from '../../app/counted-lists.ts'

/** Asks the database as its owner, who sees every tenant. */
export type OwnerQuery = (text: string, values: unknown[]) => Promise<unknown[]>

/** The lists whose kept totals are not those of their rows, in any tenant, by the names of their tables. */
export async function wrongTotals(query: OwnerQuery): Promise<string[]> {
  const wrong: string[] = []
  for (const { entityType, table } of countedLists) {
    const rows = await query(
      `select 1 as wrong
         from (select tenant_id, status, sum(count) as count from record_counts
                where entity_type = $1 group by tenant_id, status having sum(count) <> 0) kept
         full join (select tenant_id, status, count(*) as count from ${table} group by tenant_id, status) counted
           on counted.tenant_id = kept.tenant_id and counted.status = kept.status
        where kept.count is distinct from counted.count limit 1`,
      [entityType],
    )
    if (rows.length > 0) wrong.push(table)
  }
  const rows = await query(
    `select 1 as wrong
       from (select tenant_id, template_id, sum(count) as count from form_submission_counts
              group by tenant_id, template_id) kept
       full join (select tenant_id, template_id, count(*) as count from form_submissions
                   group by tenant_id, template_id) counted
         on counted.tenant_id = kept.tenant_id and counted.template_id = kept.template_id
      where kept.count is distinct from counted.count limit 1`,
    [],
  )
  if (rows.length > 0) wrong.push('form_submissions by template')
  return wrong
}
