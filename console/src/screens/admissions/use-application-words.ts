import { useMessages } from '../../messages/words.tsx'
import { applicationMessages } from './application-words.ts'

/** The sentences of an application in the language that is spoken. */
export function useApplicationMessages(): (typeof applicationMessages)['en'] {
  return applicationMessages[useMessages().language]
}
