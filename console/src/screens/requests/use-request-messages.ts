import { useMessages } from '../../messages/messages.tsx'
import { requestMessages } from './request-messages.ts'

/** The messages of document requests in the language of the person. */
export function useRequestMessages(): (typeof requestMessages)['en'] {
  return requestMessages[useMessages().language]
}
