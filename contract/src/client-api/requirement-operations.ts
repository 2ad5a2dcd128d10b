import { operation } from '../operation.ts'
import { DocumentType } from './documents.ts'
import { RequirementProfile, Requirements, requirementsQuery } from './requirements.ts'
import { vault } from './vault.ts'

export const requirementOperations = {
  listDocumentTypes: operation(vault, {
    method: 'GET',
    path: '/vault/document-types',
    scope: 'vault:read',
    idempotency: 'none',
    summary: 'List the active document types',
    shape: 'list',
    record: DocumentType,
    status: 200,
    errors: [],
    events: [],
  }),
  listRequirementProfiles: operation(vault, {
    method: 'GET',
    path: '/vault/requirement-profiles',
    scope: 'vault:read',
    idempotency: 'none',
    summary: 'List the active requirement profiles',
    shape: 'list',
    record: RequirementProfile,
    status: 200,
    errors: [],
    events: [],
  }),
  getRequirements: operation(vault, {
    method: 'GET',
    path: '/vault/requirements',
    scope: 'vault:read',
    idempotency: 'none',
    summary: 'Read the document requirements of a student or an application',
    query: requirementsQuery,
    shape: 'record',
    record: Requirements,
    status: 200,
    errors: ['resource_not_found'],
    events: [],
  }),
}
