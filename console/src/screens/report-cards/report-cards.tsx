import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type CardPrint,
  type CardsOfGroup,
  printCards,
  readCardsOfGroup,
} from '../../calls/academics/report-card-api.ts'
import { list } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { PrintProgress } from './print-progress.tsx'
import { useCardMessages } from './use-card-messages.ts'

/** The report cards of a group: who lacks what, and all of them as one document. */
export default function ReportCards({ name: group }: { readonly name: string }) {
  const own = useCardMessages()
  const { may } = useSession()
  const term = new URLSearchParams(useQueryText()).get('term') ?? undefined
  const cards = useQuery({ queryKey: ['report_cards', group, term], queryFn: () => readCardsOfGroup(group, term) })
  useEffect(() => {
    document.title = own.title
  }, [own])
  if (!may('Assessment Result', 'read') || !may('Student Group', 'read')) return <NoPage />
  if (cards.isPending) return <Waiting lines={10} />
  if (cards.isError) return <Failed error={cards.error} again={() => void cards.refetch()} />
  return <CardsOf key={`${group} ${term}`} cards={cards.data} />
}

function CardsOf({ cards }: { readonly cards: CardsOfGroup }) {
  const own = useCardMessages()
  const { messages } = useMessages()
  const { may } = useSession()
  const notify = useNotify()
  const { studentGroup, academicYear, academicTerm, students } = cards
  const [showMarks, setShowMarks] = useState(true)
  const [onlyComplete, setOnlyComplete] = useState(false)
  const [print, setPrint] = useState<CardPrint | null>(null)
  const [isBusy, setBusy] = useState(false)
  const terms = useQuery({
    queryKey: ['terms', academicYear],
    queryFn: () => readTerms(academicYear),
    enabled: may('Academic Term', 'read'),
  })
  const complete = students.filter(({ results, lacks }) => results > 0 && lacks.length === 0).length
  const count = onlyComplete ? complete : students.length
  const begin = async () => {
    setBusy(true)
    try {
      setPrint(await printCards(crypto.randomUUID(), { studentGroup, academicTerm, showMarks, onlyComplete }))
    } catch (error) {
      notify(getErrorText(error, messages), { isBad: true })
    }
    setBusy(false)
  }
  const known = new Set([...(terms.data ?? []), ...(academicTerm === null ? [] : [academicTerm])])
  return (
    <>
      <div className="page-head">
        <div>
          <Link className="small" to={addressOf.record('Student Group', studentGroup)}>
            {studentGroup}
          </Link>
          <h1>{own.title}</h1>
          <p className="quiet">{[studentGroup, academicTerm ?? academicYear].join(' · ')}</p>
        </div>
        <div className="field">
          <label htmlFor="card-term">{own.term}</label>
          <select
            id="card-term"
            className="input"
            value={academicTerm ?? ''}
            onChange={({ target }) => go(addressOf.reportCards(studentGroup, target.value), { replace: true })}
          >
            <option value="">{own.year}</option>
            {[...known].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      {students.length === 0 ? (
        <Empty title={own.none} text={own.noneText} />
      ) : (
        <>
          <p className="quiet">{own.complete(complete, students.length)}</p>
          <div className="row section">
            <label className="check">
              <input type="checkbox" checked={showMarks} onChange={({ target }) => setShowMarks(target.checked)} />
              {own.marks}
            </label>
            <label className="check">
              <input
                type="checkbox"
                checked={onlyComplete}
                onChange={({ target }) => setOnlyComplete(target.checked)}
              />
              {own.only}
            </label>
            {count > 0 && (
              <Button
                kind="main"
                isBusy={isBusy || print?.status === 'queued' || print?.status === 'running'}
                onClick={() => void begin()}
              >
                {own.print(count)}
              </Button>
            )}
          </div>
          {print !== null && <PrintProgress print={print} onChange={setPrint} />}
          <CardTable students={students} />
        </>
      )}
    </>
  )
}

function CardTable({ students }: Pick<CardsOfGroup, 'students'>) {
  const own = useCardMessages()
  return (
    <ScrolledTable label={own.title} className="section">
      <thead>
        <tr>
          <th scope="col">{own.student}</th>
          <th scope="col" className="number">
            {own.results}
          </th>
          <th scope="col">{own.lacks}</th>
        </tr>
      </thead>
      <tbody>
        {students.map(({ student, studentName, results, isPosted, edition, lacks }) => (
          <tr key={student}>
            <th scope="row">
              {studentName} {isPosted && <span className="badge good">{own.posted}</span>}{' '}
              {edition !== null && <span className="badge">{own.edition(String(edition))}</span>}
            </th>
            <td className="number">{results}</td>
            <td>
              {lacks.length === 0 ? (
                <span className="quiet">{own.nothing}</span>
              ) : (
                <ul>
                  {lacks.map(({ plan, title, course, result }) => (
                    <li key={plan}>
                      <Link to={addressOf.gradeSheet(plan)}>
                        {[course, result === null ? title : own.draft(title)].filter(Boolean).join(': ')}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  )
}

async function readTerms(year: string): Promise<string[]> {
  const question = {
    ...{ fields: ['name'], filters: [['academic_year', '=', year] as const], orFilters: [] },
    ...{ order: 'term_start_date asc', start: 0, length: 50 },
  }
  return (await list('Academic Term', question)).map(({ name }) => String(name))
}
