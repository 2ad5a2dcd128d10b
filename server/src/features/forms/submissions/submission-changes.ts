import type { ChangeContext } from '../../../changes/index.ts'
import { recordChanges } from '../../../changes/index.ts'
import { moment, sql, type Transaction } from '../../../database/index.ts'
import { readBack } from '../../../entities/index.ts'
import { newId } from '../../../values/index.ts'
import { type FormAnswer, type FormSubmissionRecord, submissions } from './submission-store.ts'

/** A submission to insert. */
export interface NewSubmission {
  readonly templateId: string
  readonly templateVersion: number
  readonly studentId: string | null
  readonly applicationId: string | null
  readonly answers: readonly FormAnswer[]
  readonly files: FormSubmissionRecord['files']
  readonly submittedBy: FormSubmissionRecord['submittedBy']
  readonly source: FormSubmissionRecord['source']
  /** Idempotency key of one page view; null for other sources. */
  readonly sessionKey: string | null
}

const shards = 64

/** Inserts a submission with its documents, counts, audit and event. Returns the record. */
export async function insertSubmission(
  tx: Transaction,
  context: ChangeContext,
  submission: NewSubmission,
): Promise<FormSubmissionRecord> {
  const { templateId, templateVersion, studentId, applicationId, answers, files, submittedBy, source } = submission
  const id = newId()
  await tx.query(sql`
    insert into form_submissions (tenant_id, id, template_id, template_version, student_id, application_id, answers,
                                  submitter_name, submitter_email, source, session_key, created_at, updated_at)
    select ${tx.tenantId}, ${id}, ${templateId}, ${templateVersion}, ${studentId}, ${applicationId},
            ${JSON.stringify(answers)}::jsonb, ${submittedBy.name}, ${submittedBy.email}, ${source},
            ${submission.sessionKey}, stamp, stamp
      from ${moment}`)
  for (const [index, { documentId, fieldKey }] of files.entries()) {
    tx.send(sql`
      insert into form_submission_files (tenant_id, submission_id, document_id, field_key, position)
      values (${tx.tenantId}, ${id}, ${documentId}, ${fieldKey}, ${index + 1})`)
  }
  tx.send(sql`
    insert into form_submission_counts (tenant_id, template_id, shard, count, shown_at)
    values (${tx.tenantId}, ${templateId}, pg_backend_pid() % ${shards}, 1, current_stamp())
    on conflict (tenant_id, template_id, shard)
    do update set count = form_submission_counts.count + 1,
                  shown_at = greatest(excluded.shown_at, form_submission_counts.shown_at)`)
  const { record } = await readBack(tx, submissions, id)
  recordChanges(tx, context, [
    { type: 'form_submission.created', list: submissions, entityId: id, before: null, after: record },
  ])
  return record
}
