import { useMessages } from '../../messages/messages.tsx'
import { cardMessages } from './card-messages.ts'

/** The messages of report cards in the language of the person. */
export function useCardMessages(): (typeof cardMessages)['en'] {
  return cardMessages[useMessages().language]
}
