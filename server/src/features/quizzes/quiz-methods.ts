import { courseActivity, quiz } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { hasOnlyPersonalRoles, type RecordWork } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { callingStudent } from '../enrollment/index.ts'
import { evaluate, loadQuestions, type QuizResponse } from './evaluate-quiz.ts'
import { findCourseEnrollment, mayAttempt, requireCourseEnrollment, standingAt, storeAttempt } from './quiz-attempts.ts'

const utils = 'education.education.utils'
const text = { type: 'string', required: true } as const

/** The student who calls, or null where one of the staff does, who may read quizzes. Throws `PermissionError`. */
async function studentOrStaff(work: RecordWork): Promise<string | null> {
  if (hasOnlyPersonalRoles(work.caller)) return callingStudent(work)
  work.require(quiz, 'read')
  return null
}

/** What students do in courses: read, watch, and answer quizzes. The staff try the same without leaving a trace. */
export const quizMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${utils}.get_quiz`,
    rights: 'own records',
    about: 'Quiz Activity',
    isForStudents: true,
    summary: 'The questions of a quiz without what is right, and how far the student who calls is with it.',
    parameters: { quiz_name: text, course: text },
    run: async (work, { quiz_name, course }) => {
      const student = await studentOrStaff(work)
      const document = await work.get(quiz, quiz_name)
      const questions = (await loadQuestions(work, document)).map(({ name, question, question_type, options }) => ({
        name,
        question,
        type: question_type,
        options: options.map((row) => ({ name: row.name, option: row.option })),
      }))
      const { is_time_bound, duration } = document
      if (student === null) return { questions, activity: null, is_time_bound, duration }
      const enrollment = await findCourseEnrollment(work, student, course)
      const activity = await standingAt(work, enrollment?.name ?? null, document)
      return { questions, activity, is_time_bound, duration }
    },
  }),
  recordMethod({
    path: `${utils}.evaluate_quiz`,
    rights: 'own records',
    about: 'Quiz Activity',
    isForStudents: true,
    summary:
      'Marks the answers to a quiz and keeps the attempt of the student who calls; null once the attempts are used up.',
    parameters: {
      quiz_response: { type: 'json', required: true },
      quiz_name: text,
      course: text,
      program: text,
      time_taken: { type: 'integer' },
    },
    run: async (work, { quiz_response, quiz_name, course, program, time_taken }) => {
      const student = await studentOrStaff(work)
      const document = await work.get(quiz, quiz_name)
      const questions = await loadQuestions(work, document)
      const response = quiz_response as QuizResponse
      const evaluation = evaluate(document, questions, response)
      if (student === null) return evaluation
      await takeAdvisoryLock(work.tx, `quizzes of ${student}`)
      const enrollment = await requireCourseEnrollment(work, student, { course, program })
      if (!(await mayAttempt(work, enrollment.name, document))) {
        work.messages.push({ message: 'Maximum attempts for this quiz reached!' })
        return null
      }
      const attempt = { quiz: document.name, questions, response, evaluation, timeTaken: time_taken ?? 0 }
      await storeAttempt(work, enrollment.name, attempt)
      return evaluation
    },
  }),
  recordMethod({
    path: `${utils}.add_activity`,
    rights: 'own records',
    about: 'Quiz Activity',
    isForStudents: true,
    summary:
      'Notes that the student who calls read or watched something in a course, once. Gives the name of the note.',
    parameters: { course: text, content_type: text, content: text, program: text },
    run: async (work, { course, content_type, content, program }) => {
      const student = await studentOrStaff(work)
      if (student === null) return null
      await takeAdvisoryLock(work.tx, `activities of ${student}`)
      const { name: enrollment } = await requireCourseEnrollment(work, student, { course, program })
      // An attempt at a quiz is noted when it is evaluated.
      if (content_type === 'Quiz') return null
      const [known] = await work.select(
        courseActivity,
        sql`r.enrollment = ${enrollment} and r.content_type = ${content_type} and r.content = ${content}`,
        sql`limit 1`,
      )
      if (known !== undefined) return known.name
      const activity = { enrollment, content_type, content, activity_date: work.now }
      return (await work.insert(courseActivity, activity)).name
    },
  }),
]
