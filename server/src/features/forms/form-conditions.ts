import type { FormCondition, Json } from '@matricula/contract'

/** The answers so far, by the keys of their questions; a question that is hidden or not answered has none. */
export type AnswersSoFar = ReadonlyMap<string, Json>

/** Whether a condition on earlier answers holds. */
export function holds(condition: FormCondition, answers: AnswersSoFar): boolean {
  if (condition.all !== undefined) return condition.all.every((part) => holds(part, answers))
  if (condition.any !== undefined) return condition.any.some((part) => holds(part, answers))
  const response = answers.get(condition.field ?? '')
  if (condition.isSet !== undefined) return isAnswered(response) === condition.isSet
  if (condition.equals !== undefined) return fits(response, [condition.equals])
  if (condition.notEquals !== undefined) return !fits(response, [condition.notEquals])
  return fits(response, condition.in ?? [])
}

/** Whether somebody has answered: a box that is not ticked and a choice of nothing are no answers. */
export function isAnswered(response: Json | undefined): boolean {
  if (Array.isArray(response)) return response.length > 0
  return response !== undefined && response !== null && response !== '' && response !== false
}

function fits(response: Json | undefined, values: readonly (string | number | boolean)[]): boolean {
  const given = Array.isArray(response) ? response : [response ?? null]
  return given.some((one) => values.some((value) => value === one))
}

/** The questions that a condition looks at. */
export function getFields(condition: FormCondition): string[] {
  const parts = [...(condition.all ?? []), ...(condition.any ?? [])]
  return [...(condition.field === undefined ? [] : [condition.field]), ...parts.flatMap(getFields)]
}
