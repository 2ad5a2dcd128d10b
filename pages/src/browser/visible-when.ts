type Comparable = string | number | boolean

/** When a question is put: a comparison with the answer of an earlier one, or all or any of several. */
export interface VisibleWhen {
  readonly field?: string | undefined
  readonly equals?: Comparable | undefined
  readonly notEquals?: Comparable | undefined
  readonly in?: readonly Comparable[] | undefined
  readonly isSet?: boolean | undefined
  readonly all?: readonly VisibleWhen[] | undefined
  readonly any?: readonly VisibleWhen[] | undefined
}

/** The answers so far, as texts; a question that is hidden or left open and a box that is not ticked have none. */
export type AnswersSoFar = (key: string) => readonly string[]

/** Whether a question is put, given the answers so far: as the service decides it when the form is sent. */
export function isVisible(when: VisibleWhen, answers: AnswersSoFar): boolean {
  if (when.all !== undefined) return when.all.every((part) => isVisible(part, answers))
  if (when.any !== undefined) return when.any.some((part) => isVisible(part, answers))
  const given = answers(when.field ?? '')
  const has = (value: Comparable) => given.some((text) => isSame(text, value))
  if (when.isSet !== undefined) return given.length > 0 === when.isSet
  if (when.equals !== undefined) return has(when.equals)
  if (when.notEquals !== undefined) return !has(when.notEquals)
  return when.in?.some(has) ?? false
}

function isSame(text: string, value: Comparable): boolean {
  return typeof value === 'number' ? text.trim() !== '' && Number(text) === value : text === String(value)
}
