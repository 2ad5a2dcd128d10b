import { useMessages } from '../../messages/messages.tsx'
import { gradeMessages } from './grade-messages.ts'

/** The messages of the grade sheet in the language of the person. */
export function useGradeMessages(): (typeof gradeMessages)['en'] {
  return gradeMessages[useMessages().language]
}
