import { Type } from 'typebox'
import { count, flag, label, listOf, oneOf, optional, record, text } from './schema.ts'

/** The kinds of questions that a form can put. A signature is the name that the person who signs writes. */
export const formFieldTypes = [
  'text',
  'textarea',
  'number',
  'date',
  'email',
  'phone',
  'select',
  'multiselect',
  'checkbox',
  'file',
  'signature',
] as const
export type FormFieldType = (typeof formFieldTypes)[number]

export const formEntityTypes = ['student', 'application', 'none'] as const
export type FormEntityType = (typeof formEntityTypes)[number]

export const formTemplateStatuses = ['draft', 'published', 'archived'] as const
export type FormTemplateStatus = (typeof formTemplateStatuses)[number]

/** How much one form may ask. */
export const formBounds = { fields: 200, sections: 50, options: 500, conditionDepth: 3, files: 20 } as const

/** The maximum characters of an answer by default. */
export const longestAnswers: Readonly<Partial<Record<FormFieldType, number>>> = {
  text: 255,
  textarea: 10_000,
  email: 254,
  phone: 40,
  signature: 255,
}

/** The codes of invalid answers; `bounds` of the error have the limits. */
export const formFaultCodes = [
  'required',
  'unknown_field',
  'wrong_type',
  'invalid_text',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_early',
  'too_late',
  'too_few',
  'too_many',
  'pattern',
  'format',
  'not_in_options',
  'media_type_not_allowed',
  'file_too_large',
  'file_empty',
  'file_infected',
] as const
export type FormFaultCode = (typeof formFaultCodes)[number]

/** A key of a template, a section or a question. */
export const FormKey = Type.Unsafe<string>({
  type: 'string',
  minLength: 2,
  maxLength: 64,
  pattern: '^[a-z][a-z0-9_-]*$',
  description: 'Small letters, digits, _ and -.',
})

/**
 * When a question is put. One comparison with the answer of an earlier question (`field` with one of `equals`,
 * `notEquals`, `in`, `isSet`), or all or any of several. Of a multiselect, `equals` and `in` ask whether one of the
 * chosen values fits.
 */
export interface FormCondition {
  readonly field?: string
  readonly equals?: string | number | boolean
  readonly notEquals?: string | number | boolean
  readonly in?: readonly (string | number | boolean)[]
  readonly isSet?: boolean
  readonly all?: readonly FormCondition[]
  readonly any?: readonly FormCondition[]
}

const Comparable = { type: ['string', 'number', 'boolean'], description: 'A value to compare with.' }

function conditionProperties(depth: number): Record<string, object> {
  const comparison = {
    field: { ...FormKey, description: 'Key of an earlier question.' },
    equals: Comparable,
    notEquals: Comparable,
    in: { type: 'array', items: Comparable, maxItems: formBounds.options, description: 'Values, one of which fits.' },
    isSet: flag('Whether the question is answered.'),
  }
  if (depth === 0) return comparison
  const items = { type: 'object', properties: conditionProperties(depth - 1), additionalProperties: false }
  const several = (description: string) => ({ type: 'array', items, maxItems: formBounds.fields, description })
  return {
    ...comparison,
    all: several('Conditions that must all hold; none at all always hold.'),
    any: several('Conditions of which one must hold.'),
  }
}

export const FormCondition = Type.Unsafe<FormCondition>({
  type: 'object',
  description:
    'When the question is put: a comparison with the answer of an earlier question, or `all` or `any` of several. `{ "all": [] }` is always.',
  properties: conditionProperties(formBounds.conditionDepth),
  additionalProperties: false,
})

const dateBound = (description: string) =>
  optional(Type.Unsafe<string>({ type: 'string', format: 'date', description }))
const lengthBound = (description: string) =>
  optional(Type.Unsafe<number>({ type: 'integer', minimum: 0, maximum: 100_000, description }))

/** The constraints of an answer beyond its type. */
export const FormValidation = record(
  'FormValidation',
  'What an answer must be; a bound that is absent does not hold.',
  {
    minLength: lengthBound('Fewest characters of a text.'),
    maxLength: lengthBound('Most characters of a text.'),
    min: optional(Type.Unsafe<number>({ type: 'number', description: 'Least number.' })),
    max: optional(Type.Unsafe<number>({ type: 'number', description: 'Largest number.' })),
    pattern: optional(text('A regular expression (ECMA-262) that the whole text matches.', 200, 1)),
    minDate: dateBound('First day that is taken.'),
    maxDate: dateBound('Last day that is taken.'),
    minItems: lengthBound('Fewest choices or files.'),
    maxItems: lengthBound('Most choices or files; one file when absent.'),
    mediaTypes: optional(
      listOf(label('A media type.'), 'Media types of files, beside what their document type takes.'),
    ),
    maxSizeBytes: optional(
      Type.Unsafe<number>({
        type: 'integer',
        minimum: 1,
        maximum: 5 * 1024 * 1024 * 1024,
        description: 'Largest file.',
      }),
    ),
    documentTypeKey: optional(
      Type.Unsafe<string>({ ...FormKey, description: 'Key of the document type that files get; other when absent.' }),
    ),
  },
)

/** One choice of a select or a multiselect. */
export const FormOption = record('FormOption', 'A choice.', {
  value: text('What is kept when it is chosen.', 200, 1),
  label: text('What people read.', 255, 1),
})

/** What a question has in a template and in a configuration file. */
export const formFieldProperties = {
  key: FormKey,
  label: text('The question.', 1000, 1),
  type: oneOf(formFieldTypes, 'What kind of answer it takes.'),
  isRequired: flag('Whether it must be answered when it is put.'),
  options: listOf(FormOption, 'The choices of a select or a multiselect, else none.'),
  helpText: text('Help for who answers; empty when there is none.', 2000),
  validation: FormValidation,
  visibleWhen: FormCondition,
  section: label('Key of the section it stands in; empty when the form has none.'),
} as const

/** A part of a form, with a heading. */
export const FormSection = record('FormSection', 'A part of a form.', {
  key: FormKey,
  title: text('Its heading.', 255, 1),
  position: count('Place in the form.'),
})

/** Fields of an application that an answer can become. */
export const applicationTargets = [
  'fullName',
  'givenNames',
  'familyNames',
  'email',
  'phone',
  'country',
  'stateProvince',
  'city',
  'address',
  'academicYear',
  'academicPeriod',
  'program',
  'dateOfBirth',
  'gender',
  'nationality',
  'postalCode',
] as const
export type ApplicationTarget = (typeof applicationTargets)[number]

/** Fields of the contact person of an application that an answer can become. */
export const contactTargets = [
  'contact.displayName',
  'contact.email',
  'contact.phone',
  'contact.relationshipLabel',
] as const
export type ContactTarget = (typeof contactTargets)[number]

/** `customFields.` and a name of the institution's choosing. */
export const customFieldTarget = /^customFields\.[A-Za-z][A-Za-z0-9_-]{0,63}$/

export type MappingTarget = ApplicationTarget | ContactTarget | `customFields.${string}`
