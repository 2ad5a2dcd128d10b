export { type LinkedContact, linkedContacts, toContactFields } from './linked-contacts.ts'
export {
  type FoundPerson,
  fillIn,
  findOrCreatePerson,
  findPerson,
  type Identity,
  phoneDigits,
  requirePerson,
} from './people.ts'
