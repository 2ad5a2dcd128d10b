import { documentOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { deletedRecords, readPage } from '../../listing/index.ts'
import { documents } from './document-store.ts'
import { linkDocument, updateDocument } from './documents.ts'
import { downloadDocument } from './downloads.ts'
import { prepareCompletion } from './upload-completion.ts'
import { prepareRenewal, prepareUploadIntent } from './upload-intents.ts'
import type { VaultFiles } from './vault-files.ts'

/** The operations of documents. */
export function documentRoutes(files: VaultFiles): Route[] {
  return implement(documentOperations, {
    listDocuments: (database, { context, query }) => readPage(database, context.tenant.id, documents, query),
    listDeletedDocuments: (database, { context, query }) =>
      readPage(database, context.tenant.id, deletedRecords(documents), query),
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
    linkDocument: (tx, { context, params, body }) => linkDocument(tx, context, params.id, body),
  })
}
