import type { PublicLocale } from '@matricula/contract'
import { type Words, wordsIn } from '@matricula/pages'
import { sql } from '../../database/index.ts'
import type { Composer } from '../../platform/mail/index.ts'
import { findOne } from '../../platform/reading.ts'
import type { RequestLinks } from './request-links.ts'
import { documentRequests, type RequestRecord } from './request-store.ts'

/** Writes the mail that tells the recipient of a request its link; none once the request takes no documents. */
export function requestMailComposer(links: RequestLinks): Composer {
  return async (database, tenant, { entityId, recipient, locale }) => {
    const found = await database.transaction(tenant.id, (tx) => findOne(tx, documentRequests, sql`r.id = ${entityId}`))
    const request = found?.record
    if (request === undefined || !['open', 'partially_completed'].includes(request.status)) return null
    const address = links.addressOf({ tenantId: tenant.id, requestId: request.id })
    return {
      to: { name: request.recipient.name, address: recipient },
      subject: `${tenant.name}: ${request.title}`.replace(/\s+/g, ' '),
      text: requestText(
        request,
        wordsIn(locale).mails,
        tenant.name,
        dateIn(locale, tenant.timeZone, request.expiresAt),
        address,
      ),
    }
  }
}

function requestText(
  { recipient, items, message }: RequestRecord,
  { greeting, request: { asks, optional, handIn, secret } }: Words['mails'],
  institution: string,
  until: string,
  address: string,
): string {
  const lines = items.map(({ label, instructions, isRequired }) => {
    const what = isRequired ? label : `${label} (${optional})`
    return instructions === '' ? `- ${what}` : `- ${what}: ${instructions}`
  })
  const parts = [greeting(recipient.name), asks(institution), lines.join('\n'), message, handIn(until), address, secret]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function dateIn(locale: PublicLocale, timeZone: string, stamp: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone })
  return format.format(new Date(stamp))
}
