import type { PublicLocale } from '@matricula/contract'
import type { Composer } from '../../platform/mail/index.ts'
import { Problem } from '../../platform/problem.ts'
import { readOne } from '../../platform/reading.ts'
import { webhooks } from './webhook-store.ts'

/** What the mail to administrators says. Of an address it names the host alone, because the rest may be a secret. */
interface Words {
  subject(institution: string, host: string): string
  greeting: string
  failing(host: string): string
  gone(host: string): string
  advice: string
}

const words: Readonly<Record<PublicLocale, Words>> = {
  en: {
    subject: (institution, host) => `${institution}: events are no longer sent to ${host}`,
    greeting: 'Hello,',
    failing: (host) => `For five days nothing that was sent to ${host} has arrived, so the webhook was disabled.`,
    gone: (host) => `${host} has answered that it is gone (410), so the webhook was disabled.`,
    advice:
      'Whoever runs that system can have it mended and enabled again, and what was missed sent once more. Nothing is lost: every event is kept for 400 days.',
  },
  es: {
    subject: (institution, host) => `${institution}: ya no se envían eventos a ${host}`,
    greeting: 'Hola:',
    failing: (host) => `Desde hace cinco días no llega nada de lo enviado a ${host}, y el webhook se ha desactivado.`,
    gone: (host) => `${host} ha respondido que ya no existe (410), y el webhook se ha desactivado.`,
    advice:
      'Quien lleva ese sistema puede repararlo, activarlo de nuevo y pedir lo que falta. No se pierde nada: cada evento se guarda 400 días.',
  },
  pt: {
    subject: (institution, host) => `${institution}: já não se enviam eventos para ${host}`,
    greeting: 'Olá,',
    failing: (host) => `Há cinco dias que nada do que foi enviado para ${host} chega, e o webhook foi desativado.`,
    gone: (host) => `${host} respondeu que já não existe (410), e o webhook foi desativado.`,
    advice:
      'Quem mantém esse sistema pode repará-lo, ativá-lo de novo e pedir o que falta. Nada se perde: cada evento é guardado 400 dias.',
  },
}

/** Writes the mail that tells administrators of an endpoint which the service has disabled; none once it is enabled or gone. */
export const webhookMailComposer: Composer = async (database, tenant, { entityId, recipient, locale }) => {
  const found = await readOne(database, tenant.id, webhooks, entityId).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  const reason = found?.record.disabledReason
  if (found === null || (reason !== 'failing' && reason !== 'gone')) return null
  const { host } = new URL(found.record.url)
  const { subject, greeting, advice, ...reasons } = words[locale]
  return {
    to: { name: recipient, address: recipient },
    subject: subject(tenant.name, host).replace(/\s+/g, ' '),
    text: `${[greeting, reasons[reason](host), advice, `webhook ${found.record.id}`].join('\n\n')}\n`,
  }
}
