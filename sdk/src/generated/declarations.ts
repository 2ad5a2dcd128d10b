// Made from the declarations by npm run generate. Not to be edited.

/** Where each operation is, and how it treats repetition. */
export const operationTable = {
  getTokenContext: { method: 'GET', path: '/me', repeats: 'none' },
  listStudents: { method: 'GET', path: '/students', repeats: 'none' },
  listDeletedStudents: { method: 'GET', path: '/students/deleted', repeats: 'none' },
  batchStudents: { method: 'POST', path: '/students/batch', repeats: 'required' },
  getStudent: { method: 'GET', path: '/students/{id}', repeats: 'none' },
  createStudent: { method: 'POST', path: '/students', repeats: 'required' },
  updateStudent: { method: 'PATCH', path: '/students/{id}', repeats: 'none' },
  upsertStudentByExternalId: { method: 'PUT', path: '/students/external/{externalId}', repeats: 'natural' },
  listPipelineStatuses: { method: 'GET', path: '/admissions/pipeline/statuses', repeats: 'none' },
  listApplications: { method: 'GET', path: '/admissions/applications', repeats: 'none' },
  listDeletedApplications: { method: 'GET', path: '/admissions/applications/deleted', repeats: 'none' },
  batchApplications: { method: 'POST', path: '/admissions/applications/batch', repeats: 'required' },
  getApplication: { method: 'GET', path: '/admissions/applications/{id}', repeats: 'none' },
  createApplication: { method: 'POST', path: '/admissions/applications', repeats: 'required' },
  updateApplication: { method: 'PATCH', path: '/admissions/applications/{id}', repeats: 'none' },
  upsertApplicationByExternalId: { method: 'PUT', path: '/admissions/applications/external/{externalId}', repeats: 'natural' },
  linkApplicationContact: { method: 'POST', path: '/admissions/applications/{id}/contacts', repeats: 'required' },
  updateApplicationContact: { method: 'PATCH', path: '/admissions/applications/{id}/contacts/{linkId}', repeats: 'none' },
  unlinkApplicationContact: { method: 'DELETE', path: '/admissions/applications/{id}/contacts/{linkId}', repeats: 'none' },
  listPayments: { method: 'GET', path: '/payments', repeats: 'none' },
  listDeletedPayments: { method: 'GET', path: '/payments/deleted', repeats: 'none' },
  batchPayments: { method: 'POST', path: '/payments/batch', repeats: 'required' },
  getPayment: { method: 'GET', path: '/payments/{id}', repeats: 'none' },
  createPayment: { method: 'POST', path: '/payments', repeats: 'required' },
  updatePayment: { method: 'PATCH', path: '/payments/{id}', repeats: 'none' },
  upsertPaymentByExternalId: { method: 'PUT', path: '/payments/external/{externalId}', repeats: 'natural' },
  listBillingAccounts: { method: 'GET', path: '/billing/accounts', repeats: 'none' },
  getBillingAccount: { method: 'GET', path: '/billing/accounts/{id}', repeats: 'none' },
  createBillingAccount: { method: 'POST', path: '/billing/accounts', repeats: 'required' },
  upsertBillingAccountByExternalId: { method: 'PUT', path: '/billing/accounts/external/{externalId}', repeats: 'natural' },
  updateBillingAccount: { method: 'PATCH', path: '/billing/accounts/{id}', repeats: 'none' },
  replaceStudentShares: { method: 'PUT', path: '/billing/students/{studentId}/shares', repeats: 'natural' },
  listObligations: { method: 'GET', path: '/billing/accounts/{id}/obligations', repeats: 'none' },
  splitObligation: { method: 'POST', path: '/billing/obligations/{paymentId}/split', repeats: 'required' },
  writeOffObligation: { method: 'POST', path: '/billing/obligations/{paymentId}/write-off', repeats: 'required' },
  creditObligation: { method: 'POST', path: '/billing/obligations/{paymentId}/credit', repeats: 'required' },
  listReceipts: { method: 'GET', path: '/billing/receipts', repeats: 'none' },
  getReceipt: { method: 'GET', path: '/billing/receipts/{id}', repeats: 'none' },
  createReceipt: { method: 'POST', path: '/billing/receipts', repeats: 'required' },
  reverseReceipt: { method: 'POST', path: '/billing/receipts/{id}/reverse', repeats: 'required' },
  listPayouts: { method: 'GET', path: '/billing/payouts', repeats: 'none' },
  getPayout: { method: 'GET', path: '/billing/payouts/{id}', repeats: 'none' },
  createPayout: { method: 'POST', path: '/billing/payouts', repeats: 'required' },
  reversePayout: { method: 'POST', path: '/billing/payouts/{id}/reverse', repeats: 'required' },
  getBillingDocument: { method: 'GET', path: '/billing/accounts/{id}/documents/{number}', repeats: 'none' },
  importBankStatement: { method: 'POST', path: '/billing/bank-statements', repeats: 'natural' },
  listBankStatements: { method: 'GET', path: '/billing/bank-statements', repeats: 'none' },
  getBankStatement: { method: 'GET', path: '/billing/bank-statements/{id}', repeats: 'none' },
  listBankStatementLines: { method: 'GET', path: '/billing/bank-statements/{id}/lines', repeats: 'none' },
  matchBankStatementLine: { method: 'POST', path: '/billing/bank-statements/{id}/lines/{lineId}/match', repeats: 'none' },
  unmatchBankStatementLine: { method: 'POST', path: '/billing/bank-statements/{id}/lines/{lineId}/unmatch', repeats: 'none' },
  getStatement: { method: 'GET', path: '/billing/accounts/{id}/statement', repeats: 'none' },
  listAgeing: { method: 'GET', path: '/billing/ageing', repeats: 'none' },
  getJournal: { method: 'GET', path: '/billing/journal', repeats: 'none' },
  createDunningRun: { method: 'POST', path: '/billing/dunning-runs', repeats: 'required' },
  listDunningRuns: { method: 'GET', path: '/billing/dunning-runs', repeats: 'none' },
  getDunningRun: { method: 'GET', path: '/billing/dunning-runs/{id}', repeats: 'none' },
  getDunningNotice: { method: 'GET', path: '/billing/dunning-runs/{id}/notices/{noticeId}', repeats: 'none' },
  sendDunningRun: { method: 'POST', path: '/billing/dunning-runs/{id}/send', repeats: 'required' },
  holdDunning: { method: 'PUT', path: '/billing/obligations/{paymentId}/dunning-hold', repeats: 'natural' },
  getBillingTimeline: { method: 'GET', path: '/billing/accounts/{id}/timeline', repeats: 'none' },
  listDirectDebits: { method: 'GET', path: '/billing/direct-debits', repeats: 'none' },
  getDirectDebit: { method: 'GET', path: '/billing/direct-debits/{id}', repeats: 'none' },
  createDirectDebit: { method: 'POST', path: '/billing/direct-debits', repeats: 'required' },
  returnDirectDebits: { method: 'POST', path: '/billing/direct-debits/{id}/returns', repeats: 'required' },
  listPrograms: { method: 'GET', path: '/programs', repeats: 'none' },
  getProgram: { method: 'GET', path: '/programs/{id}', repeats: 'none' },
  listCourses: { method: 'GET', path: '/courses', repeats: 'none' },
  getCourse: { method: 'GET', path: '/courses/{id}', repeats: 'none' },
  listDocuments: { method: 'GET', path: '/vault/documents', repeats: 'none' },
  listDeletedDocuments: { method: 'GET', path: '/vault/documents/deleted', repeats: 'none' },
  getDocument: { method: 'GET', path: '/vault/documents/{id}', repeats: 'none' },
  createUploadIntent: { method: 'POST', path: '/vault/documents/upload-intents', repeats: 'required' },
  renewUploadUrl: { method: 'POST', path: '/vault/documents/{documentId}/versions/{versionId}/upload-url', repeats: 'none' },
  completeUpload: { method: 'POST', path: '/vault/documents/{documentId}/versions/{versionId}/complete', repeats: 'natural' },
  downloadDocument: { method: 'GET', path: '/vault/documents/{id}/download', repeats: 'none' },
  updateDocument: { method: 'PATCH', path: '/vault/documents/{id}', repeats: 'none' },
  linkDocument: { method: 'POST', path: '/vault/documents/{id}/links', repeats: 'none' },
  listDocumentTypes: { method: 'GET', path: '/vault/document-types', repeats: 'none' },
  listRequirementProfiles: { method: 'GET', path: '/vault/requirement-profiles', repeats: 'none' },
  getRequirements: { method: 'GET', path: '/vault/requirements', repeats: 'none' },
  createDocumentRequest: { method: 'POST', path: '/vault/requests', repeats: 'required' },
  listDocumentRequests: { method: 'GET', path: '/vault/requests', repeats: 'none' },
  getDocumentRequest: { method: 'GET', path: '/vault/requests/{id}', repeats: 'none' },
  updateDocumentRequest: { method: 'PATCH', path: '/vault/requests/{id}', repeats: 'none' },
  listFormTemplates: { method: 'GET', path: '/forms/templates', repeats: 'none' },
  listFormSubmissions: { method: 'GET', path: '/forms/submissions', repeats: 'none' },
  listEvents: { method: 'GET', path: '/events', repeats: 'none' },
  createWebhook: { method: 'POST', path: '/webhooks', repeats: 'required' },
  listWebhooks: { method: 'GET', path: '/webhooks', repeats: 'none' },
  getWebhook: { method: 'GET', path: '/webhooks/{id}', repeats: 'none' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}', repeats: 'none' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}', repeats: 'none' },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{id}/rotate-secret', repeats: 'required' },
  testWebhook: { method: 'POST', path: '/webhooks/{id}/test', repeats: 'required' },
  listDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries', repeats: 'none' },
  redeliver: { method: 'POST', path: '/webhooks/{id}/redeliveries', repeats: 'required' },
  listAuditEntries: { method: 'GET', path: '/audit', repeats: 'none' },
  listDisclosures: { method: 'GET', path: '/disclosures', repeats: 'none' },
} as const

/** What a problem has beside its standard members, by code. */
export interface ProblemMembers {
  malformed_json: never
  validation_failed: 'errors'
  idempotency_key_missing: never
  idempotency_key_invalid: never
  authentication_required: never
  invalid_token: never
  signature_invalid: never
  token_expired: never
  token_revoked: never
  tenant_suspended: never
  insufficient_scope: 'requiredScope' | 'grantedScopes'
  insufficient_role: 'requiredRoles'
  csrf_token_invalid: never
  module_not_enabled: 'missingModules'
  domain_not_granted: 'domain' | 'masterDomains'
  system_of_record_elsewhere: 'domain' | 'systemOfRecord'
  route_not_found: never
  resource_not_found: never
  method_not_allowed: never
  request_timeout: never
  idempotency_key_in_use: never
  external_id_taken: 'existingId'
  already_exists: 'existingId'
  state_conflict: 'currentState'
  transition_not_allowed: 'currentState' | 'allowed'
  requirements_incomplete: 'missing'
  webhook_limit_reached: 'limit'
  upload_incomplete: never
  link_expired: never
  link_revoked: never
  position_expired: 'earliest'
  precondition_failed: never
  content_too_large: 'maxBytes'
  unsupported_media_type: 'allowed'
  idempotency_key_reused: 'originalOperation'
  batch_refused: 'data'
  reference_not_found: 'errors'
  unknown_pipeline_status: 'allowed'
  file_rejected: 'expected' | 'found'
  record_too_large: 'maxBytes'
  rule_violated: 'rule'
  statement_rejected: 'errors'
  rate_limit_exceeded: never
  authentication_throttled: never
  internal_error: never
  service_unavailable: never
}

/** The types of events that there are. More may come. */
export type EventType =
  | 'student.created'
  | 'student.updated'
  | 'student.deleted'
  | 'admission_application.created'
  | 'admission_application.updated'
  | 'admission_application.status_changed'
  | 'admission_application.submitted'
  | 'admission_application.cancelled'
  | 'admission_application.deleted'
  | 'admission_contact.linked'
  | 'admission_contact.updated'
  | 'admission_contact.unlinked'
  | 'admission_pipeline_status.created'
  | 'admission_pipeline_status.updated'
  | 'payment.created'
  | 'payment.updated'
  | 'payment.status_changed'
  | 'payment.unapplied'
  | 'payment.deleted'
  | 'fee.created'
  | 'fee.updated'
  | 'fee.submitted'
  | 'fee.cancelled'
  | 'fee.deleted'
  | 'fee.renamed'
  | 'billing_account.created'
  | 'billing_account.updated'
  | 'receipt.posted'
  | 'receipt.reversed'
  | 'payout.posted'
  | 'payout.reversed'
  | 'obligation.split'
  | 'obligation.written_off'
  | 'obligation.credited'
  | 'obligation.dunning_changed'
  | 'dunning_run.created'
  | 'dunning_notice.sent'
  | 'bank_statement.imported'
  | 'direct_debit.created'
  | 'direct_debit.returned'
  | 'attendance.created'
  | 'attendance.updated'
  | 'attendance.submitted'
  | 'attendance.cancelled'
  | 'attendance.deleted'
  | 'attendance.renamed'
  | 'program.created'
  | 'program.updated'
  | 'program.deleted'
  | 'course.created'
  | 'course.updated'
  | 'course.deleted'
  | 'academic_year.created'
  | 'academic_year.updated'
  | 'academic_year.submitted'
  | 'academic_year.cancelled'
  | 'academic_year.deleted'
  | 'academic_year.renamed'
  | 'academic_term.created'
  | 'academic_term.updated'
  | 'academic_term.submitted'
  | 'academic_term.cancelled'
  | 'academic_term.deleted'
  | 'academic_term.renamed'
  | 'department.created'
  | 'department.updated'
  | 'department.submitted'
  | 'department.cancelled'
  | 'department.deleted'
  | 'department.renamed'
  | 'room.created'
  | 'room.updated'
  | 'room.submitted'
  | 'room.cancelled'
  | 'room.deleted'
  | 'room.renamed'
  | 'instructor.created'
  | 'instructor.updated'
  | 'instructor.submitted'
  | 'instructor.cancelled'
  | 'instructor.deleted'
  | 'instructor.renamed'
  | 'student_group.created'
  | 'student_group.updated'
  | 'student_group.submitted'
  | 'student_group.cancelled'
  | 'student_group.deleted'
  | 'student_group.renamed'
  | 'program_enrollment.created'
  | 'program_enrollment.updated'
  | 'program_enrollment.submitted'
  | 'program_enrollment.cancelled'
  | 'program_enrollment.deleted'
  | 'program_enrollment.renamed'
  | 'course_enrollment.created'
  | 'course_enrollment.updated'
  | 'course_enrollment.submitted'
  | 'course_enrollment.cancelled'
  | 'course_enrollment.deleted'
  | 'course_enrollment.renamed'
  | 'course_schedule.created'
  | 'course_schedule.updated'
  | 'course_schedule.submitted'
  | 'course_schedule.cancelled'
  | 'course_schedule.deleted'
  | 'course_schedule.renamed'
  | 'assessment_plan.created'
  | 'assessment_plan.updated'
  | 'assessment_plan.submitted'
  | 'assessment_plan.cancelled'
  | 'assessment_plan.deleted'
  | 'assessment_plan.renamed'
  | 'assessment_result.created'
  | 'assessment_result.updated'
  | 'assessment_result.submitted'
  | 'assessment_result.cancelled'
  | 'assessment_result.deleted'
  | 'assessment_result.renamed'
  | 'vault_document.created'
  | 'vault_document.updated'
  | 'vault_document.linked'
  | 'vault_document.deleted'
  | 'vault_version.completed'
  | 'vault_request.created'
  | 'vault_request.updated'
  | 'vault_request.revoked'
  | 'vault_request.completed'
  | 'vault_document_type.created'
  | 'vault_document_type.updated'
  | 'vault_requirement_profile.created'
  | 'vault_requirement_profile.updated'
  | 'form_template.created'
  | 'form_template.updated'
  | 'form_submission.created'
  | 'gradebook_category.created'
  | 'gradebook_category.updated'
  | 'gradebook_category.deleted'
  | 'line_item.created'
  | 'line_item.updated'
  | 'line_item.deleted'
  | 'line_item_result.created'
  | 'line_item_result.updated'
  | 'line_item_result.deleted'
  | 'score_scale.created'
  | 'score_scale.updated'
  | 'score_scale.deleted'
  | 'assessment_line_item.created'
  | 'assessment_line_item.updated'
  | 'assessment_line_item.deleted'
  | 'assessment_line_item_result.created'
  | 'assessment_line_item_result.updated'
  | 'assessment_line_item_result.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'webhook.rotated'
  | 'webhook.disabled'
  | 'api_key.created'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'user.created'
  | 'user.updated'
  | 'role.created'
  | 'role.deleted'
  | 'tenant.created'
  | 'tenant.updated'
