import { assessmentGroup } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'

/** The groups of a report: the group itself, or the direct children of a group of groups. */
export async function findReportGroups(work: RecordWork, name: string): Promise<string[]> {
  const group = await work.find(assessmentGroup, name)
  if (group === null || group.is_group !== 1) return [name]
  const below = await work.select(assessmentGroup, sql`r.parent_assessment_group = ${group.name} and r.is_group = 0`)
  return below.map((each) => each.name)
}

/** The submitted results `r` of a year in these groups. */
export function submittedResultsStatement(work: RecordWork, year: string | null, groups: readonly string[]): Sql {
  return sql`r.tenant_id = ${work.tx.tenantId} and r.docstatus = 1 and r.academic_year = ${year}
         and r.assessment_group = any(${groups}::text[])`
}
