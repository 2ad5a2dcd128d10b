import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import {
  type Cell,
  readGradeSheet,
  type GradeSheet as Sheet,
  type SheetStudent,
  submitScores,
} from '../../calls/academics/grade-sheet-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { numberLocale, showDecimal } from '../../records/decimal-text.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { Conflicts } from './conflicts.tsx'
import { ScoreCell } from './score-cell.tsx'
import { cellValue, placeBlock, readCell } from './sheet-cells.ts'
import { toKey, useEntry } from './use-entry.ts'
import { useGradeMessages } from './use-grade-messages.ts'

/** The scores of a group in an assessment, typed as into a spreadsheet. */
export default function GradeSheet({ name: plan }: { readonly name: string }) {
  const own = useGradeMessages()
  const { may } = useSession()
  const sheet = useQuery({ queryKey: ['grade_sheet', plan], queryFn: () => readGradeSheet(plan) })
  useEffect(() => {
    document.title = own.title
  }, [own])
  if (!may('Assessment Result', 'read') || !may('Assessment Plan', 'read')) return <NoPage />
  if (sheet.isPending) return <Waiting lines={10} />
  if (sheet.isError) return <Failed error={sheet.error} again={() => void sheet.refetch()} />
  return <SheetOf sheet={sheet.data} />
}

function SheetOf({ sheet }: { readonly sheet: Sheet }) {
  const own = useGradeMessages()
  const { messages, language } = useMessages()
  const queries = useQueryClient()
  const notify = useNotify()
  const locale = numberLocale(language, navigator.language)
  const { plan, criteria, students, mayEnter, maySubmit } = sheet
  const [isAsking, setAsking] = useState(false)
  const show = useCallback(
    (changed: readonly SheetStudent[]) => {
      const byName = new Map(changed.map((each) => [each.student, each]))
      queries.setQueryData<Sheet>(
        ['grade_sheet', plan],
        (before) => before && { ...before, students: before.students.map((each) => byName.get(each.student) ?? each) },
      )
    },
    [queries, plan],
  )
  const fail = useCallback(
    (error: unknown) => {
      notify(getErrorText(error, messages), { isBad: true })
      void queries.invalidateQueries({ queryKey: ['grade_sheet', plan] })
    },
    [notify, messages, queries, plan],
  )
  const entry = useEntry(plan, show, fail)
  const findScore = (student: SheetStudent, criterion: string) =>
    student.scores.find((score) => score.criterion === criterion)
  const enter = (typed: readonly { student: SheetStudent; criterion: Sheet['criteria'][number]; text: string }[]) => {
    const cells = typed.flatMap(({ student, criterion, text }): Cell[] => {
      const read = readCell(text, criterion, locale)
      if (read === null || student.status === 'submitted') return []
      const was = cellValue(findScore(student, criterion.criterion))
      return [{ student: student.student, criterion: criterion.criterion, ...read, was }]
    })
    const wrong = typed.length - cells.length
    if (typed.length > 1 && wrong > 0) notify(own.refused(wrong), { isBad: true })
    if (cells.length > 0) entry.enter(cells)
  }
  const number = (value: number | null) => (value === null ? '' : showDecimal(locale, String(value)))
  const drafts = students.filter(({ status }) => status === 'draft').length
  const open = students.filter(({ status }) => status === 'open').length
  const isWaiting = entry.saving + entry.waiting > 0
  return (
    <>
      <div className="page-head">
        <div>
          <Link className="small" to={addressOf.record('Assessment Plan', plan)}>
            {own.plan}
          </Link>
          <h1>{sheet.title}</h1>
          <p className="quiet">{[sheet.course, sheet.studentGroup].filter(Boolean).join(' · ')}</p>
        </div>
        {maySubmit && drafts > 0 && (
          <Button kind="main" isBusy={isWaiting} onClick={() => setAsking(true)}>
            {own.submit}
          </Button>
        )}
      </div>
      {students.length === 0 ? (
        <Empty title={own.none} text={own.noneText} />
      ) : (
        <>
          <p className="quiet">{mayEnter ? own.hint : open > 0 ? own.draft : own.locked}</p>
          <ScrolledTable label={own.title} className="grades">
            <thead>
              <tr>
                <th scope="col">{own.student}</th>
                {criteria.map(({ criterion, maximum, allowsBonus }) => (
                  <th key={criterion} scope="col" className="number">
                    {criterion}
                    <span className="quiet small">
                      {allowsBonus ? own.bonus(number(maximum)) : own.of(number(maximum))}
                    </span>
                  </th>
                ))}
                <th scope="col" className="number">
                  {own.total}
                </th>
                <th scope="col">{own.grade}</th>
              </tr>
            </thead>
            <tbody>
              {students.map((student, row) => (
                <tr key={student.student}>
                  <th scope="row">
                    {student.studentName}
                    {student.status === 'submitted' && <span className="badge good">{own.submitted}</span>}
                  </th>
                  {criteria.map((criterion, column) => (
                    <ScoreCell
                      key={criterion.criterion}
                      student={student}
                      criterion={criterion}
                      score={findScore(student, criterion.criterion)}
                      state={entry.states.get(toKey(student.student, criterion.criterion))}
                      locale={locale}
                      isReadOnly={!mayEnter || student.status === 'submitted'}
                      at={{ row, column }}
                      onType={(text) => enter([{ student, criterion, text }])}
                      onPaste={(block) => enter(placeBlock(block, { row, column }, sheet))}
                    />
                  ))}
                  <td className="number">
                    {student.total === null ? '' : `${number(student.total)} / ${number(student.maximum)}`}
                  </td>
                  <td>{student.grade ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </ScrolledTable>
          <Conflicts
            states={entry.states}
            students={students}
            onMine={entry.enterAgain}
            onTheirs={entry.drop}
            locale={locale}
          />
          <p role="status" className={entry.waiting > 0 ? 'told wait section' : 'quiet'}>
            {entry.waiting > 0 ? own.waiting(entry.waiting) : isWaiting ? own.saving : mayEnter ? own.saved : ''}
          </p>
        </>
      )}
      {isAsking && <AskSubmit sheet={sheet} drafts={drafts} open={open} onClose={() => setAsking(false)} />}
    </>
  )
}

interface AskProps {
  readonly sheet: Sheet
  readonly drafts: number
  readonly open: number
  readonly onClose: () => void
}

function AskSubmit({ sheet: { plan }, drafts, open, onClose }: AskProps) {
  const own = useGradeMessages()
  const { messages } = useMessages()
  const queries = useQueryClient()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  const [key] = useState(() => crypto.randomUUID())
  const submit = async () => {
    setBusy(true)
    try {
      notify(own.submitDone((await submitScores(plan, key)).submitted))
      onClose()
    } catch (error) {
      notify(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    }
    void queries.invalidateQueries({ queryKey: ['grade_sheet', plan] })
  }
  return (
    <Dialog title={own.submitTitle} onClose={onClose}>
      <p>
        {own.submitText(drafts)} {open > 0 && own.leftOut(open)} {own.locked}
      </p>
      <div className="row">
        <Button kind="main" isBusy={isBusy} onClick={() => void submit()}>
          {own.submit}
        </Button>
      </div>
    </Dialog>
  )
}
