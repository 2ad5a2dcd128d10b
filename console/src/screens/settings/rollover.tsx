import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { count, list } from '../../calls/resource-api.ts'
import { Field } from '../../elements/field.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useRolloverMessages } from './use-rollover-messages.ts'

type Messages = ReturnType<typeof useRolloverMessages>

/** The steps in their order, by the record type that each leaves for the year. */
const steps = [
  'Academic Term',
  'Student Admission',
  'Fee Structure',
  'Student Promotion',
  'Program Enrollment',
  'Student Group',
  'Course Schedule',
  'Fee Schedule',
] as const satisfies readonly (keyof Messages['steps'])[]

/** The field of a type that names the year. A lesson has none: it is found by its group. */
const yearField: Readonly<Partial<Record<(typeof steps)[number], string>>> = {
  'Student Promotion': 'to_academic_year',
}

/** What there is to do for the next academic year, and what of it is there. */
export default function Rollover() {
  const own = useRolloverMessages()
  const { messages } = useMessages()
  const { may, academicYear } = useSession()
  const isOpen = may('Academic Year', 'create')
  const years = useQuery({ queryKey: ['rollover', 'years'], queryFn: loadYears, enabled: isOpen })
  const [chosen, setChosen] = useState<string | null>(null)
  useEffect(() => {
    document.title = messages.screens.rollover
  }, [messages])
  if (!isOpen) return <NoPage />
  const names = years.data ?? []
  // The newest first: what comes after the current one is what is prepared.
  const year = chosen ?? names[0]
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.rollover}</h1>
        <Link className="button" to={addressOf.newRecord('Academic Year')}>
          {own.createYear}
        </Link>
      </div>
      <p className="quiet">{own.about}</p>
      {years.isPending && <Waiting lines={8} />}
      {years.isError && <Failed error={years.error} again={() => void years.refetch()} />}
      {years.data?.length === 0 && <Empty title={own.noYear} text={own.about} />}
      {year !== undefined && (
        <>
          <Field id="rollover-year" label={own.year}>
            <select
              id="rollover-year"
              className="input"
              value={year}
              onChange={({ target }) => setChosen(target.value)}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
          <ol className="stack section">
            {steps
              .filter((type) => may(type, 'read'))
              .map((type) => (
                <Step key={type} type={type} year={year} />
              ))}
            <li className="card">
              <strong>{own.switch}</strong>{' '}
              <span className={`badge ${academicYear === year ? 'good' : 'wait'}`}>
                {academicYear === year ? own.done : own.open}
              </span>
              <p className="quiet">{academicYear === year ? own.isCurrent : own.isNotCurrent(academicYear ?? '–')}</p>
              {may('Education Settings', 'write') && (
                <Link className="button" to={addressOf.record('Education Settings', 'Education Settings')}>
                  {own.show}
                </Link>
              )}
            </li>
          </ol>
        </>
      )}
    </>
  )
}

function Step({ type, year }: { readonly type: (typeof steps)[number]; readonly year: string }) {
  const own = useRolloverMessages()
  const { may } = useSession()
  const found = useQuery({ queryKey: ['count', type, 'rollover', year], queryFn: () => loadCount(type, year) })
  const isDone = (found.data ?? 0) > 0
  return (
    <li className="card">
      <strong>{own.steps[type]}</strong>{' '}
      {found.data !== undefined && (
        <span className={`badge ${isDone ? 'good' : 'wait'}`}>{isDone ? own.done : own.open}</span>
      )}
      {found.isError && <Failed error={found.error} again={() => void found.refetch()} />}
      {found.data !== undefined && <p className="quiet">{own.found(found.data)}</p>}
      <div className="row">
        <Link className="button" to={type === 'Course Schedule' ? addressOf.timetable : addressOf.list(type)}>
          {own.show}
        </Link>
        {may(type, 'create') && (
          <Link className="button plain" to={addressOf.newRecord(type)}>
            {own.create}
          </Link>
        )}
      </div>
    </li>
  )
}

async function loadYears(): Promise<string[]> {
  const question = { filters: [], orFilters: [], order: 'year_start_date desc', start: 0, length: 10 }
  return (await list('Academic Year', { ...question, fields: ['name'] })).map(({ name }) => name)
}

/** How many records of a type there are for a year. */
async function loadCount(type: (typeof steps)[number], year: string): Promise<number> {
  if (type !== 'Course Schedule') {
    return count(type, { filters: [[yearField[type] ?? 'academic_year', '=', year]], orFilters: [] })
  }
  const question = { orFilters: [], order: 'name', start: 0, length: 500, fields: ['name'] }
  const groups = await list('Student Group', { ...question, filters: [['academic_year', '=', year]] })
  if (groups.length === 0) return 0
  return count(type, { filters: [['student_group', 'in', groups.map(({ name }) => name)]], orFilters: [] })
}
