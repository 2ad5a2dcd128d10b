import type { FormDefinition, FormFieldRecord } from './form-definition.ts'

/** What a browser may know of a person, by what an answer becomes (HTML, autofill field names). */
const names: Readonly<Record<string, string>> = {
  fullName: 'name',
  displayName: 'name',
  givenNames: 'given-name',
  familyNames: 'family-name',
  email: 'email',
  phone: 'tel',
  country: 'country-name',
  stateProvince: 'address-level1',
  city: 'address-level2',
  address: 'street-address',
}

/** What a browser may know of whoever fills in, by the kind of the question. */
const ofTypes: Readonly<Partial<Record<FormFieldRecord['type'], string>>> = {
  email: 'email',
  phone: 'tel',
  signature: 'name',
}

/**
 * What a browser may fill in for a question. Where a form asks for a contact person, that is who fills it in, and what it asks of
 * the applicant is kept apart from it.
 */
export function findAutocomplete(
  { mapping }: FormDefinition,
  { key, type }: Pick<FormFieldRecord, 'key' | 'type'>,
): string | undefined {
  const target = Object.hasOwn(mapping, key) ? mapping[key] : undefined
  if (target === undefined) return ofTypes[type]
  const isOfContact = target.startsWith('contact.')
  const name = names[target.replace('contact.', '')]
  if (name === undefined) return ofTypes[type]
  const plain = name === 'street-address' && type !== 'textarea' ? 'address-line1' : name
  const hasContact = Object.values(mapping).some((each) => each.startsWith('contact.'))
  return hasContact && !isOfContact ? `section-applicant ${plain}` : plain
}
