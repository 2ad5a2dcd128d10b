import { useMessages } from '../../messages/messages.tsx'
import { groupMessages } from './group-messages.ts'

/** The messages of the screens about groups in the language of the person. */
export function useGroupMessages(): (typeof groupMessages)['en'] {
  return groupMessages[useMessages().language]
}
