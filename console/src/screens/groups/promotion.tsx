import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type PromotedStudent,
  previewPromotion,
  promotionState,
  startPromotion,
  undoPromotion,
} from '../../calls/academics/groups-api.ts'
import { type Document, read, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useGroupMessages } from './use-group-messages.ts'
import './groups.css'

const queryKeyOf = (name: string) => ['record', 'Student Promotion', name, 'run']
const isRunning = (status: unknown) => status === 'Queued' || status === 'Undo Queued'

/** How often it is asked how far a promotion is, in milliseconds. */
const askEvery = 1000

/** The promotion of a program and year: what would become of each student, then all of it, and its undo. */
export default function Promotion({ name }: { readonly name: string }) {
  const own = useGroupMessages()
  const { may } = useSession()
  const mayRead = may('Student Promotion', 'read')
  const promotion = useQuery({
    queryKey: queryKeyOf(name),
    queryFn: () => read('Student Promotion', name),
    enabled: mayRead,
  })
  useEffect(() => {
    document.title = own.promotion
  }, [own])
  if (!mayRead) return <NoPage />
  if (promotion.isPending) return <Waiting lines={8} />
  if (promotion.isError) return <Failed error={promotion.error} again={() => void promotion.refetch()} />
  return <PromotionOf promotion={promotion.data} />
}

function PromotionOf({ promotion }: { readonly promotion: Document }) {
  const own = useGroupMessages()
  const { messages, named } = useMessages()
  const { may } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const [preview, setPreview] = useState<Awaited<ReturnType<typeof previewPromotion>> | null>(null)
  const [asking, setAsking] = useState<'start' | 'undo' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { name, status } = promotion
  const runs = isRunning(status)
  const state = useQuery({
    queryKey: ['promotion', name],
    queryFn: () => promotionState(name),
    enabled: runs,
    refetchInterval: askEvery,
  })
  const now = state.data?.status
  useEffect(() => {
    if (runs && now !== undefined && !isRunning(now)) void queries.invalidateQueries({ queryKey: queryKeyOf(name) })
  }, [runs, now, name, queries])
  const mayRun = may('Student Promotion', 'write') && may('Program Enrollment', 'create')
  const isOpen = ['Draft', 'Failed', 'Undone'].includes(String(status))
  const stored = (promotion.students ?? []) as unknown as PromotedStudent[]
  const rows = preview?.students ?? stored
  const act = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: queryKeyOf(name) })
    }
  }
  const decide = (student: string, decision: string) =>
    act(async () => {
      const students = stored.map((row) => (row.student === student ? { ...row, decision } : row))
      await update('Student Promotion', name, { students, modified: promotion.modified })
      setPreview(null)
    })
  const run = (work: typeof startPromotion) =>
    act(async () => {
      queries.removeQueries({ queryKey: ['promotion', name] })
      await work(name)
      setPreview(null)
      setAsking(null)
    })
  const text = (field: string) => String(promotion[field] ?? '')
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{own.promotion}</h1>
          <p className="row">
            <span className="quiet">
              {own.fromTo(text('program'), text('academic_year'), text('new_program'), text('new_academic_year'))}
            </span>
            <span className={`badge ${status === 'Completed' ? 'good' : status === 'Failed' ? 'bad' : 'wait'}`}>
              {named(String(status))}
            </span>
          </p>
        </div>
        <span className="row">
          <Link className="button" to={addressOf.record('Student Promotion', name)}>
            {own.record}
          </Link>
          {mayRun && isOpen && stored.length > 0 && (
            <>
              <Button isBusy={isBusy} onClick={() => void act(async () => setPreview(await previewPromotion(name)))}>
                {own.preview}
              </Button>
              {preview?.refused === 0 && (
                <Button kind="main" isBusy={isBusy} onClick={() => setAsking('start')}>
                  {own.start(preview.total)}
                </Button>
              )}
            </>
          )}
          {mayRun && status === 'Completed' && <Button onClick={() => setAsking('undo')}>{own.undo}</Button>}
        </span>
      </div>
      {text('error_log') !== '' && !runs && <ErrorSummary title={text('error_log')} />}
      {runs && (
        <p role="status" className="told wait section">
          {own.progress(state.data?.done ?? 0, state.data?.total ?? stored.length)}{' '}
          <progress aria-label={own.promotion} max={state.data?.total || 1} value={state.data?.done ?? 0} />
        </p>
      )}
      <p role="status" className="quiet">
        {preview !== null ? own.refusedOf(preview.refused, preview.total) : isOpen ? own.previewText : ''}
      </p>
      <section className="card section">
        {rows.length === 0 ? (
          <p className="quiet">{own.noStudents}</p>
        ) : (
          <StudentTable rows={rows} mayDecide={mayRun && isOpen && !isBusy} onDecide={decide} />
        )}
      </section>
      {asking !== null && (
        <Dialog title={asking === 'start' ? own.startTitle : own.undoTitle} onClose={() => setAsking(null)}>
          <p>{asking === 'start' ? own.startText : own.undoText}</p>
          <div className="row">
            <Button
              kind={asking === 'start' ? 'main' : 'danger'}
              isBusy={isBusy}
              onClick={() => void run(asking === 'start' ? startPromotion : undoPromotion)}
            >
              {asking === 'start' ? own.start(rows.length) : own.undo}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

interface TableProps {
  readonly rows: readonly PromotedStudent[]
  readonly mayDecide: boolean
  readonly onDecide: (student: string, decision: string) => void
}

const decisions = ['Promote', 'Retain', 'Graduate', 'Exclude'] as const

function StudentTable({ rows, mayDecide, onDecide }: TableProps) {
  const own = useGroupMessages()
  const { named } = useMessages()
  return (
    <ScrolledTable label={own.promotion} className="promoted">
      <thead>
        <tr>
          {[own.student, own.decision, own.outcome, own.message].map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ student, student_name, decision, outcome, message }) => (
          <tr key={student}>
            <th scope="row">{student_name ?? student}</th>
            <td>
              {mayDecide ? (
                <select
                  className="input"
                  aria-label={`${own.decision}: ${student_name ?? student}`}
                  value={decision}
                  onChange={({ target }) => onDecide(student, target.value)}
                >
                  {decisions.map((each) => (
                    <option key={each} value={each}>
                      {named(each)}
                    </option>
                  ))}
                </select>
              ) : (
                named(decision)
              )}
            </td>
            <td>
              {Boolean(outcome) && (
                <span className={`badge ${outcome === 'Refused' ? 'bad' : 'good'}`}>{named(String(outcome))}</span>
              )}
            </td>
            <td className="message">{message}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  )
}
