import type { PublicLocale } from '@matricula/contract'
import type { Composer } from '../mail/index.ts'
import { makeResetKey, resetMinutes, welcomeHours } from './password-resets.ts'

/** What a mail says around its link, with the name of the institution where it names it. */
interface Words {
  readonly subject: (institution: string) => string
  readonly greeting: (name: string) => string
  readonly reason: (institution: string) => string
  readonly set: string
  readonly advice: string
}

const resetWords: Readonly<Record<PublicLocale, Words>> = {
  en: {
    subject: (institution) => `${institution}: set a new password`,
    greeting: (name) => `Hello ${name},`,
    reason: (institution) => `Somebody, probably you, asked for a new password at ${institution}.`,
    set: `Set it on this page. The link works once, and for ${resetMinutes} minutes:`,
    advice: 'If it was not you, do nothing: your password stays as it is. Please do not pass the link on.',
  },
  es: {
    subject: (institution) => `${institution}: establezca una contraseña nueva`,
    greeting: (name) => `Hola, ${name}:`,
    reason: (institution) => `Alguien, probablemente usted, pidió una contraseña nueva en ${institution}.`,
    set: `Establézcala en esta página. El enlace sirve una sola vez y durante ${resetMinutes} minutos:`,
    advice: 'Si no fue usted, no haga nada: su contraseña no cambia. Por favor, no comparta el enlace.',
  },
  pt: {
    subject: (institution) => `${institution}: defina uma nova palavra-passe`,
    greeting: (name) => `Olá, ${name},`,
    reason: (institution) => `Alguém, provavelmente você, pediu uma nova palavra-passe em ${institution}.`,
    set: `Defina-a nesta página. O link serve uma só vez e durante ${resetMinutes} minutos:`,
    advice: 'Se não foi você, não faça nada: a sua palavra-passe não muda. Por favor, não partilhe o link.',
  },
}

const welcomeWords: Readonly<Record<PublicLocale, Words>> = {
  en: {
    ...resetWords.en,
    subject: (institution) => `Welcome to ${institution}`,
    reason: (institution) => `${institution} made you an account. You log in with this e-mail address.`,
    set: `Set your password on this page. The link works once, and for ${welcomeHours} hours:`,
    advice: 'After that, ask for another link where you log in. Please do not pass the link on.',
  },
  es: {
    ...resetWords.es,
    subject: (institution) => `Le damos la bienvenida a ${institution}`,
    reason: (institution) => `${institution} le ha creado una cuenta. Se entra con esta dirección de correo.`,
    set: `Establezca su contraseña en esta página. El enlace sirve una sola vez y durante ${welcomeHours} horas:`,
    advice: 'Después, pida otro enlace en la página de entrada. Por favor, no comparta el enlace.',
  },
  pt: {
    ...resetWords.pt,
    subject: (institution) => `Damos-lhe as boas-vindas a ${institution}`,
    reason: (institution) => `${institution} criou-lhe uma conta. Entra-se com este endereço de e-mail.`,
    set: `Defina a sua palavra-passe nesta página. O link serve uma só vez e durante ${welcomeHours} horas:`,
    advice: 'Depois disso, peça outro link na página de entrada. Por favor, não partilhe o link.',
  },
}

/**
 * Write the mails with the link to a page on which a user sets a password: another one, or the first. None is written once
 * there is nothing to set.
 */
export function passwordMailComposers(config: {
  readonly publicUrl: string
}): Readonly<Record<'password_reset' | 'welcome', Composer>> {
  return {
    password_reset: composer(config, resetWords, resetMinutes),
    welcome: composer(config, welcomeWords, welcomeHours * 60),
  }
}

function composer(
  { publicUrl }: { readonly publicUrl: string },
  words: Readonly<Record<PublicLocale, Words>>,
  minutes: number,
): Composer {
  return async (database, tenant, { entityId, recipient, locale }) => {
    const made = await makeResetKey(database, tenant.id, entityId, minutes)
    if (made === null) return null
    const { subject, greeting, reason, set, advice } = words[locale]
    const address = `${publicUrl}/t/${tenant.slug}/update-password?key=${made.key}`
    const parts = [greeting(made.fullName), reason(tenant.name), set, address, advice]
    return {
      to: { name: made.fullName, address: recipient },
      subject: subject(tenant.name).replace(/\s+/g, ' '),
      text: `${parts.join('\n\n')}\n`,
    }
  }
}
