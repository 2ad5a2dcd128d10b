/** One kind of problem: its status, its constant title, when it occurs and what the reader does next. */
export interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly when: string
  readonly remedy: string
  /** Members beside the standard ones, by name, with what they hold. */
  readonly extra?: Readonly<Record<string, string>>
}

/** Every problem of the Client API (RFC 9457). The code is the last part of the problem's `type`. */
export const problems = {
  malformed_json: {
    status: 400,
    title: 'The body is not a JSON object',
    when: 'The body is not valid JSON in UTF-8, is not an object, or is missing where the operation needs one.',
    remedy: 'Send one JSON object in UTF-8 with Content-Type: application/json.',
  },
  validation_failed: {
    status: 400,
    title: 'The request breaks its schema',
    when: 'The path, the query or the body breaks its schema, or has a field or parameter that the operation does not know.',
    remedy: 'Fix every error listed in `errors`, then send the request again. The same Idempotency-Key may be used.',
    extra: { errors: 'every error found, at most 50' },
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    when: 'The operation creates something and must carry an Idempotency-Key.',
    remedy: 'Send an Idempotency-Key that is unique to this creation, such as a UUID, and repeat it on every retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key header is not valid',
    when: 'The key is empty, longer than 255 characters, has characters that are not printable ASCII, or was sent twice.',
    remedy: 'Send one key of 1 to 255 printable ASCII characters, bare or as a quoted string.',
  },
  authentication_required: {
    status: 401,
    title: 'Credentials are required',
    when: 'The request has no bearer token.',
    remedy: 'Send Authorization: Bearer <token>. An operator creates one with `matricula token create`.',
  },
  invalid_token: {
    status: 401,
    title: 'The token is not valid',
    when: 'The token is unknown, damaged, or a key of the Resource API.',
    remedy: 'Check that the whole token was copied, and that it begins with mtc_.',
  },
  signature_invalid: {
    status: 401,
    title: 'The signature is not the sender’s',
    when: 'A call of the card gateway’s webhook is not signed with the secret that the institution has set for it.',
    remedy: 'Enter the same webhook secret at the card gateway and in Education Settings.',
  },
  token_expired: {
    status: 401,
    title: 'The token has expired',
    when: 'The token’s last day has passed.',
    remedy: 'Ask the institution for a new token (`matricula token rotate`).',
  },
  token_revoked: {
    status: 401,
    title: 'The token was revoked',
    when: 'The institution revoked the token.',
    remedy: 'Ask the institution for a new token.',
  },
  tenant_suspended: {
    status: 403,
    title: 'The tenant is suspended',
    when: 'The institution’s account is suspended. Nothing in it can be read or changed.',
    remedy: 'Ask the operator of this service to activate the tenant.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The token lacks the scope',
    when: 'The operation needs a scope that the token was not granted.',
    remedy: 'Use a token with the scope named in `requiredScope`. GET /v1/me shows what a token has.',
    extra: { requiredScope: 'the scope that is needed', grantedScopes: 'the scopes of the token' },
  },
  insufficient_role: {
    status: 403,
    title: 'The person’s roles do not open this',
    when: 'A logged-in user calls an operation that is meant for others: the console is for staff, and parts of it for certain roles.',
    remedy: 'Ask the institution for one of the roles in `requiredRoles`, or use the pages that it gave you.',
    extra: { requiredRoles: 'the roles, one of which is needed' },
  },
  csrf_token_invalid: {
    status: 403,
    title: 'The page’s token is missing or wrong',
    when: 'A write by a logged-in user lacks the session’s token in X-Frappe-CSRF-Token, or was sent by a page of another site.',
    remedy:
      'Get the token with `frappe.sessions.get_csrf_token`, and send the write again from a page of the institution.',
  },
  module_not_enabled: {
    status: 403,
    title: 'The tenant has not enabled the module',
    when: 'The operation belongs to modules that the tenant has not enabled.',
    remedy: 'Ask the operator to enable the modules named in `missingModules`.',
    extra: { missingModules: 'all modules that are needed and not enabled' },
  },
  domain_not_granted: {
    status: 403,
    title: 'The token may not write this domain',
    when: 'The token’s master domains do not include the domain of the operation.',
    remedy: 'Use a token whose `masterDomains` include the domain (`matricula token create --domains`).',
    extra: { domain: 'the domain of the operation', masterDomains: 'the domains of the token' },
  },
  system_of_record_elsewhere: {
    status: 403,
    title: 'Another system owns this domain',
    when: 'The tenant’s system of record for the domain does not permit writes through this API.',
    remedy:
      'Ask the institution to set the domain to `shared` (`matricula tenant update --sor`), or change the record in the system that owns it.',
    extra: { domain: 'the domain of the operation', systemOfRecord: 'the tenant’s setting' },
  },
  route_not_found: {
    status: 404,
    title: 'There is no such address',
    when: 'No operation has this path.',
    remedy: 'Compare the path with the reference at /docs.',
  },
  resource_not_found: {
    status: 404,
    title: 'There is no such record',
    when: 'The tenant has no record with this id.',
    remedy: 'Check the id. Records of other tenants are not visible.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The address does not take this method',
    when: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    when: 'The body stopped arriving, or arrived too slowly. The connection is closed.',
    remedy: 'Send the request again on a new connection, with the same Idempotency-Key.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'A request with this key is being processed',
    when: 'Another request with the same Idempotency-Key has not finished yet.',
    remedy: 'Wait as Retry-After says, then send the same request again. You get the response to the first one.',
  },
  external_id_taken: {
    status: 409,
    title: 'The externalId belongs to another record',
    when: 'A create or a change names an externalId that another record of the tenant has.',
    remedy: 'Update the record in `existingId`, or use PUT …/external/{externalId}, which creates or updates.',
    extra: { existingId: 'the id of the record that has it' },
  },
  already_exists: {
    status: 409,
    title: 'Such a record exists',
    when: 'Another unique value is taken, or the contact is already linked in this role.',
    remedy: 'Use the record in `existingId`, or choose another value.',
    extra: { existingId: 'the id of the record that has it' },
  },
  state_conflict: {
    status: 409,
    title: 'The record’s state forbids this',
    when: 'The record is in a state in which the operation is not possible.',
    remedy: 'Read the record; the detail says which state the operation needs.',
    extra: { currentState: 'the state that the record is in' },
  },
  transition_not_allowed: {
    status: 409,
    title: 'The pipeline does not allow this move',
    when: 'The tenant’s pipeline does not lead from the application’s status to the requested one.',
    remedy: 'Move to one of the statuses in `allowed` first.',
    extra: { currentState: 'the status of the application', allowed: 'the statuses that it may move to' },
  },
  requirements_incomplete: {
    status: 409,
    title: 'Required documents are missing',
    when: 'The requested status needs every required document, and some are still missing.',
    remedy: 'Upload the documents listed in `missing`, or choose another status.',
    extra: { missing: 'the requirements that are not satisfied' },
  },
  webhook_limit_reached: {
    status: 409,
    title: 'The tenant has as many endpoints as it may have',
    when: 'The tenant already has the maximum number of webhook endpoints.',
    remedy: 'Remove one that is not needed (DELETE /v1/webhooks/{id}), or widen the types of another one.',
    extra: { limit: 'the maximum number' },
  },
  upload_incomplete: {
    status: 409,
    title: 'No file has been uploaded',
    when: 'The upload was completed, but nothing is stored under its address.',
    remedy: 'Send the file to the upload address, wait for the response, then complete the upload.',
  },
  link_expired: {
    status: 410,
    title: 'The link has expired',
    when: 'A signed address or the link of a public page has passed its expiry.',
    remedy: 'Ask for a new link: `upload-url` renews an upload, `download` a download, the institution a public page.',
  },
  link_revoked: {
    status: 410,
    title: 'The link was revoked',
    when: 'The institution withdrew the link before it expired.',
    remedy: 'Ask the institution for a new link.',
  },
  position_expired: {
    status: 410,
    title: 'The position is older than what is kept',
    when: 'Events after the position have been deleted, because events are retained for a limited time.',
    remedy: 'Read the records again, then continue with the events after `earliest`.',
    extra: { earliest: 'the position after which all events are still there' },
  },
  precondition_failed: {
    status: 412,
    title: 'The record has changed',
    when: 'If-Match names another version than the stored one. The current one is in the ETag header.',
    remedy: 'Read the record again, apply your change to the current version, and send its new ETag.',
  },
  content_too_large: {
    status: 413,
    title: 'The body is too large',
    when: 'The body has more bytes than the operation takes.',
    remedy: 'Send at most `maxBytes` bytes.',
    extra: { maxBytes: 'the maximum size' },
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body’s media type is not supported',
    when: 'The Content-Type, its charset or the Content-Encoding is not one that the operation takes.',
    remedy: 'Send one of the media types in `allowed`, in UTF-8, without a content encoding.',
    extra: { allowed: 'the media types that are taken' },
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    when: 'The key was already used in the last 24 hours with another operation, path or body.',
    remedy: 'Use a new key for a new creation. Send exactly the same request to get the response to the first one.',
    extra: { originalOperation: 'the operation that used the key' },
  },
  batch_refused: {
    status: 422,
    title: 'The batch was refused',
    when: 'At least one item of an atomic batch was rejected. Nothing was written.',
    remedy:
      'Correct the items whose `outcome` in `data` is `refused`, or send them separately, and send the batch with a new Idempotency-Key.',
    extra: { data: 'the outcome that each item would have had, in the order sent' },
  },
  reference_not_found: {
    status: 422,
    title: 'A field names a record that does not exist',
    when: 'A field holds the id of a record that this tenant does not have.',
    remedy: 'Create the record first, or correct the field listed in `errors`.',
    extra: { errors: 'the fields and what they name' },
  },
  unknown_pipeline_status: {
    status: 422,
    title: 'The tenant’s pipeline has no such status',
    when: 'The status has the right form, but the tenant has not configured it, or it is not active.',
    remedy: 'Use one of the statuses in `allowed` (GET /v1/admissions/pipeline/statuses).',
    extra: { allowed: 'the active statuses' },
  },
  file_rejected: {
    status: 422,
    title: 'The file is not what was announced, or not allowed',
    when: 'The file differs from its announcement in size, checksum or real type, its kind does not take such files, or the virus scanner rejected it.',
    remedy: 'Compare `expected` with `found`. Start a new upload that announces the file as it is.',
    extra: { expected: 'what the file had to be', found: 'what it is' },
  },
  record_too_large: {
    status: 422,
    title: 'The record is too large',
    when: 'The record, with its contacts, links, versions and free fields, has more than `maxBytes` bytes, or would have them.',
    remedy: 'Store less in the record: shorten its free fields, or remove contacts or links.',
    extra: { maxBytes: 'the maximum size of one record' },
  },
  rule_violated: {
    status: 422,
    title: 'A rule of the institution forbids this',
    when: 'The request is well formed, but breaks the business rule named in `rule`.',
    remedy: 'The detail says what would be accepted.',
    extra: { rule: 'the rule' },
  },
  statement_rejected: {
    status: 422,
    title: 'The bank statement is not accepted',
    when: 'The file is truncated or malformed, is of another account or currency, or its balances do not match its lines. Nothing in it is imported.',
    remedy:
      'Download the file from the bank again, unchanged. Its account must be among `bankAccounts` of the institution.',
    extra: { errors: 'what is wrong, each with `line`, `column`, `code` and `detail`' },
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'The token’s quota is used up',
    when: 'The token has used up its requests for this minute.',
    remedy: 'Wait the seconds in Retry-After. The RateLimit headers of each response say how many are left.',
  },
  authentication_throttled: {
    status: 429,
    title: 'Too many failed authentications',
    when: 'This address has sent too many invalid tokens within a minute.',
    remedy: 'Correct the token, wait the seconds in Retry-After, then try again.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    when: 'The service failed. Nothing was written.',
    remedy: 'Send the request again, with the same Idempotency-Key. If it persists, report the request id.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service is not available just now',
    when: 'The database cannot be reached, or too many requests change the same record at once.',
    remedy: 'Wait the seconds in Retry-After, then send the same request again with the same Idempotency-Key.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

/** What is wrong with one field or parameter (`errors[].code`). */
export const faultCodes = [
  'required',
  'wrong_type',
  'unknown_field',
  'too_small',
  'too_large',
  'too_short',
  'too_long',
  'pattern',
  'format',
  'not_in_enum',
  'not_allowed_null',
  'invalid_text',
  'read_only',
  'inconsistent',
] as const
export type FaultCode = (typeof faultCodes)[number]

/** One validation error of a request. In a body it has a JSON Pointer (RFC 6901), else the parameter's name. */
export interface Fault {
  readonly in: 'body' | 'query' | 'path' | 'header'
  readonly pointer?: string
  readonly name?: string
  readonly code: FaultCode
  readonly detail: string
}

/** The maximum validation errors that one problem lists. */
export const maximumFaults = 50
