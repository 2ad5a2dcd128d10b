import { formatMoment, greet, type Messages, messagesIn } from '@matricula/pages'
import { sql, type Transaction } from '../../database/index.ts'
import { findOne } from '../../entities/index.ts'
import type { Composer } from '../../mail/index.ts'
import { inLanguage, type Translations } from '../../tenancy/index.ts'
import type { RequestLinks } from './request-links.ts'
import { documentRequests, type RequestRecord } from './request-store.ts'

/** Writes the mail with the link of a request; none once the request is closed. */
export function requestMailComposer(links: RequestLinks): Composer {
  return async (database, tenant, { entityId, recipient, locale }) => {
    const found = await database.transaction(tenant.id, async (tx) => {
      const request = await findOne(tx, documentRequests, sql`r.id = ${entityId}`)
      return request === null ? null : translateRequest(request.record, await loadTranslations(tx, entityId), locale)
    })
    if (found === null || !['open', 'partially_completed'].includes(found.status)) return null
    const address = links.getAddress({ tenantId: tenant.id, requestId: found.id })
    const until = formatMoment(locale, found.expiresAt, tenant.timeZone)
    return {
      to: { name: found.recipient.name, address: recipient },
      subject: `${tenant.name}: ${found.title}`.replace(/\s+/g, ' '),
      text: requestText(found, messagesIn(locale).mails, tenant.name, until, address),
    }
  }
}

interface RequestTranslations {
  readonly ofRequest: Translations
  /** By the ids of the items. */
  readonly ofItems: Readonly<Record<string, Translations>>
}

async function loadTranslations(tx: Transaction, requestId: string): Promise<RequestTranslations> {
  const [row] = await tx.query<RequestTranslations>(sql`
    select r.translations as "ofRequest",
           (select coalesce(json_object_agg(i.id, i.translations), '{}') from document_request_items i
             where i.tenant_id = ${tx.tenantId} and i.request_id = r.id) as "ofItems"
      from document_requests r where r.tenant_id = ${tx.tenantId} and r.id = ${requestId}`)
  return row ?? { ofRequest: {}, ofItems: {} }
}

function translateRequest(
  request: RequestRecord,
  { ofRequest, ofItems }: RequestTranslations,
  locale: Parameters<typeof inLanguage>[2],
): RequestRecord {
  const items = request.items.map((item) => inLanguage(item, ofItems[item.id], locale))
  return { ...inLanguage(request, ofRequest, locale), items }
}

function requestText(
  { recipient, items, message }: RequestRecord,
  mails: Messages['mails'],
  institution: string,
  until: string,
  address: string,
): string {
  const { asks, optional, handIn, secret } = mails.request
  const lines = items.map(({ label, instructions, isRequired }) => {
    const what = isRequired ? label : `${label} (${optional})`
    return instructions === '' ? `- ${what}` : `- ${what}: ${instructions}`
  })
  const parts = [
    greet(mails, recipient.name),
    asks(institution),
    lines.join('\n'),
    message,
    handIn(until),
    address,
    secret,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
