import { useWords } from '../../messages/words.tsx'
import { boardWords } from './board-words.ts'

/** The sentences of the pipeline in the language that is spoken. */
export function useBoardWords(): (typeof boardWords)['en'] {
  return boardWords[useWords().language]
}
