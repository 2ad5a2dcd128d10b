import { useQuery } from '@tanstack/react-query'
import { funnel } from '../../calls/admissions/admissions-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useBoardMessages } from './use-board-messages.ts'

/** How far applications come, and where they stay long. */
export function BoardFunnel() {
  const { messages, locale } = useMessages()
  const own = useBoardMessages()
  const found = useQuery({ queryKey: ['board', 'funnel'], queryFn: funnel })
  if (found.isPending) return <Waiting />
  if (found.isError) return <Failed error={found.error} again={() => void found.refetch()} />
  const max = Math.max(1, ...found.data.map(({ reached }) => reached))
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  return (
    <div className="card">
      <table className="pipeline">
        <thead>
          <tr>
            <th scope="col">{own.stage}</th>
            <th scope="col">{own.here}</th>
            <th scope="col">{own.came}</th>
            <th scope="col">{own.stay}</th>
          </tr>
        </thead>
        <tbody>
          {found.data.map(({ status, label, count, reached, medianDays }) => (
            <tr key={status}>
              <th scope="row">
                {label}
                <progress value={reached} max={max} aria-label={own.share(label, percent.format(reached / max))} />
              </th>
              <td className="numbers">{number.format(count)}</td>
              <td className="numbers">{number.format(reached)}</td>
              <td className="numbers">{medianDays === null ? '' : messages.board.days(medianDays)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
