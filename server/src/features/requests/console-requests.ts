import { type Body, type Fault, type RequestPreview, requestOperations } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import { implement, type Route } from '../../http/implement.ts'
import { Problem, referenceProblem, validationProblem } from '../../platform/problem.ts'
import { findOwnerLabel, idsOfCodes, type Owner } from '../requirements/index.ts'
import { languageOfTenant, remindOfRequest } from './document-requests.ts'
import { itemFaults, itemsOf } from './request-items.ts'
import { recipientOf } from './request-recipient.ts'

type PreviewBody = Body<(typeof requestOperations)['previewDocumentRequests']>

/** What people need to ask many families for documents: who would be asked for what, and reminders. */
export const consoleRequestRoutes: Route[] = implement(requestOperations, {
  previewDocumentRequests: async (tx, { body }) => ({ record: await preview(tx, body), entityTag: null }),
  remindOfDocumentRequest: (tx, { context, params }) => remindOfRequest(tx, context, params.id),
})

/** By the very code that asks. Throws `validation_failed`, `reference_not_found` and `rule_violated` as asking does. */
async function preview(tx: Transaction, body: PreviewBody): Promise<RequestPreview> {
  const faults = [...itemFaults({ ...body, entityId: '' }), ...peopleFaults(body)]
  if (faults.length > 0) throw validationProblem(faults)
  const { entityIds, names = [] } = body
  const ids = entityIds ?? (await idsOfCodes(tx, body.entityType, names))
  const asked: RequestPreview['asked'] = []
  for (const id of new Set(ids.map((each) => each?.toLowerCase() ?? ''))) {
    const owner: Owner = { entityType: body.entityType, entityId: id }
    const entityLabel = await findOwnerLabel(tx, owner)
    if (entityLabel === null) throw referenceProblem(entityIds === undefined ? 'names' : 'entityIds', owner.entityType)
    const { name, email } = await recipientOf(tx, owner, undefined)
    const asks = await labelsOf(tx, owner, body)
    asked.push({ entityId: id, entityLabel, recipientName: name, recipientEmail: email || null, asks })
  }
  return { locale: body.locale ?? (await languageOfTenant(tx)), asked }
}

function peopleFaults({ entityIds, names }: PreviewBody): Fault[] {
  if ((entityIds === undefined) !== (names === undefined)) return []
  const isNone = entityIds === undefined
  const detail = isNone ? 'is required, or names' : 'is said once: send entityIds or names'
  return [{ in: 'body', pointer: '#/entityIds', code: isNone ? 'required' : 'inconsistent', detail }]
}

async function labelsOf(tx: Transaction, owner: Owner, body: PreviewBody): Promise<string[]> {
  try {
    return (await itemsOf(tx, owner, { ...body, entityId: owner.entityId })).map(({ label }) => label)
  } catch (error) {
    // Nothing being missing is no fault here: it is what the preview tells.
    if (error instanceof Problem && error.extra.rule === 'requirements_are_missing') return []
    throw error
  }
}
