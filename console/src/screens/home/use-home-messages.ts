import { useMessages } from '../../messages/messages.tsx'
import { homeMessages } from './home-messages.ts'

/** The messages of the page where somebody begins, in the language of the person. */
export function useHomeMessages(): (typeof homeMessages)['en'] {
  return homeMessages[useMessages().language]
}
