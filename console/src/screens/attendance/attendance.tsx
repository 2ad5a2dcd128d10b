import { useQuery } from '@tanstack/react-query'
import { type ListedRoll, type RollDay, readRollDay } from '../../calls/academics/roll-call-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { RollsOfDay } from './day.tsx'
import Roll from './roll.tsx'

/** Attendance: the lesson that the person teaches now, and else the rolls of today. */
export default function Attendance() {
  const { may } = useSession()
  const today = useQuery({ queryKey: ['rolls', ''], queryFn: () => readRollDay() })
  if (!may('Student Attendance', 'read') || !may('Student Group', 'read')) return <NoPage />
  if (today.isPending) return <Waiting lines={10} />
  if (today.isError) return <Failed error={today.error} again={() => void today.refetch()} />
  const now = lessonNow(today.data)
  return now === undefined ? <RollsOfDay day={today.data} /> : <Roll name={now.of} date={now.date} />
}

/** The lesson of the person that goes on; where none does, the only roll of the person. */
function lessonNow({ rolls, now, isHoliday }: RollDay): ListedRoll | undefined {
  const mine = rolls.filter(({ isMine }) => isMine)
  const current = mine.find(({ from, to }) => from !== null && to !== null && from <= now && now < to)
  const expected = mine.filter(({ isExpected }) => isExpected)
  return isHoliday ? undefined : (current ?? (expected.length === 1 ? expected[0] : undefined))
}
