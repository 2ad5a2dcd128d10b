import { useMessages } from '../../messages/messages.tsx'
import { type GradeMessages, gradeMessages } from './grade-messages.ts'

/** The messages of the grade sheet in the language of the person. */
export function useGradeMessages(): GradeMessages {
  return gradeMessages[useMessages().language]
}
