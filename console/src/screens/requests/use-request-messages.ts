import { useMessages } from '../../messages/messages.tsx'
import { type RequestMessages, requestMessages } from './request-messages.ts'

/** The messages of document requests in the language of the person. */
export function useRequestMessages(): RequestMessages {
  return requestMessages[useMessages().language]
}
