import { useMessages } from '../../messages/messages.tsx'
import { boardMessages } from './board-messages.ts'

/** The messages of the pipeline in the language of the person. */
export function useBoardMessages(): (typeof boardMessages)['en'] {
  return boardMessages[useMessages().language]
}
