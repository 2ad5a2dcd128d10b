import type { ParentRow, PersonRow, StudentRow } from '../files/interchange.ts'
import type { Fields } from '../run/difference.ts'

/** The fields of a student that the files own. */
export function studentFields(row: StudentRow): Fields {
  return {
    ...names(row),
    preferredName: row.preferredFirstName,
    dateOfBirth: row.birthDate,
    customFields: { title: row.title, generationSuffix: row.generationSuffix },
  }
}

/** The fields of an application that the files own. Its status, program and year are not in them. */
export function applicationFields(row: StudentRow, studentId: string): Fields {
  return { ...names(row), studentId }
}

/** The fields of a term's tuition that the options and files own. Whether it is paid is said by others. */
export function tuitionFields(studentId: string, term: string, tuition: number, dueDate: string | null): Fields {
  return { studentId, amount: tuition, description: `Tuition, ${term}`, dueDate: dueDate && `${dueDate}T00:00:00.000Z` }
}

/** The key of a student's tuition for a term. */
export function tuitionExternalId(studentId: string, term: string): string {
  return `${studentId}:${term}`
}

function names(row: StudentRow): Fields {
  return {
    fullName: joined(row.firstName, row.middleName, row.lastSurname, row.generationSuffix),
    givenNames: joined(row.firstName, row.middleName),
    familyNames: row.lastSurname,
  }
}

const familyRelations = new Set(
  ['Mother', 'Father', 'Stepmother', 'Stepfather', 'Foster parent', 'Grandmother', 'Grandfather', 'Grandparent']
    .concat(['Sister', 'Brother', 'Sibling', 'Aunt', 'Uncle', 'Cousin', 'Spouse', 'Husband', 'Wife'])
    .map((relation) => relation.toLowerCase()),
)

/**
 * What the files say of a parent in the eyes of a student. The person's own name, e-mail and telephone stand here too: the
 * Client API fills what a person lacks and overwrites nothing, so a later change in the file would be lost otherwise.
 */
export function linkFields({ contactId, relation, isPrimary, livesWith, emergencyContact, person }: ParentRow): Fields {
  return {
    role: familyRelations.has(relation?.toLowerCase() ?? '') ? 'family' : 'other',
    relationshipLabel: relation,
    isPrimary,
    metadata: {
      contactId,
      name: findName(person),
      email: person.email,
      phone: person.telephone,
      livesWith,
      emergencyContact,
      address: findAddress(person),
    },
  }
}

function findAddress({ street, city, state, postal_code: postalCode }: PersonRow): Fields | null {
  const address = { street, city, state, postalCode }
  return Object.values(address).every((part) => part === null) ? null : address
}

/** The name of a person, as one. */
export function findName(person: PersonRow): string | null {
  return joined(person.first_name, person.middle_name, person.last_surname)
}

/** The parts that there are, with blanks between; null for none. */
export function joined(...parts: (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(' ') || null
}
