import { useQueryClient } from '@tanstack/react-query'
import { update } from '../../calls/resource-api.ts'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { clashesOf, type Lesson, toFields, toTime } from './lesson.ts'
import { useClashText } from './use-clash-text.ts'
import { useTimetableMessages } from './use-timetable-messages.ts'

const queryKey = ['list', 'Course Schedule']

/** Moves a lesson, unless that clashes, which is told; a move is undone for as long as it is told. */
export function useLessonMoves(all: readonly Lesson[]): (from: Lesson, to: Lesson) => Promise<void> {
  const { messages, locale } = useMessages()
  const own = useTimetableMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const clashText = useClashText()
  const showDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const write = async (to: Lesson, modified: string) => {
    const { modified: now } = await update('Course Schedule', to.name, { ...toFields(to), modified })
    return String(now)
  }
  return async (from, to) => {
    const clashes = clashesOf(to, all)
    if (clashes.length > 0) {
      tell(`${own.clashes}: ${clashes.map(clashText).join(' ')}`, { isBad: true })
      return
    }
    try {
      const modified = await write(to, from.modified)
      const undo = () => {
        void write(from, modified)
          .catch((error: unknown) => tell(getErrorText(error, messages), { isBad: true }))
          .finally(() => void queries.invalidateQueries({ queryKey }))
      }
      tell(own.moved(showDay.format(new Date(to.day)), toTime(to.from)), { undo })
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      void queries.invalidateQueries({ queryKey })
    }
  }
}
