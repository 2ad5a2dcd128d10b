import {
  courseEnrollment,
  programEnrollment,
  type question,
  type quiz,
  quizActivity,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { findDayInYear } from '../calendar/index.ts'
import { chosenIn, type Evaluation, type QuizResponse } from './evaluate-quiz.ts'

/** The enrolment of a student in a course that was made last, or null. */
export async function findCourseEnrollment(
  work: RecordWork,
  student: string,
  course: string,
): Promise<RecordOf<typeof courseEnrollment> | null> {
  const [found] = await work.select(
    courseEnrollment,
    sql`r.student = ${student} and r.course = ${course}`,
    sql`order by r.created_at desc, r.id desc limit 1`,
  )
  return found ?? null
}

/** The enrolment of a student in a course; one is made where the student is in its program. Throws `ValidationError`. */
export async function requireCourseEnrollment(
  work: RecordWork,
  student: string,
  { course, program }: { readonly course: string; readonly program: string },
): Promise<RecordOf<typeof courseEnrollment>> {
  const known = await findCourseEnrollment(work, student, course)
  if (known !== null) return known
  const [enrollment] = await work.select(
    programEnrollment,
    sql`r.student = ${student} and r.program = ${program} and r.docstatus = 1`,
    sql`order by r.created_at desc, r.id desc limit 1`,
  )
  const courses = enrollment === undefined ? [] : (await work.get(programEnrollment, enrollment.name)).courses
  if (enrollment === undefined || !courses.some((row) => row.course === course)) {
    throw new RecordError('ValidationError', `You are not enrolled in the course ${course} of the program ${program}.`)
  }
  const { name: program_enrollment, academic_year } = enrollment
  const enrollment_date = await findDayInYear(work, work.today, academic_year)
  return work.insert(courseEnrollment, { student, course, program_enrollment, enrollment_date })
}

/** The attempts of an enrolment at a quiz, the last one first. */
function attemptsAt(work: RecordWork, enrollment: string, quizName: string): Promise<RecordOf<typeof quizActivity>[]> {
  return work.select(
    quizActivity,
    sql`r.enrollment = ${enrollment} and r.quiz = ${quizName}`,
    sql`order by r.created_at desc, r.id desc`,
  )
}

/** Whether there may be another attempt; without a bound there always may. */
export async function mayAttempt(
  work: RecordWork,
  enrollment: string,
  { name, max_attempts }: Pick<RecordOf<typeof quiz>, 'name' | 'max_attempts'>,
): Promise<boolean> {
  return max_attempts === 0 || (await attemptsAt(work, enrollment, name)).length < max_attempts
}

/** How far a student is with a quiz: its best attempt, or the last one where the quiz says so. */
export async function standingAt(
  work: RecordWork,
  enrollment: string | null,
  { name, max_attempts, grading_basis }: RecordOf<typeof quiz>,
) {
  const attempts = enrollment === null ? [] : await attemptsAt(work, enrollment, name)
  const isUsedUp = max_attempts > 0 && attempts.length >= max_attempts
  const counted =
    grading_basis === 'Latest Highest Score'
      ? [...attempts].sort((one, other) => Number(other.score) - Number(one.score))
      : attempts
  const [shown] = counted
  if (shown === undefined) return { is_complete: false, score: null, result: null, time_taken: null }
  const { score, status: result, time_taken } = shown
  return { is_complete: isUsedUp || result === 'Pass', score, result, time_taken }
}

/** Keeps an attempt with what was chosen in it. */
export async function storeAttempt(
  work: RecordWork,
  enrollment: string,
  attempt: {
    readonly quiz: string
    readonly questions: readonly RecordOf<typeof question>[]
    readonly response: QuizResponse
    readonly evaluation: Evaluation
    readonly timeTaken: number
  },
): Promise<void> {
  const { questions, response, evaluation, timeTaken } = attempt
  const result = questions.map(({ name, options }) => {
    const chosen = chosenIn(response, name)
    const texts = options.filter((option) => chosen.has(option.name)).map(({ option }) => option ?? '')
    return {
      question: name,
      quiz_result: evaluation.result[name] === true ? 'Correct' : 'Wrong',
      selected_option: texts.length === 0 ? 'Unattempted' : [...texts.join(', ')].slice(0, 140).join(''),
    }
  })
  const { score, status } = evaluation
  await work.insert(quizActivity, {
    enrollment,
    quiz: attempt.quiz,
    activity_date: work.now,
    result,
    score: String(score),
    status,
    time_taken: timeTaken,
  })
}
