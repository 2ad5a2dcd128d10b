import {
  academicYear,
  enrollmentHistory,
  programEnrollment,
  studentPromotion,
  studentPromotionStudent,
  student as studentType,
} from '@matricula/contract/record-types'
import { takeAdvisoryLock, undoneByFailure } from '../../concurrency/index.ts'
import { type Sql, sql } from '../../database/index.ts'
import { defineRecord, newRow, RecordError, type RecordWork } from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import {
  findPromotionDay,
  findStudentsToPromote,
  type PromotedStudent,
  type Promotion,
  promoteStudent,
  undoStudent,
} from './promote-student.ts'

/** The number of students after which the progress is reported. */
const studentsPerReport = 25

/** The maximum number of students of one promotion, which is one transaction. */
const maxStudents = 2000

/** The number of refusals that an error names. */
const maxNamed = 20

function requireNotStarted(_promotion: Promotion, _work: RecordWork, before: Promotion | null): void {
  if (before === null || ['', 'Draft', 'Failed', 'Undone'].includes(before.status ?? '')) return
  throw new RecordError(
    'ValidationError',
    `The promotion ${before.name} is ${before.status?.toLowerCase()}, and cannot be changed. Undo it first.`,
  )
}

async function requirePeriods(promotion: Promotion, work: RecordWork): Promise<void> {
  const { new_academic_year: academic_year, new_academic_term: academic_term } = promotion
  await requireTermOfYear(promotion, work)
  await requireTermOfYear({ academic_year, academic_term }, work)
  const [from, to] = [
    await work.linked(academicYear, promotion.academic_year),
    await work.linked(academicYear, academic_year),
  ]
  if (!from?.year_start_date || !to?.year_start_date || to.year_start_date >= from.year_start_date) return
  throw new RecordError(
    'ValidationError',
    `The New Academic Year ${to.name} (from ${to.year_start_date}) is before ${from.name} (from ${from.year_start_date}). Choose a later one.`,
  )
}

async function fillStudents(promotion: Promotion, work: RecordWork): Promise<void> {
  promotion.status = 'Draft'
  if (promotion.students.length === 0) {
    const found = await findStudentsToPromote(promotion, work)
    promotion.students = found.map((student) => newRow(studentPromotionStudent, { ...student, decision: 'Promote' }))
  }
  promotion.total = promotion.students.length
  promotion.done = 0
  promotion.error_log = null
  if (promotion.students.length > maxStudents) {
    throw new RecordError(
      'ValidationError',
      `Promote at most ${maxStudents} students at once. Choose a batch or a term.`,
    )
  }
}

async function requireStudentsOnce(promotion: Promotion, work: RecordWork): Promise<void> {
  const latest = new Map(
    (await findStudentsToPromote(promotion, work)).map((found) => [found.student, found.program_enrollment]),
  )
  const seen = new Map<string, number>()
  for (const row of promotion.students) {
    const student = row.student ?? ''
    const other = seen.get(student)
    if (other !== undefined) {
      throw new RecordError('ValidationError', `${student} is in the rows ${other} and ${row.idx}. Remove one of them.`)
    }
    seen.set(student, row.idx)
    row.program_enrollment ||= latest.get(student) ?? null
  }
}

type Step = (row: PromotedStudent) => Promise<Partial<PromotedStudent>>

/** Does a step for each student, each by itself, and gives the rows as they are then; one that is refused says why. */
async function runSteps(promotion: Promotion, work: RecordWork, step: Step): Promise<PromotedStudent[]> {
  const students = promotion.students.map(({ student }) => student as string).sort()
  if (students.length > 0) await takeAdvisoryLock(work.tx, ...students.map((student) => `enrolment of ${student}`))
  await work.lockAll(students.map((name) => ({ type: studentType, name })))
  const rows: PromotedStudent[] = []
  for (const [index, row] of promotion.students.entries()) {
    try {
      rows.push({ ...row, ...(await undoneByFailure(work.tx, () => step(row))) })
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      rows.push({ ...row, outcome: 'Refused', message: error.message.slice(0, 1000) })
    }
    if ((index + 1) % studentsPerReport === 0) work.note(progressStatement(work.tx.tenantId, promotion, index + 1))
  }
  return rows
}

/** All or nothing: throws where somebody was refused, naming the first of them with the reason. */
function requireNoneRefused(rows: readonly PromotedStudent[]): void {
  const refused = rows.filter(({ outcome }) => outcome === 'Refused')
  if (refused.length === 0) return
  const named = refused.slice(0, maxNamed).map(({ idx, message }) => `Row #${idx}: ${message}`)
  const more = refused.length > maxNamed ? [`${refused.length - maxNamed} more are refused.`] : []
  throw new RecordError('ValidationError', [...named, ...more].join('\n'))
}

async function promoteAll(promotion: Promotion, work: RecordWork): Promise<PromotedStudent[]> {
  const day = await findPromotionDay(promotion, work)
  return runSteps(promotion, work, (row) => promoteStudent(promotion, row, day, work))
}

/** Throws `PermissionError` unless the caller may enrol and end enrolments. */
function requireMayPromote(work: RecordWork): void {
  work.require(studentPromotion, 'write')
  for (const right of ['create', 'submit'] as const) work.require(programEnrollment, right)
  for (const right of ['create', 'write'] as const) work.require(enrollmentHistory, right)
}

/** What a promotion would do with each student, by doing it and taking it back. */
export async function previewPromotion(promotion: Promotion, work: RecordWork): Promise<PromotedStudent[]> {
  class Seen extends Error {
    readonly rows: PromotedStudent[]
    constructor(rows: PromotedStudent[]) {
      super('seen')
      this.rows = rows
    }
  }
  try {
    return await undoneByFailure(work.tx, async () => {
      throw new Seen(await promoteAll(promotion, work))
    })
  } catch (error) {
    if (error instanceof Seen) return error.rows
    throw error
  }
}

async function run(promotion: Promotion, work: RecordWork): Promise<null> {
  if (promotion.status !== 'Queued') return null
  requireMayPromote(work)
  const students = await promoteAll(promotion, work)
  requireNoneRefused(students)
  const done = students.length
  await work.put(studentPromotion, promotion.name, { students, status: 'Completed', done, error_log: null })
  return null
}

async function undo(promotion: Promotion, work: RecordWork): Promise<null> {
  if (promotion.status !== 'Undo Queued') return null
  requireMayPromote(work)
  for (const right of ['cancel', 'delete'] as const) work.require(programEnrollment, right)
  const students = await runSteps(promotion, work, (row) => undoStudent(row, work))
  requireNoneRefused(students)
  await work.put(studentPromotion, promotion.name, { students, status: 'Undone', done: 0, error_log: null })
  return null
}

/** Notes why a run or an undo failed; of an undo everything is still done. */
async function recordFailure(promotion: Promotion, work: RecordWork, error: unknown): Promise<void> {
  const isUndo = promotion.status === 'Undo Queued'
  const error_log = error instanceof RecordError ? error.message : 'The service failed. Try again.'
  const done = isUndo ? promotion.total : 0
  await work.put(studentPromotion, promotion.name, { status: isUndo ? 'Completed' : 'Failed', done, error_log })
}

/** Outside of the transaction, which changes the record at its end only. */
function progressStatement(tenantId: string, { name }: Promotion, done: number): Sql {
  return sql`update student_promotions set done = ${done} where tenant_id = ${tenantId} and name = ${name}`
}

/** The record type of promotions. */
export const studentPromotionRecord = defineRecord(studentPromotion, {
  rules: { validate: [requireNotStarted, requirePeriods, fillStudents, requireStudentsOnce] },
  methods: {
    run_promotion: { run, failed: recordFailure },
    undo_promotion: { run: undo, failed: recordFailure },
  },
})
