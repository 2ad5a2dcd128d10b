import { useMessages } from '../../messages/words.tsx'
import { type RequestMessages, requestMessages } from './requests-words.ts'

/** The words of the requests in the language that is spoken. */
export function useRequestMessages(): RequestMessages {
  return requestMessages[useMessages().language]
}
