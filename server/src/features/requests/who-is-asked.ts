import type { Body, PublicLocale, RequestPreview, requestOperations } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { type Owner, ownerColumns } from '../requirements/index.ts'
import { loadItems, missingItems, type NewItem } from './request-items.ts'
import { loadLanguages, usualRecipients } from './request-recipient.ts'

/** What is asked of each alike. */
export type Asking = Pick<
  Body<(typeof requestOperations)['previewDocumentRequests']>,
  'documentTypeIds' | 'fromRequirements' | 'locale'
>

type AskedOne = RequestPreview['asked'][number]

/**
 * Who would be asked for what, of those that are there, in the order of their ids; by a few statements for all. Throws
 * `reference_not_found` and `rule_violated` as asking does.
 */
export async function whoIsAsked(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
  asking: Asking,
): Promise<AskedOne[]> {
  const usual = await usualRecipients(tx, entityType, ids)
  const recipients = new Map(usual.map((each) => [each.entityId, each]))
  const languages = await loadLanguages(tx, entityType, usual)
  const spoken = new Map(usual.map(({ entityId }, index) => [entityId, languages[index] as PublicLocale]))
  const open = await openTypes(tx, entityType, ids)
  const [first] = ids
  // What is named is the same of each.
  const same =
    asking.fromRequirements === true || first === undefined
      ? null
      : await loadItems(tx, { entityType, entityId: first }, { ...asking, entityType, entityId: first })
  const missing = same === null ? await missingItems(tx, entityType, ids) : null
  return ids.flatMap((id) => {
    const recipient = recipients.get(id)
    if (recipient === undefined) return []
    const items: readonly NewItem[] = same ?? missing?.get(id) ?? []
    return {
      entityId: id,
      entityLabel: recipient.entityLabel,
      recipientName: recipient.name,
      recipientEmail: recipient.email || null,
      locale: asking.locale ?? (spoken.get(id) as PublicLocale),
      asks: items.map(({ label }) => label),
      isAsked: items.length > 0 && items.every(({ documentTypeId }) => open.get(id)?.has(documentTypeId) === true),
    }
  })
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
