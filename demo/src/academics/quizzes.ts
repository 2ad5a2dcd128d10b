import { question, quiz, quizActivity } from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { calendarDate, day } from '../records/calendar.ts'
import type { CourseReader } from './enrollments.ts'
import type { RecordLoader } from './record-loader.ts'

const title = 'What Did You Learn?'

/** Questions with their answers, the correct one first. */
const asked = [
  ['<p>What do you look at first in a diagram?</p>', 'The axes', 'The colours', 'The title of the page'],
  ['<p>Which sentence is easier to read?</p>', 'One with one thought', 'One with three thoughts'],
  ['<p>What comes before the first flame burns?</p>', 'Goggles on', 'Windows open', 'Notes away'],
  ['<p>How do you prepare for an examination?</p>', 'Little and often', 'All in the last night'],
] as const

/** Loads a quiz with its questions, and how some of those who study did in it. */
export async function loadQuizzes(plan: Plan, readers: readonly CourseReader[], loader: RecordLoader): Promise<void> {
  const moment = plan.end - 60 * day
  const questions = await loader.add(
    question,
    asked.map(([text, ...answers]) => ({
      moment,
      fields: {
        question: text,
        options: answers.map((option, position) => ({ option, is_correct: position === 0 ? 1 : 0 })),
        question_type: 'Single Correct Answer',
      },
    })),
  )
  const rows = questions.map(({ name }, position) => ({
    question_link: name,
    question: asked[position]?.[0] as string,
  }))
  await loader.add(quiz, [{ moment, fields: { title, question: rows, is_time_bound: 1, duration: 600 } }])
  const taken = readers.filter((_, position) => position % 4 === 1)
  await loader.add(
    quizActivity,
    taken.map(({ member, course, enrollment }, position) => {
      const random = plan.random.of('quiz', position)
      const result = questions.map(({ name }, index) => {
        const isCorrect = random.fraction() < 0.8
        const selected = asked[index]?.[isCorrect ? 1 : 2] as string
        return { question: name, selected_option: selected, quiz_result: isCorrect ? 'Correct' : 'Wrong' }
      })
      const correct = result.filter(({ quiz_result }) => quiz_result === 'Correct').length
      const score = (correct / result.length) * 100
      const finished = plan.end - random.between(1, 50) * day
      return {
        moment: finished,
        fields: {
          enrollment,
          student: member.code,
          course,
          quiz: title,
          status: score >= quiz.fields.passing_score.default ? 'Pass' : 'Fail',
          result,
          activity_date: calendarDate(finished),
          score: String(score),
          time_taken: random.between(120, 590),
        },
      }
    }),
  )
}
