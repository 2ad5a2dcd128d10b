import type { Scope } from './access.ts'

/** What is done with the records of the Resource and Method API, each an event of the type's name in snake case. */
export const recordVerbs = ['created', 'updated', 'submitted', 'cancelled', 'deleted', 'renamed'] as const
export type RecordVerb = (typeof recordVerbs)[number]
export type RecordEventType = `${string}.${RecordVerb}`

/** Kinds of records that only the Resource and Method API has, whose events a reader of the roster gets. */
const rosterNouns = [
  'academic_year',
  'academic_term',
  'department',
  'room',
  'instructor',
  'student_group',
  'program_enrollment',
  'course_enrollment',
  'course_schedule',
] as const

/** Those whose events a reader of the gradebook gets. */
const gradebookNouns = ['assessment_plan', 'assessment_result'] as const

type RecordEvents<Noun extends string, Read extends Scope> = Readonly<Record<`${Noun}.${RecordVerb}`, Read>>

/** Every type of event of kinds of records, with the scope that reads them. */
function eventsOfRecords<const Noun extends string, const Read extends Scope>(
  nouns: readonly Noun[],
  scope: Read,
): RecordEvents<Noun, Read> {
  const types = nouns.flatMap((noun) => recordVerbs.map((verb) => [`${noun}.${verb}`, scope] as const))
  return Object.fromEntries(types) as RecordEvents<Noun, Read>
}

/** Every type of event, `noun.past_verb`, with the scope that a reader of it needs beside `events:read`. */
export const eventTypes = {
  'student.created': 'students:read',
  'student.updated': 'students:read',
  'student.deleted': 'students:read',
  'admission_application.created': 'admissions:read',
  'admission_application.updated': 'admissions:read',
  'admission_application.status_changed': 'admissions:read',
  'admission_application.submitted': 'admissions:read',
  'admission_application.cancelled': 'admissions:read',
  'admission_application.deleted': 'admissions:read',
  'admission_contact.linked': 'admissions:read',
  'admission_contact.updated': 'admissions:read',
  'admission_contact.unlinked': 'admissions:read',
  'admission_pipeline_status.created': 'admissions:read',
  'admission_pipeline_status.updated': 'admissions:read',
  'payment.created': 'payments:read',
  'payment.updated': 'payments:read',
  'payment.status_changed': 'payments:read',
  'payment.unapplied': 'payments:read',
  'payment.deleted': 'payments:read',
  'fee.created': 'payments:read',
  'fee.updated': 'payments:read',
  'fee.submitted': 'payments:read',
  'fee.cancelled': 'payments:read',
  'fee.deleted': 'payments:read',
  'fee.renamed': 'payments:read',
  'billing_account.created': 'billing:read',
  'billing_account.updated': 'billing:read',
  'receipt.posted': 'billing:read',
  'receipt.reversed': 'billing:read',
  'payout.posted': 'billing:read',
  'payout.reversed': 'billing:read',
  'obligation.split': 'billing:read',
  'obligation.written_off': 'billing:read',
  'obligation.credited': 'billing:read',
  'obligation.dunning_changed': 'billing:read',
  'dunning_run.created': 'billing:read',
  'dunning_notice.sent': 'billing:read',
  'bank_statement.imported': 'billing:read',
  'direct_debit.created': 'billing:read',
  'direct_debit.returned': 'billing:read',
  'attendance.created': 'students:read',
  'attendance.updated': 'students:read',
  'attendance.submitted': 'students:read',
  'attendance.cancelled': 'students:read',
  'attendance.deleted': 'students:read',
  'attendance.renamed': 'students:read',
  'program.created': 'programs:read',
  'program.updated': 'programs:read',
  'program.deleted': 'programs:read',
  'course.created': 'courses:read',
  'course.updated': 'courses:read',
  'course.deleted': 'courses:read',
  ...eventsOfRecords(rosterNouns, 'roster:read'),
  ...eventsOfRecords(gradebookNouns, 'gradebook:read'),
  'vault_document.created': 'vault:read',
  'vault_document.updated': 'vault:read',
  'vault_document.linked': 'vault:read',
  'vault_document.deleted': 'vault:read',
  'vault_version.completed': 'vault:read',
  'vault_request.created': 'vault:read',
  'vault_request.updated': 'vault:read',
  'vault_request.revoked': 'vault:read',
  'vault_request.completed': 'vault:read',
  'vault_document_type.created': 'vault:read',
  'vault_document_type.updated': 'vault:read',
  'vault_requirement_profile.created': 'vault:read',
  'vault_requirement_profile.updated': 'vault:read',
  'form_template.created': 'forms:read',
  'form_template.updated': 'forms:read',
  'form_submission.created': 'forms:read',
  'gradebook_category.created': 'gradebook:read',
  'gradebook_category.updated': 'gradebook:read',
  'gradebook_category.deleted': 'gradebook:read',
  'line_item.created': 'gradebook:read',
  'line_item.updated': 'gradebook:read',
  'line_item.deleted': 'gradebook:read',
  'line_item_result.created': 'gradebook:read',
  'line_item_result.updated': 'gradebook:read',
  'line_item_result.deleted': 'gradebook:read',
  'score_scale.created': 'gradebook:read',
  'score_scale.updated': 'gradebook:read',
  'score_scale.deleted': 'gradebook:read',
  'assessment_line_item.created': 'gradebook:read',
  'assessment_line_item.updated': 'gradebook:read',
  'assessment_line_item.deleted': 'gradebook:read',
  'assessment_line_item_result.created': 'gradebook:read',
  'assessment_line_item_result.updated': 'gradebook:read',
  'assessment_line_item_result.deleted': 'gradebook:read',
  'webhook.created': 'audit:read',
  'webhook.updated': 'audit:read',
  'webhook.deleted': 'audit:read',
  'webhook.rotated': 'audit:read',
  'webhook.disabled': 'audit:read',
  'api_key.created': 'audit:read',
  'api_key.rotated': 'audit:read',
  'api_key.revoked': 'audit:read',
  'user.created': 'audit:read',
  'user.updated': 'audit:read',
  'role.created': 'audit:read',
  'role.deleted': 'audit:read',
  'tenant.created': 'audit:read',
  'tenant.updated': 'audit:read',
} as const

export type EventType = keyof typeof eventTypes

/**
 * The kinds of records that the feed tells of, each with the scope that a reader of them needs beside `events:read`.
 */
export const eventScopes: ReadonlyMap<string, Scope> = new Map(
  Object.entries(eventTypes).map(([type, scope]) => [type.split('.')[0] as string, scope]),
)

/** The kinds of records that events and the audit speak of. */
export const entityTypes = [
  'student',
  'admission_application',
  'admission_contact',
  'admission_pipeline_status',
  'payment',
  'billing_account',
  'receipt',
  'payout',
  'obligation',
  'dunning_run',
  'dunning_notice',
  'bank_statement',
  'direct_debit',
  'program',
  'course',
  'vault_document',
  'vault_version',
  'vault_request',
  'vault_document_type',
  'vault_requirement_profile',
  'form_template',
  'form_submission',
  'gradebook_category',
  'line_item',
  'line_item_result',
  'score_scale',
  'assessment_line_item',
  'assessment_line_item_result',
  'webhook',
  'saved_view',
  'bulk_job',
  'api_key',
  'user',
  'role',
  'tenant',
] as const
export type EntityType = (typeof entityTypes)[number]
