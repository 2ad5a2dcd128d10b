import type { PublicLocale } from '@matricula/contract'
import type { AccountRecord } from '../accounts/account-store.ts'
import type { DunningLevel } from '../billing-settings.ts'
import type { ProposedNotice } from './levels.ts'
import { composeNotice, type NoticeFacts } from './notice-text.ts'

/** What letters of an institution depend on. */
export interface LetterSettings {
  readonly institution: { readonly name: string; readonly language: PublicLocale }
  readonly levels: readonly DunningLevel[]
  readonly sendsMail: boolean
}

/** What a payer is sent, and by which way. */
interface NoticeLetter {
  readonly subject: string
  readonly text: string
  readonly channel: 'mail' | 'print'
  /** The e-mail address, or the name with the postal address. */
  readonly recipient: string
}

/** The letter of a notice that is due: by mail where the payer wants and can have that, else on paper. */
export function toLetter(
  { institution, levels, sendsMail }: LetterSettings,
  about: { readonly account: AccountRecord; readonly currency: string; readonly due: ProposedNotice },
  items: NoticeFacts['items'],
): NoticeLetter {
  const { account, currency, due } = about
  const composed = composeNotice(levels.find(({ level }) => level === due.level) as DunningLevel, {
    institution: institution.name,
    institutionLanguage: institution.language,
    name: account.name,
    language: account.language,
    currency,
    amount: due.amount,
    fee: due.fee,
    items,
  })
  const address = account.deliverBy === 'mail' && sendsMail ? account.email : null
  if (address !== null) return { ...composed, channel: 'mail', recipient: address }
  const postal = [account.name, account.address, account.postalCode, account.city].filter((part) => part)
  return { ...composed, channel: 'print', recipient: postal.join(', ') }
}
