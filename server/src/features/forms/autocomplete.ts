import type { FormDefinition, FormFieldRecord } from './form-definition.ts'

/** Autofill field names (HTML Living Standard, §4.10.18.7) by the member that an answer is mapped to. */
const namesByTarget: Readonly<Record<string, string>> = {
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

/** Autofill field names of questions without a mapping, by type. */
const namesByType: Readonly<Partial<Record<FormFieldRecord['type'], string>>> = {
  email: 'email',
  phone: 'tel',
  signature: 'name',
}

/**
 * The `autocomplete` attribute of a question, or undefined. In a form with a contact person, autofill is for that
 * person; the applicant's questions get a section of their own.
 */
export function findAutocomplete(
  { mapping }: FormDefinition,
  { key, type }: Pick<FormFieldRecord, 'key' | 'type'>,
): string | undefined {
  const target = Object.hasOwn(mapping, key) ? mapping[key] : undefined
  if (target === undefined) return namesByType[type]
  const isOfContact = target.startsWith('contact.')
  const name = namesByTarget[target.replace('contact.', '')]
  if (name === undefined) return namesByType[type]
  const plain = name === 'street-address' && type !== 'textarea' ? 'address-line1' : name
  const hasContact = Object.values(mapping).some((each) => each.startsWith('contact.'))
  return hasContact && !isOfContact ? `section-applicant ${plain}` : plain
}
