import type { VisibleWhen } from '../browser/visible-when.ts'
import { formatChoice } from '../formats.ts'
import { type Locale, messagesIn } from '../messages/index.ts'
import type { FieldView } from './form-view.ts'

/** Whether a question is put whatever was answered. */
export function isAlways(when: VisibleWhen): boolean {
  return when.all?.every(isAlways) ?? false
}

/** When a question is to be answered, for whoever sees all questions at once because no script hides any. */
export function conditionText(locale: Locale, when: VisibleWhen, fields: readonly FieldView[]): string {
  const { form } = messagesIn(locale)
  const [single] = when.all?.length === 1 ? when.all : when.any?.length === 1 ? when.any : [when]
  const { field, equals, notEquals, in: several, isSet } = single ?? {}
  const question = fields.find(({ key }) => key === field)
  if (question === undefined) return form.onlyIfItApplies
  if (isSet !== undefined) return isSet ? form.onlyIfAnswered(question.label) : form.onlyIfEmpty(question.label)
  const toText = (value: string | number | boolean) => valueText(locale, question, String(value))
  if (notEquals !== undefined) return form.onlyIfNot(question.label, toText(notEquals))
  const values = equals !== undefined ? [equals] : (several ?? [])
  return form.onlyIf(question.label, formatChoice(locale, values.map(toText)))
}

/** An answer as its question shows it: the label of an option, yes or no of a box. */
function valueText(locale: Locale, field: Pick<FieldView, 'type' | 'options'>, value: string): string {
  const { form } = messagesIn(locale)
  if (field.type === 'checkbox') return value === 'true' ? form.yes : form.no
  return field.options.find((option) => option.value === value)?.label ?? value
}
