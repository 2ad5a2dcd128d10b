import type { PublicLocale } from '@matricula/contract'
import type { Composer } from '../mail/index.ts'
import { makeResetKey, resetMinutes } from './password-resets.ts'

/** What the mail says around the link. */
interface Words {
  subject(institution: string): string
  greeting(name: string): string
  asked(institution: string): string
  set(minutes: number): string
  ignore: string
}

const words: Readonly<Record<PublicLocale, Words>> = {
  en: {
    subject: (institution) => `${institution}: set a new password`,
    greeting: (name) => `Hello ${name},`,
    asked: (institution) => `Somebody, probably you, asked for a new password at ${institution}.`,
    set: (minutes) => `Set it on this page. The link works once, and for ${minutes} minutes:`,
    ignore: 'If it was not you, do nothing: your password stays as it is. Please do not pass the link on.',
  },
  es: {
    subject: (institution) => `${institution}: establezca una contraseña nueva`,
    greeting: (name) => `Hola, ${name}:`,
    asked: (institution) => `Alguien, probablemente usted, pidió una contraseña nueva en ${institution}.`,
    set: (minutes) => `Establézcala en esta página. El enlace sirve una sola vez y durante ${minutes} minutos:`,
    ignore: 'Si no fue usted, no haga nada: su contraseña no cambia. Por favor, no comparta el enlace.',
  },
  pt: {
    subject: (institution) => `${institution}: defina uma nova palavra-passe`,
    greeting: (name) => `Olá, ${name},`,
    asked: (institution) => `Alguém, provavelmente você, pediu uma nova palavra-passe em ${institution}.`,
    set: (minutes) => `Defina-a nesta página. O link serve uma só vez e durante ${minutes} minutos:`,
    ignore: 'Se não foi você, não faça nada: a sua palavra-passe não muda. Por favor, não partilhe o link.',
  },
}

/** Writes the mail with the link to a page on which a user sets a new password; none once there is nothing to set. */
export function resetMailComposer({ publicUrl }: { readonly publicUrl: string }): Composer {
  return async (database, tenant, { entityId, recipient, locale }) => {
    const made = await makeResetKey(database, tenant.id, entityId)
    if (made === null) return null
    const { subject, greeting, asked, set, ignore } = words[locale]
    const address = `${publicUrl}/t/${tenant.slug}/update-password?key=${made.key}`
    const parts = [greeting(made.fullName), asked(tenant.name), set(resetMinutes), address, ignore]
    return {
      to: { name: made.fullName, address: recipient },
      subject: subject(tenant.name).replace(/\s+/g, ' '),
      text: `${parts.join('\n\n')}\n`,
    }
  }
}
