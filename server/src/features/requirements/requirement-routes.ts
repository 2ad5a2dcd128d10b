import { requirementOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/index.ts'
import { listDocumentTypes } from './document-types.ts'
import { listRequirementProfiles } from './requirement-profiles.ts'
import { readRequirements } from './requirements.ts'

/** The operations of what an institution asks documents for. */
export const requirementRoutes: Route[] = implement(requirementOperations, {
  listDocumentTypes: (database, { context }) => listDocumentTypes(database, context.tenant.id),
  listRequirementProfiles: (database, { context }) => listRequirementProfiles(database, context.tenant.id),
  getRequirements: (database, { context, query }) => readRequirements(database, context.tenant.id, query),
})
