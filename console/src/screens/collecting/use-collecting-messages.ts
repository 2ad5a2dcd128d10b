import { useMessages } from '../../messages/messages.tsx'
import { collectingMessages } from './collecting-messages.ts'

/** The messages of the screens about collecting in the language of the person. */
export function useCollectingMessages(): (typeof collectingMessages)['en'] {
  return collectingMessages[useMessages().language]
}
