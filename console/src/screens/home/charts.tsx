import { useQuery } from '@tanstack/react-query'
import { funnel } from '../../calls/admissions/admissions-api.ts'
import { readFigures } from '../../calls/figures-api.ts'
import { BarChart } from '../../elements/bar-chart.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { useHomeMessages } from './use-home-messages.ts'

/** The figures that a decision hangs on, as bars and as tables: only those that the person may read. */
export default function Charts() {
  const { locale } = useMessages()
  const own = useHomeMessages()
  const { has } = useSession()
  const figures = useQuery({ queryKey: ['figures'], queryFn: readFigures })
  const stages = useQuery({ queryKey: ['board', 'funnel'], queryFn: funnel, enabled: has('admissions:read') })
  if (figures.isPending) return <Waiting lines={4} />
  if (figures.isError) return <Failed error={figures.error} again={() => void figures.refetch()} />
  const { attendance, collections, currency, enrollment, academicYear } = figures.data
  const number = new Intl.NumberFormat(locale)
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const counted = (value: number) => number.format(value)
  const shared = { tableLabel: own.table, show: counted }
  const hasAttendance = attendance?.some(({ present, absent }) => present + absent > 0) === true
  const hasMoney = collections?.some(({ due, received }) => due + received > 0) === true
  const hasStages = stages.data?.some(({ reached }) => reached > 0) === true
  const hasEnrollment = enrollment !== null && enrollment.length > 0
  if (!hasAttendance && !hasMoney && !hasStages && !hasEnrollment) return null
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">{own.figures}</h2>
      <div className="charts">
        {hasStages && (
          <BarChart
            {...shared}
            title={own.funnel}
            rowsAre={own.stage}
            series={[own.reached]}
            rows={(stages.data ?? []).map(({ label, reached }) => ({ name: label, values: [reached] }))}
          />
        )}
        {hasAttendance && (
          <BarChart
            {...shared}
            title={own.attendance}
            rowsAre={own.week}
            series={[own.present, own.absentShare]}
            rows={attendance.map(({ week, present, absent }) => ({
              name: day.format(new Date(week)),
              values: [present, absent],
            }))}
          />
        )}
        {hasMoney && (
          <BarChart
            {...shared}
            title={own.collections(currency)}
            show={(value) => moneyText(locale, value, currency)}
            rowsAre={own.month}
            series={[own.due, own.received]}
            rows={collections.map(({ month: first, due, received }) => ({
              name: month.format(new Date(first)),
              values: [due, received],
            }))}
          />
        )}
        {hasEnrollment && (
          <BarChart
            {...shared}
            title={own.enrollment(academicYear ?? '')}
            rowsAre={own.program}
            series={[own.enrolled]}
            rows={enrollment.map(({ program, students }) => ({ name: program, values: [students] }))}
          />
        )}
      </div>
    </section>
  )
}
