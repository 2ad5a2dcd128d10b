import { useWords } from '../../messages/words.tsx'
import { applicationWords } from './application-words.ts'

/** The sentences of an application in the language that is spoken. */
export function useApplicationWords(): (typeof applicationWords)['en'] {
  return applicationWords[useWords().language]
}
