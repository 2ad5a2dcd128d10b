import type { FormCondition, Json } from '@matricula/contract'

/** The answers so far, by question key; hidden and unanswered questions have none. */
export type AnswersSoFar = ReadonlyMap<string, Json>

/** Whether a condition on earlier answers holds. */
export function holds(condition: FormCondition, answers: AnswersSoFar): boolean {
  if (condition.all !== undefined) return condition.all.every((part) => holds(part, answers))
  if (condition.any !== undefined) return condition.any.some((part) => holds(part, answers))
  const answer = answers.get(condition.field ?? '')
  if (condition.isSet !== undefined) return isAnswered(answer) === condition.isSet
  if (condition.equals !== undefined) return matchesAny(answer, [condition.equals])
  if (condition.notEquals !== undefined) return !matchesAny(answer, [condition.notEquals])
  return matchesAny(answer, condition.in ?? [])
}

/** Whether a question is answered: a box that is not ticked and an empty choice are no answers. */
export function isAnswered(answer: Json | undefined): boolean {
  if (Array.isArray(answer)) return answer.length > 0
  return answer !== undefined && answer !== null && answer !== '' && answer !== false
}

function matchesAny(answer: Json | undefined, values: readonly (string | number | boolean)[]): boolean {
  const given = Array.isArray(answer) ? answer : [answer ?? null]
  return given.some((one) => values.some((value) => value === one))
}

/** The keys of the questions that a condition refers to. */
export function findConditionFields(condition: FormCondition): string[] {
  const parts = [...(condition.all ?? []), ...(condition.any ?? [])]
  return [...(condition.field === undefined ? [] : [condition.field]), ...parts.flatMap(findConditionFields)]
}
