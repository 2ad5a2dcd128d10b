import type { LocatedError } from '../error-summary.ts'
import { formatNumber } from '../formats.ts'
import { type Locale, type Messages, messagesIn } from '../messages/index.ts'

/** What went wrong when somebody logged in or set a password. */
export type AccountError =
  | { readonly kind: 'wrong' | 'disabled' | 'linkOver' | 'different' | 'wrongOldPassword' | 'wrongCode' | 'otherSite' }
  | { readonly kind: 'issuer'; readonly reason: keyof Messages['signIn']['faults'] }
  | { readonly kind: 'passkey'; readonly reason: keyof Messages['passkeys']['faults'] }
  | { readonly kind: 'wait' | 'busy'; readonly seconds: number }
  | { readonly kind: 'length'; readonly minimum: number; readonly maximum: number }

/** A fault in a sentence of the visitor's language, with the control where it can be mended. */
export function errorText(locale: Locale, validationError: AccountError): LocatedError {
  const { account, faults: validationErrors } = messagesIn(locale)
  const at = (target: string, text: string): LocatedError => ({ text, label: null, target })
  switch (validationError.kind) {
    case 'wait':
    case 'busy':
      return at('content', account[validationError.kind](formatNumber(locale, validationError.seconds)))
    case 'length':
      return at('new', account.length(validationError.minimum, validationError.maximum))
    case 'different':
      return at('again', account.different)
    case 'wrongOldPassword':
      return at('old', account.wrongOldPassword)
    case 'linkOver':
      return at('forgotten', account.linkOver)
    case 'wrongCode':
      return at('code', messagesIn(locale).signIn.wrongCode)
    case 'issuer':
      return at('content', messagesIn(locale).signIn.faults[validationError.reason])
    case 'passkey':
      return at('content', messagesIn(locale).passkeys.faults[validationError.reason])
    case 'otherSite':
      return at('content', validationErrors.otherSite)
    default:
      return at('usr', account[validationError.kind])
  }
}
