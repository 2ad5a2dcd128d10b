import { type ProblemCode, problems } from '../problems.ts'
import type { JsonObject } from '../schema.ts'

const id = '01985b2e-5a00-7000-8000-000000000101'
const requestId = '01985b2e-5a00-7000-8000-0000000000ff'

/** The detail and members of an example problem, by code. */
interface Occurrence {
  readonly detail: string
  readonly extra?: JsonObject
}

const occurrences: Record<ProblemCode, Occurrence> = {
  malformed_json: { detail: 'The body cannot be parsed as JSON. Check its quotes, commas and braces.' },
  validation_failed: {
    detail: '#/amount: must be greater than 0 (and 1 more in errors).',
    extra: {
      errors: [
        { in: 'body', pointer: '#/amount', code: 'too_small', detail: 'must be greater than 0' },
        { in: 'query', name: 'limit', code: 'too_large', detail: 'must be at most 100' },
      ],
    },
  },
  idempotency_key_missing: { detail: 'This operation needs an Idempotency-Key header, such as a new UUID.' },
  idempotency_key_invalid: { detail: 'The Idempotency-Key must be 1 to 255 printable ASCII characters.' },
  authentication_required: { detail: 'Send the header Authorization: Bearer <token>.' },
  invalid_token: { detail: 'This token is not valid here. Check that it was copied whole and begins with mtc_.' },
  token_expired: { detail: 'This token has expired. Ask the institution for a new one.' },
  token_revoked: { detail: 'This token was revoked. Ask the institution for a new one.' },
  signature_invalid: { detail: 'X-Razorpay-Signature is not the signature of this body by the secret of the webhook.' },
  tenant_suspended: { detail: 'The tenant grand-bend is suspended.' },
  insufficient_scope: {
    detail: 'This operation needs the scope payments:write.',
    extra: { requiredScope: 'payments:write', grantedScopes: ['payments:read', 'students:read'] },
  },
  insufficient_role: {
    detail: 'This needs one of the roles System Manager.',
    extra: { requiredRoles: ['System Manager'] },
  },
  csrf_token_invalid: {
    detail: 'Send the token of the session in X-Frappe-CSRF-Token; frappe.sessions.get_csrf_token tells it.',
  },
  module_not_enabled: {
    detail: 'The tenant has not enabled staff_payments.',
    extra: { missingModules: ['staff_payments'] },
  },
  domain_not_granted: {
    detail: 'This token may not write the domain payments.',
    extra: { domain: 'payments', masterDomains: ['students'] },
  },
  system_of_record_elsewhere: {
    detail: 'The domain payments is owned by the institution’s own console.',
    extra: { domain: 'payments', systemOfRecord: 'platform' },
  },
  route_not_found: { detail: 'No operation has this path. The reference is at /docs.' },
  resource_not_found: { detail: 'There is no payment with this id.' },
  request_timeout: {
    detail: 'Nothing of the body, or too little of it, came within 60 s. Send the request again, at once as a whole.',
  },
  method_not_allowed: { detail: 'This address takes GET, HEAD, PATCH.' },
  idempotency_key_in_use: { detail: 'A request with this key is still being processed. Repeat it in a second.' },
  external_id_taken: {
    detail: 'Another payment has this externalId. Use that record (existingId), or send another externalId.',
    extra: { existingId: id },
  },
  already_exists: {
    detail: 'Another student has this studentCode. Use that record (existingId), or send another studentCode.',
    extra: { existingId: id },
  },
  state_conflict: {
    detail: 'The amount of this payment is that of its fee.',
    extra: { currentState: 'submitted' },
  },
  transition_not_allowed: {
    detail: 'An application cannot move from enrolled to new.',
    extra: { currentState: 'enrolled', allowed: ['withdrawn'] },
  },
  requirements_incomplete: {
    detail: 'One required document is missing.',
    extra: { missing: [{ requirementId: '01985b2e-5a00-7000-8000-000000000201', label: 'Birth certificate' }] },
  },
  webhook_limit_reached: {
    detail: 'There are 20 endpoints, which is the maximum. Delete one first.',
    extra: { limit: 20 },
  },
  upload_incomplete: { detail: 'Nothing is stored for this version. Send the file to its upload address first.' },
  link_expired: { detail: 'This upload address has expired. Ask for a new one.' },
  link_revoked: { detail: 'This link was revoked. Ask the institution for a new one.' },
  position_expired: {
    detail: 'Events after the position 17 have been deleted. Events after 2041 are available.',
    extra: { earliest: '2041' },
  },
  precondition_failed: {
    detail: 'The record is at "4". Read it again, apply your change to that, and send its ETag.',
  },
  content_too_large: { detail: 'The body may have at most 1048576 bytes.', extra: { maxBytes: 1_048_576 } },
  unsupported_media_type: { detail: 'Send the body as application/json.', extra: { allowed: ['application/json'] } },
  idempotency_key_reused: {
    detail: 'This key was used for createPayment with another path or body. Use a new key.',
    extra: { originalOperation: 'createPayment' },
  },
  batch_refused: {
    detail: 'At least one item was rejected, so that nothing was written.',
    extra: {
      data: [
        { externalId: 'T-1', outcome: 'created', id, problem: null },
        { externalId: 'T-2', outcome: 'refused', id: null, problem: { code: 'reference_not_found', status: 422 } },
      ],
    },
  },
  reference_not_found: {
    detail: 'studentId names no student of this tenant.',
    extra: {
      errors: [{ in: 'body', pointer: '#/studentId', code: 'inconsistent', detail: 'names no student of this tenant' }],
    },
  },
  unknown_pipeline_status: {
    detail: 'The pipeline has no active status with the key visited.',
    extra: { allowed: ['new', 'in_review', 'accepted', 'rejected'] },
  },
  file_rejected: {
    detail: 'The file is not of the announced type.',
    extra: { expected: { mimeType: 'application/pdf' }, found: { mimeType: 'text/html' } },
  },
  record_too_large: {
    detail: 'The record would have 4500000 bytes. Shorten its free fields, or take contacts or links away.',
    extra: { maxBytes: 4_194_304 },
  },
  rule_violated: { detail: 'The pipeline has no active status.', extra: { rule: 'pipeline_has_statuses' } },
  statement_rejected: {
    detail: 'Line 42, column 1: The file ends inside of Document/BkToCstmrStmt. Nothing was imported.',
    extra: {
      errors: [{ line: 42, column: 1, code: 'truncated', detail: 'The file ends inside of Document/BkToCstmrStmt.' }],
    },
  },
  rate_limit_exceeded: { detail: 'The quota of 600 requests per minute is used up. Wait 42 s.' },
  authentication_throttled: { detail: 'Too many invalid tokens came from this address. Wait 42 s.' },
  internal_error: { detail: 'The service failed. Nothing was written; the request may be repeated.' },
  service_unavailable: { detail: 'The database cannot be reached. Try again shortly.' },
}

/** The example problem document of a code (RFC 9457). */
export function problemExample(code: ProblemCode, publicUrl: string): JsonObject {
  const { detail, extra } = occurrences[code]
  const { title, status } = problems[code]
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    code,
    detail,
    instance: `urn:uuid:${requestId}`,
    requestId,
    ...extra,
  }
}
