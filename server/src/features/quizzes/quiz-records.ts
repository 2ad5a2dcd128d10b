import { question, quiz } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition, RecordError, type RecordOf } from '../../record-engine/index.ts'

function requireReachableScore({ passing_score }: RecordOf<typeof quiz>): void {
  if (passing_score > 100) {
    throw new RecordError(
      'ValidationError',
      `Passing Score (${passing_score}) cannot be greater than 100, because it is a percentage.`,
    )
  }
  if (passing_score < 0) {
    throw new RecordError('ValidationError', `Passing Score (${passing_score}) cannot be less than 0. Correct it.`)
  }
}

/** Without a bound (0) students may try again and again; below 0 nobody could. */
function requireAttempts({ max_attempts }: RecordOf<typeof quiz>): void {
  if (max_attempts >= 0) return
  const text = `Max Attempts (${max_attempts}) cannot be less than 0. Enter 0 for as many as one likes.`
  throw new RecordError('ValidationError', text)
}

/** A quiz that is bound to a time of nothing would be over before it began. */
function requireDuration({ is_time_bound: isBound, duration: seconds }: RecordOf<typeof quiz>): void {
  const duration = seconds ?? 0
  if (duration < 0) {
    throw new RecordError('ValidationError', `Duration (${duration} seconds) cannot be less than 0. Correct it.`)
  }
  if (isBound !== 1 || duration > 0) return
  throw new RecordError('ValidationError', 'Enter the Duration of a quiz that is time-bound, or leave it unbound.')
}

function requireQuestionsOnce({ question: rows }: RecordOf<typeof quiz>): void {
  const seen = new Set<string | null>()
  for (const { idx, question_link } of rows) {
    if (seen.has(question_link)) {
      throw new RecordError('ValidationError', `Row #${idx}: ${question_link} is asked already. Remove the row.`)
    }
    seen.add(question_link)
  }
}

function requireAnswers({ options }: RecordOf<typeof question>): void {
  if (options.length < 2) {
    throw new RecordError('ValidationError', 'A question must have more than one option. Add another.')
  }
  if (options.some(({ is_correct }) => is_correct === 1)) return
  throw new RecordError('ValidationError', 'A question must have at least one correct option. Mark it.')
}

/** Nobody can tell two options of the same text apart. The message names rows, since an option may be long. */
function requireOptionsOnce({ options }: RecordOf<typeof question>): void {
  const rows = new Map<string, number>()
  for (const { idx, option } of options) {
    const text = option?.trim() ?? ''
    const earlier = rows.get(text)
    if (earlier !== undefined) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: the option is that of row #${earlier}. Change or remove it.`,
      )
    }
    rows.set(text, idx)
  }
}

function setQuestionType(document: RecordOf<typeof question>): void {
  const correct = document.options.filter(({ is_correct }) => is_correct === 1)
  document.question_type = correct.length > 1 ? 'Multiple Correct Answer' : 'Single Correct Answer'
}

/** Questions, the quizzes that ask them, and how students answered. */
export const quizRecords: readonly RecordDefinition[] = [
  defineRecord(question, { rules: { validate: [requireAnswers, requireOptionsOnce, setQuestionType] } }),
  defineRecord(quiz, {
    rules: { validate: [requireReachableScore, requireAttempts, requireDuration, requireQuestionsOnce] },
  }),
]
