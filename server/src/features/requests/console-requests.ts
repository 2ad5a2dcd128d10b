import { type Body, type Fault, type RequestPreview, requestOperations } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { implement, type Route } from '../../http/implement.ts'
import { requireUse } from '../../http/operation-checks.ts'
import { Problem, referenceProblem, validationProblem } from '../../platform/problem.ts'
import { idsOfCodes, type Owner, ownerColumns } from '../requirements/index.ts'
import { languageOfTenant, remindOfRequest } from './document-requests.ts'
import { itemFaults, itemsOf, type NewItem } from './request-items.ts'
import { languagesOf, usualRecipients } from './request-recipient.ts'

type PreviewBody = Body<(typeof requestOperations)['previewDocumentRequests']>

/** What lets somebody know who those are whose papers are asked for. */
const scopeOf = { student: 'students:read', application: 'admissions:read' } as const

/** What people need to ask many families for documents: who would be asked for what, and reminders. */
export const consoleRequestRoutes: Route[] = implement(requestOperations, {
  previewDocumentRequests: async (tx, { context, body }) => {
    requireUse(context.caller, scopeOf[body.entityType])
    return { record: await preview(tx, body), entityTag: null }
  },
  remindOfDocumentRequest: (tx, { context, params }) => remindOfRequest(tx, context, params.id),
})

/** By the very code that asks. Throws `validation_failed`, `reference_not_found` and `rule_violated` as asking does. */
async function preview(tx: Transaction, body: PreviewBody): Promise<RequestPreview> {
  const faults = [...itemFaults({ ...body, entityId: '' }), ...peopleFaults(body)]
  if (faults.length > 0) throw validationProblem(faults)
  const { entityType, entityIds, names = [] } = body
  const found = entityIds ?? (await idsOfCodes(tx, entityType, names))
  const ids = [...new Set(found.map((each) => each?.toLowerCase() ?? null))]
  const known = ids.filter((id) => id !== null)
  const recipients = new Map((await usualRecipients(tx, entityType, known)).map((each) => [each.entityId, each]))
  const open = await openTypes(tx, entityType, known)
  const usual = [...recipients.values()]
  const languages = body.locale === undefined ? await languagesOf(tx, entityType, usual) : []
  const spoken = new Map(usual.map(({ entityId }, index) => [entityId, languages[index]]))
  const institution = await languageOfTenant(tx)
  const asked: RequestPreview['asked'] = []
  let same: readonly NewItem[] | null = null
  for (const id of ids) {
    const recipient = id === null ? undefined : recipients.get(id)
    if (id === null || recipient === undefined) {
      throw referenceProblem(entityIds === undefined ? 'names' : 'entityIds', entityType)
    }
    const items: readonly NewItem[] = same ?? (await missingItems(tx, { entityType, entityId: id }, body))
    // What is named is the same of each.
    if (body.documentTypeIds !== undefined) same = items
    asked.push({
      entityId: id,
      entityLabel: recipient.entityLabel,
      recipientName: recipient.name,
      recipientEmail: recipient.email || null,
      locale: body.locale ?? spoken.get(id) ?? institution,
      asks: items.map(({ label }) => label),
      isAsked: items.length > 0 && items.every(({ documentTypeId }) => open.get(id)?.has(documentTypeId) === true),
    })
  }
  return { locale: body.locale ?? institution, asked }
}

/** The types that requests which take documents ask for, of each owner that has such. */
async function openTypes(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const owner = sql`r.${identifier(ownerColumns[entityType])}`
  const rows = await tx.query<{ id: string; types: string[] }>(sql`
    select ${owner} as id, array_agg(i.document_type_id) as types
      from document_requests r
      join document_request_items i on i.tenant_id = ${tx.tenantId} and i.request_id = r.id
     where r.tenant_id = ${tx.tenantId} and ${owner} = any (${[...ids]}::uuid[])
       and r.status in ('open', 'partially_completed') and r.expires_at > now()
     group by ${owner}`)
  return new Map(rows.map(({ id, types }) => [id, new Set(types)]))
}

function peopleFaults({ entityIds, names }: PreviewBody): Fault[] {
  if ((entityIds === undefined) !== (names === undefined)) return []
  const isNone = entityIds === undefined
  const detail = isNone ? 'is required, or names' : 'is said once: send entityIds or names'
  return [{ in: 'body', pointer: '#/entityIds', code: isNone ? 'required' : 'inconsistent', detail }]
}

async function missingItems(tx: Transaction, owner: Owner, body: PreviewBody): Promise<NewItem[]> {
  try {
    return await itemsOf(tx, owner, { ...body, entityId: owner.entityId })
  } catch (error) {
    // Nothing being missing is no fault here: it is what the preview tells.
    if (error instanceof Problem && error.extra.rule === 'requirements_are_missing') return []
    throw error
  }
}
