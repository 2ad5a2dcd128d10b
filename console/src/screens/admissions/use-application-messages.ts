import { useMessages } from '../../messages/messages.tsx'
import { applicationMessages } from './application-messages.ts'

/** The messages of an application in the language of the person. */
export function useApplicationMessages(): (typeof applicationMessages)['en'] {
  return applicationMessages[useMessages().language]
}
