import { isEmailAddress, type ParentRow, type StudentRow } from '../files/interchange.ts'
import type { Fields } from '../run/difference.ts'
import type { Application } from '../run/tenant-records.ts'
import { findName } from './wanted.ts'

/**
 * Who the people of the files are in the service. Once linked, a person is named by its id there. Before, the service finds
 * it by e-mail or telephone; one that two people of the files share, such as a household's, would make them one person, so
 * it is not sent, nor is an e-mail that is no address.
 */
export class People {
  readonly #ids = new Map<unknown, string>()
  readonly #emails = new Map<string | null, Set<string>>()
  readonly #phones = new Map<string | null, Set<string>>()
  readonly #children = new Map<string, Set<string>>()

  constructor(rows: readonly StudentRow[], applications: Iterable<Application>) {
    for (const { studentId, parents } of rows) {
      for (const { contactId, person } of parents ?? []) {
        add(this.#emails, foldedEmail(person.email), contactId)
        add(this.#phones, findDigits(person.telephone), contactId)
        add(this.#children, contactId, studentId)
      }
    }
    for (const application of applications) this.remember(application)
  }

  /** Learns the ids of the people that an application is linked to. */
  remember(application: Application): void {
    for (const link of application.contacts) this.#ids.set(link.metadata.contactId, link.contactId)
  }

  /** By what the service finds the person, or makes it. */
  getIdentity({ contactId, person }: ParentRow): Fields {
    const isOwnEmail = isEmailAddress(person.email) && this.#emails.get(foldedEmail(person.email))?.size === 1
    const isOwnPhone = this.#phones.get(findDigits(person.telephone))?.size === 1
    return {
      contactId: this.#ids.get(contactId) ?? null,
      displayName: findName(person),
      email: isOwnEmail ? person.email : null,
      phone: isOwnPhone ? person.telephone : null,
    }
  }

  /** Whether siblings must be sent one after the other, because only the answer to the first can name this parent. */
  isKnownByNameAlone(parent: ParentRow): boolean {
    const { contactId, email, phone } = this.getIdentity(parent)
    const hasSeveralChildren = (this.#children.get(parent.contactId)?.size ?? 0) > 1
    return hasSeveralChildren && contactId === null && email === null && phone === null
  }
}

function add<Key>(sets: Map<Key, Set<string>>, key: Key, value: string): void {
  if (key !== null) sets.set(key, (sets.get(key) ?? new Set()).add(value))
}

function foldedEmail(email: string | null): string | null {
  return email?.toLowerCase() ?? null
}

function findDigits(phone: string | null): string | null {
  return phone?.replace(/\D/g, '') || null
}
