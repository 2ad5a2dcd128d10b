export { copyLinks } from './copy-links.ts'
export { storeGuardians } from './guardian-rows.ts'
export {
  contactFields,
  type LinkedContact,
  type LinkedContactsRow,
  linkedContacts,
  primaryOf,
} from './linked-contacts.ts'
export {
  createPerson,
  type FoundPerson,
  fillIn,
  findOrCreatePerson,
  type Identity,
  isSamePerson,
  nameOf,
  phoneDigits,
  requirePerson,
} from './people.ts'
export { birthFault, clearEmptyTexts, fullNameOf, personOf } from './person-record.ts'
export { linksBefore, lockPerson, retellLinked } from './shown-person.ts'
