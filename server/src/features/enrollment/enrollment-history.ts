import { enrollmentHistory, programEnrollment, student as studentType } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

type Period = RecordOf<typeof enrollmentHistory>
type Enrollment = RecordOf<typeof programEnrollment>

function requireDatesInOrder({ entry_date: entry, exit_date: exit, exit_code: code }: Period): void {
  if (exit === null && code) {
    throw new RecordError(
      'ValidationError',
      `The Exit Code ${code} needs an Exit Date. Enter the day, or clear the code.`,
    )
  }
  if (exit === null || entry === null) return
  if (!code) throw new RecordError('ValidationError', `Choose the Exit Code of the exit on ${exit}.`)
  if (exit >= entry) return
  throw new RecordError(
    'ValidationError',
    `The Exit Date ${exit} is before the Entry Date ${entry}. Correct the dates.`,
  )
}

async function requireNoOtherPeriod({ name, student, program, entry_date, exit_date }: Period, work: RecordWork) {
  await takeAdvisoryLock(work.tx, `enrolment of ${student}`)
  const [other] = await work.select(
    enrollmentHistory,
    sql`r.student = ${student} and r.program = ${program} and r.name <> ${name}
        and r.entry_date < coalesce(${exit_date}::date, 'infinity') and ${entry_date} < coalesce(r.exit_date, 'infinity')`,
    sql`order by r.entry_date limit 1`,
  )
  if (other === undefined) return
  throw new RecordError(
    'ValidationError',
    `${student} is in ${program} from ${other.entry_date} ${other.exit_date === null ? 'on' : `to ${other.exit_date}`} by ${other.name}. Correct that one, or choose other days.`,
  )
}

/** The periods of a student in a program, or in all, earliest first. */
function loadPeriods(work: RecordWork, student: string | null, program: string | null): Promise<Period[]> {
  return work.select(
    enrollmentHistory,
    sql`r.student = ${student} and (${program}::text is null or r.program = ${program})`,
    sql`order by r.entry_date, r.name`,
  )
}

/** Who leaves by one of these codes enters by the same one on that day. */
const isMove = (code: string | null) => code === 'Promotion' || code === 'Retention'

/**
 * Notes that an enrolment begins a student's time in a program, unless the student is in it already. An enrolment before
 * the first entry moves that entry; one in place of a cancelled one goes on with its period. Who comes back has not left.
 */
export async function recordEntry(enrollment: Enrollment, work: RecordWork): Promise<void> {
  const { student, program, enrollment_date: day, name } = enrollment
  if (day === null) return
  await takeAdvisoryLock(work.tx, `enrolment of ${student}`)
  const all = await loadPeriods(work, student, null)
  const periods = all.filter((period) => period.program === program)
  const current = periods.find(({ entry_date, exit_date }) => (entry_date ?? day) <= day && (exit_date ?? '9999') > day)
  if (current !== undefined) {
    if (current.exit_code !== 'Enrollment Cancelled') return
    await work.put(enrollmentHistory, current.name, { exit_date: null, exit_code: '', program_enrollment: name })
    return
  }
  const next = periods.find(({ entry_date }) => entry_date !== null && entry_date > day)
  if (next !== undefined) {
    await work.put(enrollmentHistory, next.name, { entry_date: day, program_enrollment: name })
    return
  }
  const moved = all.find(({ exit_date, exit_code }) => exit_date === day && isMove(exit_code))
  const entry_code = moved?.exit_code ?? (periods.length > 0 ? 'Re-entry' : 'New')
  await work.insert(enrollmentHistory, { student, program, program_enrollment: name, entry_date: day, entry_code })
  const { date_of_leaving } = await work.get(studentType, student as string)
  if (date_of_leaving !== null && date_of_leaving <= day) {
    await work.put(studentType, student as string, { date_of_leaving: null })
  }
}

/**
 * Takes back the entry that a cancelled enrolment made: it becomes that of the student's next enrolment in the program;
 * without one it ends today, or goes where it was to begin later.
 */
export async function withdrawEntry({ name, student, program }: Enrollment, work: RecordWork): Promise<void> {
  await takeAdvisoryLock(work.tx, `enrolment of ${student}`)
  const [period] = await work.select(enrollmentHistory, sql`r.program_enrollment = ${name} and r.exit_date is null`)
  if (period === undefined) return
  const [other] = await work.select(
    programEnrollment,
    sql`r.student = ${student} and r.program = ${program} and r.docstatus = 1 and r.name <> ${name}`,
    sql`order by r.enrollment_date, r.name limit 1`,
  )
  if (other !== undefined) {
    const { enrollment_date: entry_date } = other
    await work.put(enrollmentHistory, period.name, { program_enrollment: other.name, entry_date })
  } else if ((period.entry_date ?? work.today) >= work.today) await work.remove(enrollmentHistory, period.name)
  else {
    const exit = { exit_date: work.today, exit_code: 'Enrollment Cancelled' }
    await work.put(enrollmentHistory, period.name, exit)
  }
}

/** An enrolment that is deleted never was: the periods that name it go with it. */
export async function removeEntries({ name }: Enrollment, work: RecordWork): Promise<void> {
  for (const period of await work.select(enrollmentHistory, sql`r.program_enrollment = ${name}`)) {
    await work.remove(enrollmentHistory, period.name)
  }
}

/** How a student leaves a program. */
export interface Exit {
  readonly student: string
  /** Null: every program. */
  readonly program: string | null
  readonly exit_date: string
  readonly exit_code: string
  readonly remarks?: string | null
}

/**
 * Ends a student's time in a program, or in every one, and gives the names of the periods that it ended.
 *
 * @throws RecordError `ValidationError` where the student is in none, or entered later.
 */
export async function recordExit({ student, program, ...exit }: Exit, work: RecordWork): Promise<string[]> {
  await takeAdvisoryLock(work.tx, `enrolment of ${student}`)
  const open = (await loadPeriods(work, student, program)).filter(({ exit_date }) => exit_date === null)
  const periods = open.length > 0 ? open : await beginMissing(work, student, program)
  if (periods.length === 0) {
    throw new RecordError('ValidationError', `${student} is not in ${program ?? 'any program'}, and cannot leave it.`)
  }
  for (const { name } of periods) {
    await work.change(enrollmentHistory, name, (period) => {
      Object.assign(period, { ...exit, remarks: exit.remarks ?? period.remarks })
    })
  }
  return periods.map(({ name }) => name)
}

/** Begins the periods of enrolments from before there was a history. */
async function beginMissing(work: RecordWork, student: string, program: string | null): Promise<Period[]> {
  const enrollments = await work.tx.query<{ program: string; name: string; day: string }>(sql`
    select distinct on (e.program) e.program, e.name, e.enrollment_date as day
      from program_enrollments e
     where e.tenant_id = ${work.tx.tenantId} and e.student = ${student} and e.docstatus = 1
       and (${program}::text is null or e.program = ${program})
       and not exists (select 1 from enrollment_history h
                        where h.tenant_id = e.tenant_id and h.student = e.student and h.program = e.program)
     order by e.program, e.enrollment_date, e.name`)
  const made: Period[] = []
  for (const { program: of, name, day } of enrollments) {
    const entry = { entry_date: day, entry_code: 'New' }
    made.push(await work.insert(enrollmentHistory, { student, program: of, program_enrollment: name, ...entry }))
  }
  return made
}

/** The record type of a student's entries and exits. */
export const enrollmentHistoryRecord = defineRecord(enrollmentHistory, {
  indexes: [['student', 'entry_date']],
  rules: { validate: [requireDatesInOrder, requireNoOtherPeriod] },
})
