import type { RecordWork } from '../../record-engine/index.ts'
import { composedName } from '../../values/index.ts'

/** The name members of students and applicants. */
export interface PersonRecord {
  first_name: string | null
  middle_name: string | null
  last_name: string | null
  student_email_id: string | null
  student_mobile_number: string | null
  address_line_1: string | null
  city: string | null
  state: string | null
  country: string | null
  image: string | null
}

/** The same in the Client API. */
export interface Person {
  readonly fullName: string
  readonly givenNames: string | null
  readonly familyNames: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly address: string | null
  readonly city: string | null
  readonly stateProvince: string | null
  readonly country: string | null
  readonly photoUrl: string | null
}

const texts = [
  'middle_name',
  'last_name',
  'student_email_id',
  'student_mobile_number',
  'address_line_1',
  'city',
  'state',
  'country',
  'image',
] as const

/** A rule: an empty text is null, as in the Client API. */
export function clearEmptyTexts(document: PersonRecord): void {
  for (const field of texts) if (document[field] === '') document[field] = null
}

/**
 * The full name of a record: the parts in their order, without blank ones. Somebody whose parts stay as they are keeps the
 * name that they have, which another surface may have written in another way.
 */
export function getFullName(document: PersonRecord, before: PersonRecord | null, current: string | null): string {
  if (before !== null && current !== null && hasSameNames(document, before)) return current
  const { first_name, middle_name, last_name } = document
  return composedName(composedName(first_name, middle_name), last_name)
}

/**
 * The person of a record. Given names are first and middle name; unknown ones stay unknown while the parts stay the
 * same.
 */
export function getPerson(
  document: PersonRecord,
  before: PersonRecord | null,
  current: Pick<Person, 'givenNames' | 'familyNames'> | null,
  fullName: string,
): Person {
  const keepsNames = before !== null && current !== null && hasSameNames(document, before)
  return {
    fullName,
    givenNames: keepsNames ? current.givenNames : composedName(document.first_name, document.middle_name),
    familyNames: keepsNames ? current.familyNames : document.last_name,
    email: document.student_email_id,
    phone: document.student_mobile_number,
    address: document.address_line_1,
    city: document.city,
    stateProvince: document.state,
    country: document.country,
    photoUrl: document.image,
  }
}

function hasSameNames(document: PersonRecord, before: PersonRecord): boolean {
  return (['first_name', 'middle_name', 'last_name'] as const).every((field) => document[field] === before[field])
}

/** The error of a date of birth, as a sentence; null for a valid one. */
export function findBirthDateError(dateOfBirth: string | null, { today }: Pick<RecordWork, 'today'>): string | null {
  return dateOfBirth !== null && dateOfBirth >= today
    ? `Date of Birth must be a day before today, ${today}: ${dateOfBirth} is not.`
    : null
}
