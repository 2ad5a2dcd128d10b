import type { Body, PublicLocale, RequestPreview, requestOperations } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { type Owner, ownerColumns } from '../requirements/index.ts'
import { findMissingItems, loadItems, type NewItem } from './request-items.ts'
import { loadDefaultRecipients, loadLanguages } from './request-recipient.ts'

/** The settings that all requests of a batch share. */
export type RequestSettings = Pick<
  Body<(typeof requestOperations)['previewDocumentRequests']>,
  'documentTypeIds' | 'fromRequirements' | 'locale'
>

type PreviewedRequest = RequestPreview['asked'][number]

/**
 * The request that each existing record would get, in the order of `ids`, by a few statements for all. Throws
 * `reference_not_found` and `rule_violated` as creating them does.
 */
export async function previewRequests(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
  settings: RequestSettings,
): Promise<PreviewedRequest[]> {
  const defaults = await loadDefaultRecipients(tx, entityType, ids)
  const recipients = new Map(defaults.map((each) => [each.entityId, each]))
  const languages = await loadLanguages(tx, entityType, defaults)
  const languageById = new Map(defaults.map(({ entityId }, index) => [entityId, languages[index] as PublicLocale]))
  const open = await findOpenTypes(tx, entityType, ids)
  const [first] = ids
  // Named types are the same for each record.
  const namedItems =
    settings.fromRequirements === true || first === undefined
      ? null
      : await loadItems(tx, { entityType, entityId: first }, { ...settings, entityType, entityId: first })
  const missing = namedItems === null ? await findMissingItems(tx, entityType, ids) : null
  return ids.flatMap((id) => {
    const recipient = recipients.get(id)
    if (recipient === undefined) return []
    const items: readonly NewItem[] = namedItems ?? missing?.get(id) ?? []
    return {
      entityId: id,
      entityLabel: recipient.entityLabel,
      recipientName: recipient.name,
      recipientEmail: recipient.email || null,
      locale: settings.locale ?? (languageById.get(id) as PublicLocale),
      asks: items.map(({ label }) => label),
      isAsked: items.length > 0 && items.every(({ documentTypeId }) => open.get(id)?.has(documentTypeId) === true),
    }
  })
}

/** The document types in open requests, by owner. */
async function findOpenTypes(
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
