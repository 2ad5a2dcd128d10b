import { useMessages } from '../../messages/messages.tsx'
import { feeMessages } from './fee-messages.ts'

/** The messages of the screens about fees in the language of the person. */
export function useFeeMessages(): (typeof feeMessages)['en'] {
  return feeMessages[useMessages().language]
}
