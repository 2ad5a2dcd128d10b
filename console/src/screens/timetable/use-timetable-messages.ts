import { useMessages } from '../../messages/messages.tsx'
import { timetableMessages } from './timetable-messages.ts'

/** The messages of the timetable in the language of the person. */
export function useTimetableMessages(): (typeof timetableMessages)['en'] {
  return timetableMessages[useMessages().language]
}
