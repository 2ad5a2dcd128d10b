import { question, type quiz } from '@matricula/contract/record-types'
import { type RecordOf, type RecordWork, rounded } from '../../record-engine/index.ts'

/** What somebody chose, by question: the row name of one option, or of several. */
export type QuizResponse = Readonly<Record<string, unknown>>

/** How well a quiz was answered. */
export interface Evaluation {
  /** Whether each question was answered rightly, by its name. */
  readonly result: Readonly<Record<string, boolean>>
  /** In percent. */
  readonly score: number
  readonly status: 'Pass' | 'Fail'
}

/** The questions of a quiz in their order, each once. */
export async function loadQuestions(
  work: RecordWork,
  { question: rows }: RecordOf<typeof quiz>,
): Promise<RecordOf<typeof question>[]> {
  const names = new Set(rows.flatMap(({ question_link }) => question_link ?? []))
  const found: RecordOf<typeof question>[] = []
  for (const name of names) found.push(await work.get(question, name))
  return found
}

/** Compares what was chosen with what is right; an answer is right when it has all correct options and no other. */
export function evaluate(
  { passing_score }: Pick<RecordOf<typeof quiz>, 'passing_score'>,
  questions: readonly RecordOf<typeof question>[],
  response: QuizResponse,
): Evaluation {
  const marks = questions.map(({ name, options }) => {
    const correct = options.filter(({ is_correct }) => is_correct === 1).map((option) => option.name)
    const chosen = chosenIn(response, name)
    return [name, chosen.size === correct.length && correct.every((option) => chosen.has(option))] as const
  })
  const right = marks.filter(([, isRight]) => isRight).length
  const score = rounded((right * 100) / marks.length, 2)
  return { result: Object.fromEntries(marks), score, status: score >= passing_score ? 'Pass' : 'Fail' }
}

/** The names of the options that were chosen for a question. */
export function chosenIn(response: QuizResponse, questionName: string): ReadonlySet<unknown> {
  const sent = Object.hasOwn(response, questionName) ? response[questionName] : null
  if (Array.isArray(sent)) return new Set(sent)
  return new Set(sent === null || sent === '' ? [] : [sent])
}
