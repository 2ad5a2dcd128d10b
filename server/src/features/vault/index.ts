export { sweepUploadsJob } from './abandoned-uploads.ts'
export { archiveDocument } from './document-changes.ts'
export {
  type DocumentTypeSettings,
  documentTypeSettings,
  readDocumentTypeSettings,
  saveDocumentType,
} from './document-type-settings.ts'
export { type DocumentTypeRecord, findDocumentTypes, seedDocumentTypes } from './document-types.ts'
export { linkDocument } from './documents.ts'
export { expireDocumentsJob, expireRequestsJob } from './expiry.ts'
export { type Owner, ownerTables } from './owners.ts'
export {
  codeColumns,
  type RequirementProfileSettings,
  readProfileSettings,
  requirementProfileSettings,
  saveRequirementProfile,
} from './profile-settings.ts'
export { receiveItemFile, removeItemFile, type SentFile } from './public-request-files.ts'
export {
  findPublicRequest,
  type PublicItem,
  type PublicRequest,
  type PublicVisit,
  recordView,
  submitRequest,
} from './public-requests.ts'
export { type ReceivedFile, receiveFile } from './received-files.ts'
export { recordRefusedUpload } from './refusals.ts'
export { RequestLinks } from './request-links.ts'
export { requestMailComposer } from './request-mails.ts'
export { requestPages } from './request-page.ts'
export { requireCompleteDocuments } from './requirements.ts'
export type { VaultFiles } from './vault-files.ts'
export { vaultRoutes } from './vault-routes.ts'
