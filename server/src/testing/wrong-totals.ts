import type { TestService } from './test-service.ts'

const countedTables = {
  student: 'students',
  admission_application: 'admission_applications',
  program: 'programs',
  course: 'courses',
}

/** The lists whose kept totals are not those of their rows, in any tenant; `matricula doctor` asks the same. */
export async function wrongTotals(service: TestService): Promise<string[]> {
  const wrong: string[] = []
  for (const [entityType, table] of Object.entries(countedTables)) {
    const rows = await service.database.inspect(
      `select 1 from (select tenant_id, status, sum(count) as count from record_counts
                       where entity_type = $1 group by tenant_id, status having sum(count) <> 0) kept
         full join (select tenant_id, status, count(*) as count from ${table} group by tenant_id, status) counted
           on counted.tenant_id = kept.tenant_id and counted.status = kept.status
        where kept.count is distinct from counted.count`,
      [entityType],
    )
    if (rows.length > 0) wrong.push(table)
  }
  return wrong
}
