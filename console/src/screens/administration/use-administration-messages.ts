import { useMessages } from '../../messages/messages.tsx'
import { administrationMessages } from './administration-messages.ts'

/** The messages of the screens for administrators in the language of the person. */
export function useAdministrationMessages(): (typeof administrationMessages)['en'] {
  return administrationMessages[useMessages().language]
}
