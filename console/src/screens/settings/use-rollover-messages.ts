import { useMessages } from '../../messages/messages.tsx'
import { rolloverMessages } from './rollover-messages.ts'

/** The messages of the year rollover in the language of the person. */
export function useRolloverMessages(): (typeof rolloverMessages)['en'] {
  return rolloverMessages[useMessages().language]
}
