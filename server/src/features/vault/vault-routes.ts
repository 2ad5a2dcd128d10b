import { vaultOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/implement.ts'
import { deletedRecords } from '../../platform/deleted-records.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { createRequest, updateRequest } from './document-requests.ts'
import { documents } from './document-store.ts'
import { listDocumentTypes } from './document-types.ts'
import { linkDocument, updateDocument } from './documents.ts'
import { downloadDocument } from './downloads.ts'
import type { RequestLinks } from './request-links.ts'
import { documentRequests } from './request-store.ts'
import { listRequirementProfiles } from './requirement-profiles.ts'
import { readRequirements } from './requirements.ts'
import { prepareCompletion } from './upload-completion.ts'
import { prepareRenewal, prepareUploadIntent } from './upload-intents.ts'
import type { VaultFiles } from './vault-files.ts'

/** The operations of the vault over the files of a service and the addresses of its public pages. */
export function vaultRoutes(files: VaultFiles, links: RequestLinks): Route[] {
  return implement(vaultOperations, {
    listDocumentTypes: (database, { context }) => listDocumentTypes(database, context.tenant.id),
    listDocuments: (database, { context, query }) => readPage(database, context.tenant.id, documents, query),
    listDeletedDocuments: (database, { context, query }) =>
      readPage(database, context.tenant.id, deletedRecords('vault_document', 'document'), query),
    getDocument: (database, { context, params }) => readOne(database, context.tenant.id, documents, params.id),
    createUploadIntent: {
      prepare: (_database, { context, body }) => prepareUploadIntent(files, context, body),
    },
    renewUploadUrl: {
      prepare: (database, { context, params }) => prepareRenewal(files, database, context, params),
    },
    completeUpload: {
      prepare: (database, { context, params, body }) => prepareCompletion(files, database, context, params, body),
    },
    downloadDocument: (database, { context, params, query }) =>
      downloadDocument(files, database, context, params.id, query),
    updateDocument: (tx, { context, params, body }) => updateDocument(tx, context, params.id, body),
    listRequirementProfiles: (database, { context }) => listRequirementProfiles(database, context.tenant.id),
    getRequirements: (database, { context, query }) => readRequirements(database, context.tenant.id, query),
    createDocumentRequest: {
      prepare:
        async (_database, { context, body }) =>
        (tx) =>
          createRequest(tx, context, body),
      revive: (request, { context }) => ({
        ...request,
        publicUrl: links.addressOf({ tenantId: context.tenant.id, requestId: request.id }),
      }),
    },
    listDocumentRequests: (database, { context, query }) =>
      readPage(database, context.tenant.id, documentRequests, query),
    getDocumentRequest: (database, { context, params }) =>
      readOne(database, context.tenant.id, documentRequests, params.id),
    updateDocumentRequest: (tx, { context, params, body }) => updateRequest(tx, context, params.id, body),
    linkDocument: (tx, { context, params, body }) => linkDocument(tx, context, params.id, body),
  })
}
