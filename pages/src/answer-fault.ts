import { formatSize, typesInWords } from './browser/file-words.ts'
import type { AnswerFault, FieldView } from './form-view.ts'
import { formatDate, formatNumber } from './formats.ts'
import type { Locale } from './locale.ts'
import { wordsIn } from './words/index.ts'
import type { Words } from './words/words.ts'

/** What is wrong with an answer, and what would be right, in the visitor's language. */
export function answerFaultInWords(locale: Locale, field: FieldView, fault: AnswerFault): string {
  const { answers, faults } = wordsIn(locale)
  const bounds = { ...field.validation, ...fault.bounds }
  const number = (value: number | undefined) => formatNumber(locale, value ?? 0)
  switch (fault.code) {
    case 'required':
      return field.type === 'file' ? faults.noFile : answers.required
    case 'too_short':
      return answers.tooShort(bounds.minLength ?? 1)
    case 'too_long':
      return bounds.maxLength === undefined ? answers.invalid : answers.tooLong(bounds.maxLength)
    case 'too_small':
      return answers.tooSmall(number(bounds.min))
    case 'too_large':
      return answers.tooLarge(number(bounds.max))
    case 'too_early':
      return bounds.minDate === undefined ? answers.date : answers.tooEarly(formatDate(locale, bounds.minDate))
    case 'too_late':
      return bounds.maxDate === undefined ? answers.date : answers.tooLate(formatDate(locale, bounds.maxDate))
    case 'too_few':
      return answers.tooFew(bounds.minItems ?? 1)
    case 'too_many':
      return answers.tooMany(bounds.maxItems ?? 1)
    case 'pattern':
      return answers.pattern
    case 'invalid_text':
      return answers.text
    case 'not_in_options':
      return answers.choice
    case 'media_type_not_allowed':
      return bounds.mediaTypes === undefined
        ? faults.otherContent
        : faults.type(typesInWords(locale, bounds.mediaTypes))
    case 'file_too_large':
      return bounds.maxSizeBytes === undefined
        ? answers.invalid
        : faults.tooLarge(formatSize(locale, bounds.maxSizeBytes))
    case 'infected':
      return faults.infected
    case 'empty':
      return faults.empty
    case 'interrupted':
      return faults.interrupted
    default:
      return ofType(answers, field)
  }
}

function ofType(answers: Words['answers'], { type }: FieldView): string {
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
