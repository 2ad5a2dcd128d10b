import type { LoadedTable } from '../copy.ts'

/** The tables of the vault and of forms that are loaded, in an order in which every link finds its target. */

export const profilesTable = table('requirement_profiles', [
  'id',
  'key',
  'name',
  'description',
  'applies_to',
  'is_active',
  'created_at',
  'updated_at',
])

export const requirementsTable = table('requirements', [
  'id',
  'profile_id',
  'document_type_id',
  'label',
  'translations',
  'instructions',
  'is_required',
  'min_files',
  'due_days',
  'position',
])

export const documentsTable = table('documents', [
  'id',
  'external_id',
  'document_type_id',
  'title',
  'description',
  'status',
  'issued_at',
  'expires_at',
  'reviewed_at',
  'reviewed_by',
  'rejection_reason',
  'source',
  'metadata',
  'created_at',
  'updated_at',
])

export const versionsTable = table('document_versions', [
  'id',
  'document_id',
  'version_number',
  'status',
  'file_name',
  'mime_type',
  'size_bytes',
  'checksum_sha256',
  'uploaded_at',
  'failure_reason',
  'created_at',
])

export const documentLinksTable = table('document_links', [
  'id',
  'document_id',
  'student_id',
  'application_id',
  'created_at',
])

export const requestsTable = table('document_requests', [
  'id',
  'external_id',
  'student_id',
  'application_id',
  'title',
  'message',
  'recipient_contact_id',
  'recipient_name',
  'recipient_email',
  'recipient_phone',
  'locale',
  'status',
  'expires_at',
  'revoked_at',
  'revoked_reason',
  'completed_at',
  'first_viewed_at',
  'last_viewed_at',
  'submitted_at',
  'created_at',
  'updated_at',
])

export const requestItemsTable = table('document_request_items', [
  'id',
  'request_id',
  'document_type_id',
  'label',
  'instructions',
  'is_required',
  'status',
  'rejection_reason',
  'document_id',
  'position',
])

export const templatesTable = table('form_templates', [
  'id',
  'key',
  'name',
  'description',
  'translations',
  'category',
  'status',
  'is_public',
  'current_version',
  'created_at',
  'updated_at',
])

export const templateVersionsTable = table('form_template_versions', [
  'template_id',
  'version_number',
  'entity_type',
  'sections',
  'fields',
  'mapping',
  'translations',
  'published_at',
  'created_at',
])

export const submissionsTable = table('form_submissions', [
  'id',
  'template_id',
  'template_version',
  'student_id',
  'application_id',
  'status',
  'answers',
  'submitter_name',
  'submitter_email',
  'source',
  'submitted_at',
  'created_at',
  'updated_at',
])

export const submissionCountsTable = table('form_submission_counts', ['template_id', 'shard', 'count'])

function table<const Column extends string>(name: string, columns: readonly Column[]): LoadedTable<Column> {
  return { name, columns }
}
