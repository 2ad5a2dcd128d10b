import { operation, pagedQuery } from '../operation.ts'
import { described, optional, Uuid } from '../schema.ts'
import { CreateRequestBody, DocumentRequest, RequestStatus, UpdateRequestBody } from './document-requests.ts'
import { vault } from './vault.ts'

export const documentRequestOperations = {
  createDocumentRequest: operation(vault, {
    method: 'POST',
    path: '/vault/requests',
    scope: 'vault:write',
    idempotency: 'required',
    summary: 'Create a public document request',
    description:
      'The answer and its idempotent replay are the only ones that tell `publicUrl`: nothing that opens the page is stored.',
    body: CreateRequestBody,
    shape: 'record',
    record: DocumentRequest,
    status: 201,
    location: '/vault/requests/{id}',
    hasEntityTag: true,
    errors: ['external_id_taken', 'reference_not_found', 'rule_violated'],
    events: ['vault_request.created'],
  }),
  listDocumentRequests: operation(vault, {
    method: 'GET',
    path: '/vault/requests',
    scope: 'vault:read',
    idempotency: 'none',
    summary: 'List document requests',
    query: pagedQuery({
      status: optional(described(RequestStatus, 'Only requests in this status.')),
      studentId: optional(described(Uuid, 'Only requests about this student.')),
      applicationId: optional(described(Uuid, 'Only requests about this application.')),
    }),
    shape: 'page',
    record: DocumentRequest,
    status: 200,
    errors: [],
    events: [],
  }),
  getDocumentRequest: operation(vault, {
    method: 'GET',
    path: '/vault/requests/{id}',
    scope: 'vault:read',
    idempotency: 'none',
    summary: 'Read one document request',
    shape: 'record',
    record: DocumentRequest,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  updateDocumentRequest: operation(vault, {
    method: 'PATCH',
    path: '/vault/requests/{id}',
    scope: 'vault:write',
    idempotency: 'none',
    summary: 'Revoke a document request, or move its expiry',
    description: 'Revoking twice changes nothing. A revoked request takes no other change.',
    body: UpdateRequestBody,
    shape: 'record',
    record: DocumentRequest,
    status: 200,
    hasEntityTag: true,
    errors: ['state_conflict', 'rule_violated'],
    events: ['vault_request.revoked', 'vault_request.updated'],
  }),
}
