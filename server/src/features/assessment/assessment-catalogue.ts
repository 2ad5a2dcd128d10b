import { assessmentCriteria } from '@matricula/contract/record-types'
import { sql, type Transaction } from '../../database/index.ts'
import { defineRecord, type RecordDefinition, RecordError, type RecordOf } from '../../record-engine/index.ts'

/** Reserved column names of assessment results. */
const reservedNames = new Set(['total', 'total score', 'total grade', 'maximum score', 'score', 'grade'])

function requireFreeName({ assessment_criteria: name }: RecordOf<typeof assessmentCriteria>): void {
  if (name === null || !reservedNames.has(name.trim().toLowerCase())) return
  throw new RecordError('ValidationError', `${name} is a word of every result. Please rename the criterion.`)
}

/** The root of the assessment groups. */
export const rootAssessmentGroup = 'All Assessment Groups'

/** Inserts the root of a tenant's assessment groups, the only one without a parent. */
export function seedAssessmentGroups(tx: Transaction): void {
  tx.send(sql`
    insert into assessment_groups (tenant_id, id, name, assessment_group_name, is_group)
    values (${tx.tenantId}, new_uuid7(), ${rootAssessmentGroup}, ${rootAssessmentGroup}, 1)
    on conflict do nothing`)
}

/** The record types of the assessment catalogue. */
export const assessmentCatalogueRecords: readonly RecordDefinition[] = [
  defineRecord(assessmentCriteria, { rules: { validate: [requireFreeName] } }),
]
