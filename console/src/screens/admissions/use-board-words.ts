import { useMessages } from '../../messages/words.tsx'
import { boardMessages } from './board-words.ts'

/** The sentences of the pipeline in the language that is spoken. */
export function useBoardMessages(): (typeof boardMessages)['en'] {
  return boardMessages[useMessages().language]
}
