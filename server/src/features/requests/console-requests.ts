import { type Body, type Fault, type RequestPreview, requestOperations } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import { referenceProblem, validationProblem } from '../../errors/index.ts'
import { implement, type Route, requireUse } from '../../http/index.ts'
import type { RecordRegistry } from '../../record-engine/index.ts'
import type { BulkRunner } from '../bulk-jobs/index.ts'
import { idsOfCodes } from '../requirements/index.ts'
import { loadTenantLanguage, remindOfRequest, restoreRequest } from './document-requests.ts'
import { itemErrors } from './request-items.ts'
import { createRequestJob, previewRequestJob, readScopes } from './request-jobs.ts'
import { previewRequests } from './who-is-asked.ts'

type PreviewBody = Body<(typeof requestOperations)['previewDocumentRequests']>

/** Operations of the console to request documents from many families: preview, jobs, reminders and restoring. */
export function consoleRequestRoutes(registry: RecordRegistry, runner: BulkRunner): Route[] {
  return implement(requestOperations, {
    previewDocumentRequests: async (tx, { context, body }) => {
      requireUse(context.caller, readScopes[body.entityType])
      return { record: await preview(tx, body), entityTag: null }
    },
    previewRequestJob: {
      prepare: async (database, { context, body }) => ({
        response: { record: await previewRequestJob(database, registry, context, body), entityTag: null },
      }),
    },
    createRequestJob: {
      prepare: (database, { context, body }) => createRequestJob(database, registry, context, body, runner),
    },
    remindOfDocumentRequest: (tx, { context, params }) => remindOfRequest(tx, context, params.id),
    restoreDocumentRequest: (tx, { context, params }) => restoreRequest(tx, context, params.id),
  })
}

/**
 * The preview, by the code that creates the requests. Throws `validation_failed`, `reference_not_found` and
 * `rule_violated` as it does.
 */
async function preview(tx: Transaction, body: PreviewBody): Promise<RequestPreview> {
  const validationErrors = [...itemErrors({ ...body, entityId: '' }), ...selectionErrors(body)]
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  const { entityType, entityIds, names = [] } = body
  const found = entityIds ?? (await idsOfCodes(tx, entityType, names))
  const ids = [...new Set(found.map((each) => each?.toLowerCase() ?? null))]
  const previews = await previewRequests(
    tx,
    entityType,
    ids.filter((id) => id !== null),
    body,
  )
  if (previews.length < ids.length) throw referenceProblem(entityIds === undefined ? 'names' : 'entityIds', entityType)
  return { locale: body.locale ?? (await loadTenantLanguage(tx)), asked: previews }
}

function selectionErrors({ entityIds, names }: PreviewBody): Fault[] {
  if ((entityIds === undefined) !== (names === undefined)) return []
  const isNone = entityIds === undefined
  const detail = isNone ? 'is required, or names' : 'must be sent without names: send entityIds or names'
  return [{ in: 'body', pointer: '#/entityIds', code: isNone ? 'required' : 'inconsistent', detail }]
}
