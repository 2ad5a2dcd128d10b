import type { PlacedFault } from '../error-summary.ts'
import { formatNumber } from '../formats.ts'
import { type Locale, wordsIn } from '../messages/index.ts'
import type { Words } from '../messages/words.ts'

/** What went wrong when somebody logged in or set a password. */
export type AccountFault =
  | { readonly kind: 'wrong' | 'disabled' | 'linkOver' | 'different' | 'wrongOldPassword' | 'wrongCode' | 'otherSite' }
  | { readonly kind: 'issuer'; readonly reason: keyof Words['signIn']['faults'] }
  | { readonly kind: 'passkey'; readonly reason: keyof Words['passkeys']['faults'] }
  | { readonly kind: 'wait' | 'busy'; readonly seconds: number }
  | { readonly kind: 'length'; readonly minimum: number; readonly maximum: number }

/** A fault in a sentence of the visitor's language, with the control where it can be mended. */
export function faultInWords(locale: Locale, fault: AccountFault): PlacedFault {
  const { account, faults } = wordsIn(locale)
  const at = (target: string, text: string): PlacedFault => ({ text, label: null, target })
  switch (fault.kind) {
    case 'wait':
    case 'busy':
      return at('content', account[fault.kind](formatNumber(locale, fault.seconds)))
    case 'length':
      return at('new', account.length(fault.minimum, fault.maximum))
    case 'different':
      return at('again', account.different)
    case 'wrongOldPassword':
      return at('old', account.wrongOldPassword)
    case 'linkOver':
      return at('forgotten', account.linkOver)
    case 'wrongCode':
      return at('code', wordsIn(locale).signIn.wrongCode)
    case 'issuer':
      return at('content', wordsIn(locale).signIn.faults[fault.reason])
    case 'passkey':
      return at('content', wordsIn(locale).passkeys.faults[fault.reason])
    case 'otherSite':
      return at('content', faults.otherSite)
    default:
      return at('usr', account[fault.kind])
  }
}
