import { useMessages } from '../../messages/messages.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { AskAll, CardMenu, Documents, Further, type PipelineProps } from './card-tools.tsx'
import { useBoardMessages } from './use-board-messages.ts'

/** The pipeline as a table: a group of rows for each status. */
export function BoardTable(props: PipelineProps) {
  const { columns, onFurther } = props
  const { messages } = useMessages()
  const own = useBoardMessages()
  return (
    <div className="card">
      <table className="pipeline">
        <thead>
          <tr>
            <th scope="col">{own.applicant}</th>
            <th scope="col">{own.waits}</th>
            <th scope="col">{own.documents}</th>
            <th scope="col">
              <span className="unseen">{own.move}</span>
            </th>
          </tr>
        </thead>
        {columns.map((column) => (
          <tbody key={column.status}>
            <tr>
              <th scope="rowgroup" colSpan={4}>
                {column.label} <span className="badge numbers">{column.count}</span> <AskAll column={column} />
              </th>
            </tr>
            {column.cards.map((card) => (
              <tr key={card.id}>
                <td>
                  <Link to={`${addressOf.application(card.id)}?status=${column.status}`}>{card.fullName}</Link>{' '}
                  <span className="quiet small">{card.program}</span>
                </td>
                <td className="numbers">{messages.board.days(card.daysInStatus)}</td>
                <td>
                  <Documents card={card} />
                </td>
                <td>
                  <CardMenu {...props} card={card} column={column} />
                </td>
              </tr>
            ))}
            {column.count > column.cards.length && (
              <tr>
                <td colSpan={4}>
                  <Further column={column} onFurther={onFurther} />
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </div>
  )
}
