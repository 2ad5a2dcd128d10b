export {
  type DocumentTypeSettings,
  documentTypeSettings,
  readDocumentTypeSettings,
  saveDocumentType,
} from './document-type-settings.ts'
export {
  type DocumentTypeRecord,
  findDocumentTypes,
  readDocumentType,
  requireApplies,
  requireDocumentType,
  requireDocumentTypeByKey,
  seedDocumentTypes,
} from './document-types.ts'
export { idsOfCodes, type Owner, ownerCodes, ownerColumns, ownerTables, requireOwner } from './owners.ts'
export {
  codeColumns,
  type RequirementProfileSettings,
  readProfileSettings,
  requirementProfileSettings,
  saveRequirementProfile,
} from './profile-settings.ts'
export { requirementRoutes } from './requirement-routes.ts'
export {
  loadCompleteness,
  profileConcerns,
  readRequirements,
  requireCompleteDocuments,
  type UnansweredRequirement,
  unansweredRequirements,
} from './requirements.ts'
