import { formatSize, typesText } from '../browser/file-words.ts'
import { formatDate, formatNumber } from '../formats.ts'
import { type Locale, type Messages, messagesIn } from '../messages/index.ts'
import type { AnswerError, FieldView } from './form-view.ts'

/** What is wrong with an answer, and what would be right, in the visitor's language. */
export function answerErrorText(locale: Locale, field: FieldView, { code, bounds }: AnswerError): string {
  const { answers, faults: validationErrors } = messagesIn(locale)
  const { minimum = 0, maximum = 0, allowed = [] } = bounds
  switch (code) {
    case 'required':
      return field.type === 'file' ? validationErrors.noFile : answers.required
    case 'too_short':
      return answers.tooShort(Number(minimum))
    case 'too_long':
      return answers.tooLong(Number(maximum))
    case 'too_small':
      return answers.tooSmall(formatNumber(locale, Number(minimum)))
    case 'too_large':
      return answers.tooLarge(formatNumber(locale, Number(maximum)))
    case 'too_early':
      return answers.tooEarly(formatDate(locale, String(minimum)))
    case 'too_late':
      return answers.tooLate(formatDate(locale, String(maximum)))
    case 'too_few':
      return answers.tooFew(Number(minimum))
    case 'too_many':
      return answers.tooMany(Number(maximum))
    case 'pattern':
      return answers.pattern
    case 'invalid_text':
      return answers.text
    case 'not_in_options':
      return answers.choice
    case 'media_type_not_allowed':
      return validationErrors.type(typesText(locale, allowed))
    case 'file_too_large':
      return validationErrors.tooLarge(formatSize(locale, Number(maximum)))
    case 'file_infected':
      return validationErrors.infected
    case 'file_empty':
      return validationErrors.empty
    default:
      return ofType(answers, field)
  }
}

function ofType(answers: Messages['answers'], { type }: FieldView): string {
  const known: Partial<Record<FieldView['type'], string>> = {
    number: answers.number,
    date: answers.date,
    email: answers.email,
    phone: answers.phone,
    select: answers.choice,
    multiselect: answers.choice,
  }
  return known[type] ?? answers.invalid
}
