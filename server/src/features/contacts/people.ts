import type { ChangeContext } from '../../changes/index.ts'
import { lockRows, takeAdvisoryLock } from '../../concurrency/index.ts'
import { identifier, join, literal, moment, type Sql, sql, type Transaction } from '../../database/index.ts'
import { nextManyInSeries } from '../../entities/index.ts'
import { referenceProblem } from '../../errors/index.ts'
import { areNamesAlike, isUuid, newId } from '../../values/index.ts'

/** The naming series of guardians in the Resource and Method API. */
const series = 'EDU-GRD'

/** The identity of a person to link. */
export interface Identity {
  readonly displayName: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** A person to link: the one with an id, whose field errors name, or else whoever matches the identity. */
export interface WantedPerson {
  readonly contactId: string | null
  readonly field: string
  readonly identity: Identity
}

/** The ids of wanted people, in their order, and what stored ones among them lack of the sent members, by id. */
interface FoundPeople {
  readonly ids: readonly string[]
  readonly lacking: ReadonlyMap<string, Identity>
}

interface PersonRow {
  readonly id: string
  display_name: string
  email: string | null
  phone: string | null
  readonly user_name: string | null
}

/**
 * Finds wanted people, each by id, by e-mail in any case or by telephone in any format, and creates those whom nobody or several match.
 * Later ones match earlier ones too. Stored people are locked, so that links show current values; advisory locks on e-mail and telephone
 * serialise concurrent creations. The number of statements does not depend on the number of people.
 *
 * @throws Problem `reference_not_found` for an unknown id, with its field.
 */
export async function findOrCreatePeople(
  tx: Transaction,
  context: Pick<ChangeContext, 'tenant'>,
  wanted: readonly WantedPerson[],
): Promise<FoundPeople> {
  const matched = wanted.filter(({ contactId }) => contactId === null).map(({ identity }) => identity)
  await takeAdvisoryLock(tx, ...matched.flatMap(addressesOf))
  const locked = new Set<string>()
  for (;;) {
    const people = new KnownPeople(await selectPeople(tx, wanted, matched))
    const ids = wanted.map((each) => people.take(each))
    const unlocked = people.taken.map(({ id }) => id).filter((id) => !locked.has(id))
    if (unlocked.length === 0) {
      await insertPeople(tx, context, people.created)
      return { ids, lacking: people.lacking }
    }
    // They may have changed before they were locked, and are matched again.
    await lockRows(tx, 'contacts', unlocked)
    for (const id of unlocked) locked.add(id)
  }
}

/** Creates a person and returns the id. Without a name, e-mail address or telephone number is used. */
export async function createPerson(
  tx: Transaction,
  context: Pick<ChangeContext, 'tenant'>,
  identity: Identity,
): Promise<string> {
  const person = newPerson(identity)
  await insertPeople(tx, context, [person])
  return person.id
}

function newPerson({ displayName, email, phone }: Identity): PersonRow {
  return { id: newId(), display_name: displayName ?? email ?? phone ?? '', email, phone, user_name: null }
}

async function insertPeople(
  tx: Transaction,
  context: Pick<ChangeContext, 'tenant'>,
  people: readonly PersonRow[],
): Promise<void> {
  if (people.length === 0) return
  const codes = await nextManyInSeries(tx, series, context.tenant.timeZone, people.length)
  const columns = {
    ids: people.map(({ id }) => id),
    names: people.map((person) => person.display_name),
    emails: people.map(({ email }) => email),
    phones: people.map(({ phone }) => phone),
    digits: people.map(({ phone }) => phoneDigits(phone)),
  }
  tx.send(sql`
    insert into contacts (tenant_id, id, code, display_name, email, phone, phone_digits, created_at, updated_at)
    select ${tx.tenantId}, made.id, made.code, made.display_name, made.email, made.phone, made.digits, stamp, stamp
      from unnest(${columns.ids}::uuid[], ${codes}::text[], ${columns.names}::text[], ${columns.emails}::text[],
                  ${columns.phones}::text[], ${columns.digits}::text[])
             as made (id, code, display_name, email, phone, digits), ${moment}`)
}

/** Fills in members that a person lacks. Records that show the person change with it. */
export function fillIn(tx: Transaction, personId: string, identity: Identity): void {
  const { displayName, email, phone } = identity
  tx.send(sql`
    update contacts
       set display_name = ${displayName}, email = ${email}, phone = ${phone}, phone_digits = ${phoneDigits(phone)},
           version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${personId}`)
}

/** The digits of a telephone number with a leading plus, for comparison; null for none. */
export function phoneDigits(phone: string | null): string | null {
  if (phone === null) return null
  const digits = phone.replace(/\D/g, '')
  if (digits === '') return null
  return /^\s*(\+|00)/.test(phone) ? `+${digits.replace(/^00/, '')}` : digits
}

/** The maximum number of people compared per address or number: exact names first, then the oldest. */
const maxCompared = 200

/** The people with the ids, and those who have an address in common with the identities, oldest first; some more than once. */
async function selectPeople(
  tx: Transaction,
  wanted: readonly WantedPerson[],
  identities: readonly Identity[],
): Promise<PersonRow[]> {
  const columns = sql`c.id, c.display_name, c.email, c.phone, c.user_name, c.created_at`
  const ids = wanted.flatMap(({ contactId }) => (contactId !== null && isUuid(contactId) ? [contactId] : []))
  const having = (
    address: 'email' | 'phone_digits',
    condition: Sql,
    values: readonly (readonly [string, Identity])[],
  ) => sql`
    select found.* from unnest(${values.map(([value]) => value)}::text[], ${values.map(([, sent]) => findName(sent))}::text[])
                          as sent (${identifier(address)}, name),
           lateral (select ${columns} from contacts c
                     where c.tenant_id = ${tx.tenantId} and ${condition}
                     order by c.display_name = sent.name desc, c.created_at, c.id limit ${literal(maxCompared)}) found`
  const byEmail = identities.flatMap((sent) => (sent.email === null ? [] : [[sent.email, sent] as const]))
  const byPhone = identities.flatMap((sent) => {
    const digits = phoneDigits(sent.phone)
    return digits === null ? [] : [[digits, sent] as const]
  })
  const parts = [
    ids.length > 0 &&
      sql`select ${columns} from contacts c where c.tenant_id = ${tx.tenantId} and c.id = any(${ids}::uuid[])`,
    byEmail.length > 0 && having('email', sql`c.email = sent.email collate any_case`, byEmail),
    byPhone.length > 0 && having('phone_digits', sql`c.phone_digits = sent.phone_digits`, byPhone),
  ].filter((part) => part !== false)
  if (parts.length === 0) return []
  return tx.query<PersonRow>(sql`
    select id, display_name, email, phone, user_name from (${join(parts, ' union all ')}) people order by created_at, id`)
}

/** The subjects of the advisory locks of an identity, and the keys by which people are known: one for each address. */
function addressesOf(identity: Identity): string[] {
  const email = foldedEmail(identity)
  const digits = phoneDigits(identity.phone)
  return [...(email === null ? [] : [`email ${email}`]), ...(digits === null ? [] : [`phone ${digits}`])]
}

/** People who were read or are about to be created, by id and address. */
class KnownPeople {
  readonly created: PersonRow[] = []
  readonly lacking = new Map<string, Identity>()
  readonly #stored = new Map<string, PersonRow>()
  readonly #taken = new Set<PersonRow>()
  readonly #byAddress = new Map<string, Set<PersonRow>>()

  constructor(stored: readonly PersonRow[]) {
    for (const person of stored) {
      if (this.#stored.has(person.id)) continue
      this.#stored.set(person.id, person)
      this.#know(person)
    }
  }

  /** The stored people who were taken. */
  get taken(): PersonRow[] {
    return [...this.#taken]
  }

  /** Takes a wanted person, creating one where nobody or several match, fills in what is lacking, and returns the id. */
  take({ contactId, field, identity }: WantedPerson): string {
    const person = contactId === null ? this.#find(identity) : this.#stored.get(contactId.toLowerCase())
    if (person === undefined) throw referenceProblem(field, 'contact')
    if (person === null) {
      const created = newPerson(identity)
      this.created.push(created)
      this.#know(created)
      return created.id
    }
    const isStored = this.#stored.has(person.id)
    if (isStored) this.#taken.add(person)
    const filled = filledIn(person, identity)
    if (filled === null) return person.id
    if (isStored) this.lacking.set(person.id, filled)
    Object.assign(person, { display_name: filled.displayName, email: filled.email, phone: filled.phone })
    this.#know(person)
    return person.id
  }

  /** The one person who matches: by e-mail, else by telephone. Null for none or several. */
  #find(sent: Identity): PersonRow | null {
    return this.#closest(foldedEmail(sent), 'email', sent) ?? this.#closest(phoneDigits(sent.phone), 'phone', sent)
  }

  #closest(address: string | null, kind: 'email' | 'phone', sent: Identity): PersonRow | null {
    const people = [...((address !== null && this.#byAddress.get(`${kind} ${address}`)) || [])]
    // A telephone number alone never matches a person with a log-in.
    const isLogInKept = kind === 'email' || findName(sent) !== null
    return findClosest(isLogInKept ? people : people.filter(({ user_name }) => user_name === null), sent)
  }

  #know(person: PersonRow): void {
    for (const address of addressesOf(identityIn(person))) {
      const people = this.#byAddress.get(address) ?? new Set()
      this.#byAddress.set(address, people.add(person))
    }
  }
}

/**
 * The matching person among those with a common address: the oldest with the exact name, or without a name as the sent
 * one; else the only one that nothing contradicts.
 */
function findClosest(people: readonly PersonRow[], sent: Identity): PersonRow | null {
  const same = people.filter((person) => isSamePerson(identityIn(person), sent))
  const name = findName(sent)
  const exact = same.find((person) => findName(identityIn(person)) === name)
  if (exact !== undefined) return exact
  const alike = name === null ? same : same.filter((person) => findName(identityIn(person)) !== null)
  const candidates = alike.length > 0 ? alike : same
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

/**
 * Whether two descriptions have an address in common and nothing in them contradicts that they are of one person. Names that are
 * not alike contradict it; so does another e-mail address, and where no names speak for it another telephone number.
 */
export function isSamePerson(one: Identity, other: Identity): boolean {
  const [name, otherName] = [findName(one), findName(other)]
  const areNamed = name !== null && otherName !== null
  if (areNamed && !areNamesAlike(name, otherName)) return false
  const email = compare(foldedEmail(one), foldedEmail(other))
  const phone = compare(phoneDigits(one.phone), phoneDigits(other.phone))
  if (email === 'same') return areNamed || phone !== 'different'
  return email === 'unknown' && phone === 'same'
}

function foldedEmail({ email }: Identity): string | null {
  return email?.normalize().toLowerCase() ?? null
}

function compare(one: string | null, other: string | null): 'same' | 'different' | 'unknown' {
  if (one === null || other === null) return 'unknown'
  return one === other ? 'same' : 'different'
}

/** The name; null when an address stands for it. */
export function findName({ displayName, email, phone }: Identity): string | null {
  const name = displayName?.trim() ?? ''
  return name === '' || name === email || name === phone ? null : name
}

function identityIn({ display_name: displayName, email, phone }: PersonRow): Identity {
  return { displayName, email, phone }
}

/** A person with the sent members that the person lacks; null where none is lacking. */
function filledIn(person: PersonRow, sent: Identity): (Identity & { readonly displayName: string }) | null {
  const email = person.email ?? sent.email
  const phone = person.phone ?? sent.phone
  const isNamed = findName(identityIn(person)) !== null
  const displayName = isNamed ? person.display_name : (sent.displayName ?? person.display_name)
  const isComplete = email === person.email && phone === person.phone && displayName === person.display_name
  return isComplete ? null : { displayName, email, phone }
}
