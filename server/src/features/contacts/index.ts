export { copyLinks } from './copy-links.ts'
export { storeGuardians } from './guardian-rows.ts'
export {
  contactFields,
  findPrimary,
  type LinkedContact,
  type LinkedContactsRow,
  linkedContacts,
} from './linked-contacts.ts'
export {
  createPerson,
  fillIn,
  findName,
  findOrCreatePeople,
  type Identity,
  isSamePerson,
  phoneDigits,
  type WantedPerson,
} from './people.ts'
export { clearEmptyTexts, findBirthDateError, getFullName, getPerson } from './person-record.ts'
export { linksBefore, lockPerson, updateLinkedRecords } from './shown-person.ts'
