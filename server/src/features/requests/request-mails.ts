import type { PublicLocale } from '@matricula/contract'
import { sql } from '../../database/index.ts'
import type { Composer } from '../../platform/mail/index.ts'
import { findOne } from '../../platform/reading.ts'
import type { RequestLinks } from './request-links.ts'
import { documentRequests, type RequestRecord } from './request-store.ts'

/** What the mail of a request says around its own words. */
interface Words {
  greeting(name: string): string
  asks(institution: string): string
  optional: string
  handIn(until: string): string
  secret: string
}

const words: Readonly<Record<PublicLocale, Words>> = {
  en: {
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    asks: (institution) => `${institution} asks you for these documents:`,
    optional: 'optional',
    handIn: (until) => `Hand them in on this page, until ${until}:`,
    secret: 'Whoever has this link can hand in documents. Please do not pass it on.',
  },
  es: {
    greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    asks: (institution) => `${institution} le pide estos documentos:`,
    optional: 'opcional',
    handIn: (until) => `Entréguelos en esta página, hasta el ${until}:`,
    secret: 'Quien tenga este enlace puede entregar documentos. Por favor, no lo comparta.',
  },
  pt: {
    greeting: (name) => (name === '' ? 'Olá,' : `Olá, ${name},`),
    asks: (institution) => `${institution} pede-lhe estes documentos:`,
    optional: 'opcional',
    handIn: (until) => `Entregue-os nesta página, até ${until}:`,
    secret: 'Quem tiver este link pode entregar documentos. Por favor, não o partilhe.',
  },
}

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
        words[locale],
        tenant.name,
        dateIn(locale, tenant.timeZone, request.expiresAt),
        address,
      ),
    }
  }
}

function requestText(
  { recipient, items, message }: RequestRecord,
  { greeting, asks, optional, handIn, secret }: Words,
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
