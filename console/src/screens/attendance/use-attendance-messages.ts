import { useMessages } from '../../messages/messages.tsx'
import { attendanceMessages } from './attendance-messages.ts'

/** The messages of attendance in the language of the person. */
export function useAttendanceMessages(): (typeof attendanceMessages)['en'] {
  return attendanceMessages[useMessages().language]
}
