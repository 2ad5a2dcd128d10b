import { greet, messagesIn } from '@matricula/pages'
import type { Composer } from '../../mail/index.ts'
import { makeResetKey, resetMinutes, welcomeHours } from './password-resets.ts'

/** Composes the mails with the link to set a first or new password; none once there is nothing to set. */
export function passwordMailComposers(config: {
  readonly publicUrl: string
}): Readonly<Record<'password_reset' | 'welcome', Composer>> {
  return {
    password_reset: composer(config, 'reset', resetMinutes, resetMinutes),
    welcome: composer(config, 'welcome', welcomeHours, welcomeHours * 60),
  }
}

function composer(
  { publicUrl }: { readonly publicUrl: string },
  kind: 'reset' | 'welcome',
  /** The validity of the link as text. */
  time: number,
  minutes: number,
): Composer {
  return async (database, tenant, { entityId, recipient, locale }) => {
    const made = await makeResetKey(database, tenant.id, entityId, minutes)
    if (made === null) return null
    const { mails } = messagesIn(locale)
    const { subject, reason, set, advice } = mails[kind]
    const address = `${publicUrl}/t/${tenant.slug}/update-password?key=${made.key}`
    const parts = [greet(mails, made.fullName), reason(tenant.name), set(time), address, advice]
    return {
      to: { name: made.fullName, address: recipient },
      subject: subject(tenant.name).replace(/\s+/g, ' '),
      text: `${parts.join('\n\n')}\n`,
    }
  }
}
