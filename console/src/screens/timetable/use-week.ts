import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../calls/resource-api.ts'
import { useSession } from '../../session/session.tsx'
import { addDays, lessonFields, toLesson } from './lesson.ts'

/** More lessons than a school gives in a week. */
const maxLessons = 5000

/** More rooms than a school has. */
const maxNamed = 2000

/** All lessons of a week that may be read: of all groups, so that a clash is named before it is saved. */
export function useWeek(monday: string) {
  const { may } = useSession()
  const rooms = useQuery({
    queryKey: ['list', 'Room', 'names'],
    queryFn: async () => {
      const shown = { fields: ['name', 'room_name'], filters: [], orFilters: [], order: 'name asc' }
      const found = await list('Room', { ...shown, start: 0, length: maxNamed })
      return new Map(found.map(({ name, room_name }) => [name, String(room_name ?? name)]))
    },
    enabled: may('Room', 'read'),
  })
  return useQuery({
    queryKey: ['list', 'Course Schedule', 'week', monday],
    enabled: rooms.isFetched || !may('Room', 'read'),
    queryFn: async () => {
      const found = await list('Course Schedule', {
        fields: lessonFields,
        filters: [['schedule_date', 'between', [monday, addDays(monday, 6)] as unknown as string]],
        orFilters: [],
        order: 'schedule_date asc, from_time asc',
        start: 0,
        length: maxLessons,
      })
      return found.map((record) => toLesson(record, rooms.data))
    },
    placeholderData: keepPreviousData,
  })
}
