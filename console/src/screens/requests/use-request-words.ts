import { useWords } from '../../messages/words.tsx'
import { type RequestWords, requestWords } from './requests-words.ts'

/** The words of the requests in the language that is spoken. */
export function useRequestWords(): RequestWords {
  return requestWords[useWords().language]
}
