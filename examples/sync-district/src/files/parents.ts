import type { LinkRow, ParentRow, PersonRow, Remark } from './interchange.ts'

/**
 * The people who belong to one student. Null, with the faults told, when one of the rows is faulty: then it cannot be known
 * who is missing from them.
 */
export function readParents(
  links: readonly LinkRow[],
  people: ReadonlyMap<string, { values: PersonRow }>,
  validationErrors: Remark[],
): ParentRow[] | null {
  const parents: ParentRow[] = []
  let isFaulty = false
  for (const { place: location, values } of links) {
    const person = people.get(values.contact_id ?? '')?.values
    const validationError = findLinkError(values, person, parents)
    if (validationError !== null) validationErrors.push({ place: location, ...validationError })
    if (validationError !== null || person === undefined) {
      isFaulty = true
      continue
    }
    parents.push({
      place: location,
      contactId: values.contact_id as string,
      relation: values.relation,
      isPrimary: values.primary_contact === 'true',
      livesWith: findFlag(values.lives_with),
      emergencyContact: findFlag(values.emergency_contact),
      person,
    })
  }
  return isFaulty ? null : parents
}

function findLinkError(
  link: LinkRow['values'],
  person: PersonRow | undefined,
  earlier: readonly ParentRow[],
): { code: string; detail: string } | null {
  if (person === undefined) return { code: 'unknown_contact', detail: `contacts.csv has no ${link.contact_id}` }
  if ([person.first_name, person.middle_name, person.last_surname].every((name) => name === null)) {
    return { code: 'nameless_contact', detail: `${link.contact_id} has no name in contacts.csv` }
  }
  if (earlier.some(({ contactId }) => contactId === link.contact_id)) {
    return { code: 'repeated_id', detail: `${link.contact_id} is linked to ${link.student_id} by an earlier row` }
  }
  for (const column of ['primary_contact', 'lives_with', 'emergency_contact'] as const) {
    if ([null, 'true', 'false'].includes(link[column])) continue
    return { code: 'not_true_or_false', detail: `${column} is ${link[column]}` }
  }
  if (link.primary_contact === 'true' && earlier.some(({ isPrimary }) => isPrimary)) {
    return { code: 'second_primary_contact', detail: `${link.student_id} has a primary contact in an earlier row` }
  }
  return null
}

function findFlag(text: string | null): boolean | null {
  return text === null ? null : text === 'true'
}
