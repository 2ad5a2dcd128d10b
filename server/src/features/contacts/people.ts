import { moment, sql, type Transaction } from '../../database/index.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import { lockRows, takeTurn } from '../../platform/locks.ts'
import { nextInSeries } from '../../platform/naming-series.ts'
import { referenceProblem } from '../../platform/problem.ts'
import type { ChangeContext } from '../../platform/request-context.ts'

/** Names people on the Resource and Method API, where they are guardians. */
const series = 'EDU-GRD'

/** How somebody is described by whoever links them. */
export interface Identity {
  readonly displayName: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** A person of the tenant, and what was sent that the person lacks; null when nothing. */
export interface FoundPerson {
  readonly id: string
  readonly lacking: Identity | null
}

interface PersonRow {
  id: string
  display_name: string
  email: string | null
  phone: string | null
}

/** The person with an id, locked. Throws `reference_not_found`, naming the field. */
export async function requirePerson(
  tx: Transaction,
  contactId: string,
  identity: Identity,
  field: string,
): Promise<FoundPerson> {
  const [person] = isUuid(contactId)
    ? await tx.query<PersonRow>(sql`
        select id, display_name, email, phone from contacts
         where tenant_id = ${tx.tenantId} and id = ${contactId}`)
    : []
  if (person === undefined) throw referenceProblem(field, 'contact')
  return lockFound(tx, person.id, identity)
}

/** Locks a person who is to be linked, so that a link shows who it is, and looks again what the person lacks. */
async function lockFound(tx: Transaction, id: string, identity: Identity): Promise<FoundPerson> {
  await lockRows(tx, 'contacts', [id])
  const [person] = await tx.query<PersonRow>(
    sql`select id, display_name, email, phone from contacts where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  if (person === undefined) throw new Error('a person who was found is gone')
  return found(person, identity)
}

/** The person with this e-mail (in any case), else with this telephone number (however it is written), or null. */
export async function findPerson(tx: Transaction, identity: Identity): Promise<FoundPerson | null> {
  const person = (await findByEmail(tx, identity.email)) ?? (await findByPhone(tx, phoneDigits(identity.phone)))
  return person === undefined ? null : found(person, identity)
}

/**
 * The person that `findPerson` finds, locked, else a new one.
 * Two that look for the same new person at once make one: they wait for each other by what they look for.
 */
export async function findOrCreatePerson(
  tx: Transaction,
  context: Pick<ChangeContext, 'tenant'>,
  identity: Identity,
): Promise<FoundPerson> {
  const { email, phone } = identity
  const digits = phoneDigits(phone)
  const turns = [email && `email ${email.toLowerCase()}`, digits && `phone ${digits}`]
  await takeTurn(tx, ...turns.filter((turn) => typeof turn === 'string'))
  const person = await findPerson(tx, identity)
  if (person !== null) return lockFound(tx, person.id, identity)
  const id = newId()
  const code = await nextInSeries(tx, series, context.tenant.timeZone)
  await tx.query(sql`
    insert into contacts (tenant_id, id, code, display_name, email, phone, phone_digits, created_at, updated_at)
    select ${tx.tenantId}, ${id}, ${code}, ${identity.displayName ?? email ?? phone ?? ''}, ${email}, ${phone}, ${digits},
           stamp, stamp
      from ${moment}`)
  return { id, lacking: null }
}

/** Fills in what a person lacked. Whoever shows the person reads differently from then on. */
export function fillIn(tx: Transaction, personId: string, identity: Identity): void {
  const { displayName, email, phone } = identity
  tx.send(sql`
    update contacts
       set display_name = ${displayName}, email = ${email}, phone = ${phone}, phone_digits = ${phoneDigits(phone)},
           version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${personId}`)
}

/** The digits of a telephone number with its leading plus, by which two ways of writing it compare; null for none. */
export function phoneDigits(phone: string | null): string | null {
  if (phone === null) return null
  const digits = phone.replace(/\D/g, '')
  if (digits === '') return null
  return /^\s*(\+|00)/.test(phone) ? `+${digits.replace(/^00/, '')}` : digits
}

async function findByEmail(tx: Transaction, email: string | null): Promise<PersonRow | undefined> {
  if (email === null) return undefined
  const [person] = await tx.query<PersonRow>(sql`
    select id, display_name, email, phone from contacts
     where tenant_id = ${tx.tenantId} and email = ${email} collate any_case
     order by created_at, id limit 1`)
  return person
}

async function findByPhone(tx: Transaction, digits: string | null): Promise<PersonRow | undefined> {
  if (digits === null) return undefined
  const [person] = await tx.query<PersonRow>(sql`
    select id, display_name, email, phone from contacts
     where tenant_id = ${tx.tenantId} and phone_digits = ${digits}
     order by created_at, id limit 1`)
  return person
}

function found(person: PersonRow, sent: Identity): FoundPerson {
  const email = person.email ?? sent.email
  const phone = person.phone ?? sent.phone
  // A name that only repeats the address was never given.
  const isNamed = person.display_name !== '' && person.display_name !== (person.email ?? person.phone)
  const displayName = isNamed ? person.display_name : (sent.displayName ?? person.display_name)
  const isComplete = email === person.email && phone === person.phone && displayName === person.display_name
  return { id: person.id, lacking: isComplete ? null : { displayName, email, phone } }
}
