import { described, flag, freeObject, freeObjectInput, label, listOf, nullable, oneOf, record } from '../schema.ts'

/** The resources whose records have custom fields, with the record types by which these are defined. */
export const customFieldResources = {
  students: 'Student',
  applications: 'Student Applicant',
  payments: 'Payment',
  programs: 'Program',
  courses: 'Course',
} as const

/** What the fields of a record hold, as it is returned. */
export const CustomFieldValues = freeObject(
  'The fields that the institution has defined, each with its value or null, see `GET /me`; absent where it has defined none.',
)

/** What the fields of a record shall hold. */
export const CustomFieldsInput = freeObjectInput(
  'The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. An unknown one is a fault.',
  false,
)

const customFieldKinds = [
  'text',
  'long_text',
  'option',
  'link',
  'date',
  'date_time',
  'time',
  'boolean',
  'integer',
  'number',
  'duration',
] as const

export type CustomFieldKind = (typeof customFieldKinds)[number]

/** A field that the institution has defined. */
export const CustomFieldInfo = record('CustomField', 'A field that the institution has defined.', {
  name: label('Its name below `customFields`.'),
  label: label('What people call it.'),
  type: oneOf(
    customFieldKinds,
    'What it holds: text has at most 140 characters, a link the name of a record, a date `YYYY-MM-DD`, a date_time RFC 3339, a time `HH:MM:SS`, a duration seconds.',
  ),
  required: flag('Whether people have to fill it in; it cannot be cleared then.'),
  unique: flag('Whether no two records have the same value.'),
  options: described(listOf(label('One of them.'), ''), 'What an option may be; empty for other types.'),
  linksTo: nullable(label('The record type whose records a link names; null for other types.')),
  description: nullable(label('Help text for people.')),
})
