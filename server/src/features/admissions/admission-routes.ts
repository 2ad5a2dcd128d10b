import { Application, admissionOperations, customFieldResources } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { getUpserts, implement, type UpsertPlatform } from '../../http/index.ts'
import { deletedRecords, readPage } from '../../listing/index.ts'
import { showCustomFields } from '../../record-engine/index.ts'
import { linkContact, unlinkContact, updateLink } from './application-contacts.ts'
import { applications } from './application-store.ts'
import { applicationUpserting, prepareCreate, updateApplication } from './applications.ts'
import { listPipelineStatuses } from './pipeline.ts'

/** The operations of admissions. */
export const admissionRoutes = (platform: UpsertPlatform) => {
  const upserts = getUpserts(applicationUpserting, admissionOperations.upsertApplicationByExternalId, platform)
  const routes = implement(admissionOperations, {
    listPipelineStatuses: (database, { context }) => listPipelineStatuses(database, context.tenant.id),
    listApplications: (database, { context, query }) => readPage(database, context.tenant.id, applications, query),
    listDeletedApplications: (database, { context, query }) =>
      readPage(database, context.tenant.id, deletedRecords(applications), query),
    getApplication: (database, { context, params }) => readOne(database, context.tenant.id, applications, params.id),
    createApplication: { prepare: (_, { context, body }) => prepareCreate(platform.names, context, body) },
    updateApplication: (tx, { context, params, body }) => updateApplication(tx, context, params.id, body),
    upsertApplicationByExternalId: upserts.one,
    batchApplications: upserts.batch,
    linkApplicationContact: (tx, { context, params, body }) => linkContact(tx, context, params.id, body),
    updateApplicationContact: (tx, { context, params, body }) =>
      updateLink(tx, context, params.id, params.linkId, body),
    unlinkApplicationContact: (tx, { context, params }) => unlinkContact(tx, context, params.id, params.linkId),
  })
  return showCustomFields(customFieldResources.applications, Application, routes)
}
