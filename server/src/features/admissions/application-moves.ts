import type { ChangeContext } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { newId } from '../../values/index.ts'
import { requireCompleteDocuments } from '../requirements/index.ts'
import type { ApplicationRecord } from './application-store.ts'
import { readPipeline, requireMove } from './pipeline.ts'

/**
 * Checks a move. Throws `unknown_pipeline_status`, `transition_not_allowed`, and `requirements_incomplete` for a status
 * that needs documents.
 */
export async function requireMovable(tx: Transaction, application: ApplicationRecord, to: string): Promise<void> {
  const { requiresComplete } = await requireMove(tx, application.status, to)
  if (requiresComplete) await requireCompleteDocuments(tx, application.id)
}

/**
 * Checks a move by a person: who is enrolled becomes a student, which enrolment creates. Integrations may say so of a
 * student that they create elsewhere.
 *
 * @throws Problem `transition_not_allowed` for a status of the category enrolled while there is no student.
 */
export async function requireStudentOfEnrolled(
  tx: Transaction,
  { actor }: Pick<ChangeContext, 'actor'>,
  { status, studentId }: Pick<ApplicationRecord, 'status' | 'studentId'>,
  from: string,
): Promise<void> {
  if (actor.type !== 'user' || studentId !== null) return
  const target = (await readPipeline(tx)).find(({ key }) => key === status)
  if (target?.category !== 'enrolled') return
  const detail = `An applicant in ${target.label} is a student. Enrol the applicant, or choose the existing student.`
  throw new Problem('transition_not_allowed', detail, { currentState: from })
}

/** Records a move in the history; `from` is null for the initial status. */
export function recordMove(tx: Transaction, context: ChangeContext, id: string, from: string | null, to: string): void {
  const { type, id: actorId, name } = context.actor
  tx.send(sql`
    insert into application_moves (tenant_id, id, application_id, from_status, to_status, actor_type, actor_id, actor_name)
    values (${tx.tenantId}, ${newId()}, ${id}, ${from}, ${to}, ${type}, ${actorId}, ${name})`)
}
