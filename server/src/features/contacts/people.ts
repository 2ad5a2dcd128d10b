import type { ChangeContext } from '../../changes/index.ts'
import { lockRows, takeAdvisoryLock } from '../../concurrency/index.ts'
import { literal, moment, sql, type Transaction } from '../../database/index.ts'
import { nextInSeries } from '../../entities/index.ts'
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

/** A person of the tenant, and the sent members that the person lacks; null for none. */
export interface FoundPerson {
  readonly id: string
  readonly lacking: Identity | null
}

interface PersonRow {
  id: string
  display_name: string
  email: string | null
  phone: string | null
  user_name: string | null
}

/** Locks the person with an id. Throws `reference_not_found` for the field. */
export async function requirePerson(
  tx: Transaction,
  contactId: string,
  identity: Identity,
  field: string,
): Promise<FoundPerson> {
  const [person] = isUuid(contactId)
    ? await tx.query<PersonRow>(sql`
        select id, display_name, email, phone, user_name from contacts
         where tenant_id = ${tx.tenantId} and id = ${contactId}`)
    : []
  if (person === undefined) throw referenceProblem(field, 'contact')
  return lockFound(tx, person.id, identity)
}

/** Locks a person to link, so that the link shows current values, and checks again what the person lacks. */
async function lockFound(tx: Transaction, id: string, identity: Identity): Promise<FoundPerson> {
  await lockRows(tx, 'contacts', [id])
  const [person] = await tx.query<PersonRow>(
    sql`select id, display_name, email, phone, user_name from contacts where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  if (person === undefined) throw new Error('a person who was found is gone')
  return found(person, identity)
}

/**
 * The one person who matches: found by e-mail in any case, else by telephone in any format. Null for none or several.
 */
async function findPerson(tx: Transaction, identity: Identity): Promise<FoundPerson | null> {
  const person = (await findByEmail(tx, identity)) ?? (await findByPhone(tx, identity))
  return person === null ? null : found(person, identity)
}

/**
 * The matching person, locked, else a new one. Advisory locks on e-mail and telephone serialise concurrent creations.
 */
export async function findOrCreatePerson(
  tx: Transaction,
  context: Pick<ChangeContext, 'tenant'>,
  identity: Identity,
): Promise<FoundPerson> {
  const { email, phone } = identity
  const digits = phoneDigits(phone)
  const turns = [email && `email ${foldedEmail(identity)}`, digits && `phone ${digits}`]
  await takeAdvisoryLock(tx, ...turns.filter((turn) => typeof turn === 'string'))
  let person = await findPerson(tx, identity)
  while (person !== null) {
    await lockRows(tx, 'contacts', [person.id])
    // The person may have changed before it was locked.
    const locked = await findPerson(tx, identity)
    if (locked?.id === person.id) return locked
    person = locked
  }
  return { id: await createPerson(tx, context, identity), lacking: null }
}

/** Creates a person and returns the id. Without a name, e-mail address or telephone number is used. */
export async function createPerson(
  tx: Transaction,
  context: Pick<ChangeContext, 'tenant'>,
  { displayName, email, phone }: Identity,
): Promise<string> {
  const id = newId()
  const code = await nextInSeries(tx, series, context.tenant.timeZone)
  await tx.query(sql`
    insert into contacts (tenant_id, id, code, display_name, email, phone, phone_digits, created_at, updated_at)
    select ${tx.tenantId}, ${id}, ${code}, ${displayName ?? email ?? phone ?? ''}, ${email}, ${phone}, ${phoneDigits(phone)},
           stamp, stamp
      from ${moment}`)
  return id
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

async function findByEmail(tx: Transaction, sent: Identity): Promise<PersonRow | null> {
  if (sent.email === null) return null
  const people = await tx.query<PersonRow>(sql`
    select id, display_name, email, phone, user_name from contacts
     where tenant_id = ${tx.tenantId} and email = ${sent.email} collate any_case
     order by display_name = ${findName(sent)} desc, created_at, id limit ${literal(maxCompared)}`)
  return findClosest(people, sent)
}

async function findByPhone(tx: Transaction, sent: Identity): Promise<PersonRow | null> {
  const digits = phoneDigits(sent.phone)
  if (digits === null) return null
  const people = await tx.query<PersonRow>(sql`
    select id, display_name, email, phone, user_name from contacts
     where tenant_id = ${tx.tenantId} and phone_digits = ${digits}
     order by display_name = ${findName(sent)} desc, created_at, id limit ${literal(maxCompared)}`)
  // A telephone number alone never matches a person with a log-in.
  return findClosest(
    people.filter((person) => person.user_name === null || findName(sent) !== null),
    sent,
  )
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

function found(person: PersonRow, sent: Identity): FoundPerson {
  const email = person.email ?? sent.email
  const phone = person.phone ?? sent.phone
  const isNamed = findName(identityIn(person)) !== null
  const displayName = isNamed ? person.display_name : (sent.displayName ?? person.display_name)
  const isComplete = email === person.email && phone === person.phone && displayName === person.display_name
  return { id: person.id, lacking: isComplete ? null : { displayName, email, phone } }
}
