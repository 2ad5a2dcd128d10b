import { useQuery } from '@tanstack/react-query'
import { funnel } from '../../calls/admissions-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useWords } from '../../messages/words.tsx'
import { Failed } from '../../session/failed.tsx'
import { useBoardWords } from './use-board-words.ts'

/** How far applications come, and where they stay long. */
export function BoardFunnel() {
  const { words, language } = useWords()
  const own = useBoardWords()
  const found = useQuery({ queryKey: ['board', 'funnel'], queryFn: funnel })
  if (found.isPending) return <Waiting />
  if (found.isError) return <Failed error={found.error} again={() => void found.refetch()} />
  const most = Math.max(1, ...found.data.map(({ reached }) => reached))
  const number = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
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
                <progress value={reached} max={most} aria-label={own.share(label, percent.format(reached / most))} />
              </th>
              <td className="numbers">{number.format(count)}</td>
              <td className="numbers">{number.format(reached)}</td>
              <td className="numbers">{medianDays === null ? '' : words.board.days(medianDays)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
