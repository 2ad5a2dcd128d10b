import type { Body, PersonLinks, PersonSplit, peopleOperations, Static } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { lockInOrder, lockRows } from '../../concurrency/index.ts'
import { identifier, type Sql, sql, type Transaction } from '../../database/index.ts'
import { notFoundProblem, referenceProblem, validationProblem } from '../../errors/index.ts'
import { areNamesAlike, isUuid } from '../../values/index.ts'
import { createPerson, findName, type Identity } from '../contacts/index.ts'
import { recordOwnerChanges } from './application-links.ts'

export type SplitBody = Body<(typeof peopleOperations)['splitPerson']>
type Links = Static<typeof PersonLinks>
type Split = Static<typeof PersonSplit>

interface PersonRow extends Identity {
  readonly id: string
  readonly code: string
}

interface LinkRow extends Omit<Links['links'][number], 'hasOtherName'> {
  readonly updatedAt: string
}

/** Whether a name in the audit is unlike the person's present one. An address in place of a name does not count. */
export function hasUnlikeName(person: Identity, name: string | null): boolean {
  const [now, then] = [findName(person), findName({ ...person, displayName: name })]
  return now !== null && then !== null && !areNamesAlike(now, then)
}

/**
 * The links of a person, with the name of each in the audit. `who` is the person's id or name in the Resource API.
 * Throws `resource_not_found`.
 */
export async function personLinks(tx: Transaction, who: string): Promise<Links> {
  const person = await requireKnown(tx, who)
  const links = (await loadLinks(tx, person.id)).map(({ updatedAt: _, ...link }) => ({
    ...link,
    hasOtherName: hasUnlikeName(person, link.linkedAs),
  }))
  return { contactId: person.id, guardian: person.code, displayName: person.displayName ?? '', links }
}

/**
 * Splits a merged person: creates one or more people and moves links to them, either those in `linkIds`, or those whose
 * name in the audit is unlike the person's. Does nothing without such links.
 *
 * @throws Problem `resource_not_found`; `validation_failed` for links without a name; `reference_not_found` for an
 * unknown link.
 */
export async function splitPerson(
  tx: Transaction,
  context: ChangeContext,
  who: string,
  { name, linkIds, email, phone }: SplitBody,
): Promise<Split> {
  if (linkIds !== undefined && name === undefined) {
    throw validationProblem([{ in: 'body', pointer: '#/name', code: 'required', detail: 'is required with linkIds' }])
  }
  const known = await requireKnown(tx, who)
  await lockRows(tx, 'contacts', [known.id])
  const person = await requireKnown(tx, known.id)
  const links = await loadLinks(tx, person.id)
  const requestedIds = linkIds?.map((id) => id.toLowerCase())
  if (requestedIds !== undefined) await requireLinks(tx, requestedIds)
  const moved =
    requestedIds === undefined
      ? links.filter(({ linkedAs }) => hasUnlikeName(person, linkedAs))
      : links.filter(({ id }) => requestedIds.includes(id))
  const groups =
    requestedIds === undefined
      ? groupByName(moved).filter((group) => name === undefined || areNamesAlike(group.name, name))
      : [{ name: name ?? '', links: moved }].filter(({ links }) => links.length > 0)
  await lockInOrder(
    tx,
    groups.flatMap((group) =>
      group.links.map(({ entityType, entityId }) => ({ kind: ownerTables[entityType].table, key: entityId })),
    ),
  )
  const made: Split['made'] = []
  for (const group of groups) {
    const identity = { displayName: name ?? group.name, email: email || null, phone: phone || null }
    made.push(await moveLinks(tx, context, person, identity, group.links))
  }
  return { contactId: person.id, made }
}

/** The tables of owners and of their links. */
const ownerTables = {
  application: { table: 'admission_applications', links: 'application_contacts' },
  student: { table: 'students', links: 'student_contacts' },
} as const

async function requireKnown(tx: Transaction, who: string): Promise<PersonRow> {
  const condition = isUuid(who) ? sql`id = ${who}` : sql`code = ${who}`
  const [person] = await tx.query<PersonRow>(sql`
    select id, code, display_name as "displayName", email, phone from contacts
     where tenant_id = ${tx.tenantId} and ${condition}`)
  if (person === undefined) throw notFoundProblem('guardian')
  return person
}

/** The links of a person, oldest first, each with the person's name in the audit when it was linked. */
function loadLinks(tx: Transaction, contactId: string): Promise<LinkRow[]> {
  return tx.query<LinkRow>(sql`
    select l.id, 'application' as "entityType", a.id as "entityId", a.full_name as "entityLabel", l.role,
           stamp_text(l.created_at) as "createdAt", stamp_text(l.updated_at) as "updatedAt",
           (select e.after ->> 'displayName' from audit_entries e
             where e.tenant_id = ${tx.tenantId} and e.entity_id = l.id and e.after ->> 'contactId' = ${contactId}::text
             order by e.id limit 1) as "linkedAs"
      from application_contacts l
      join admission_applications a on a.tenant_id = ${tx.tenantId} and a.id = l.application_id
     where l.tenant_id = ${tx.tenantId} and l.contact_id = ${contactId}
    union all
    select l.id, 'student', s.id, s.full_name, l.role, stamp_text(l.created_at), stamp_text(l.updated_at),
           (select c.link ->> 'displayName'
              from audit_entries e
             cross join jsonb_array_elements(
                     case when jsonb_typeof(e.after -> 'contacts') = 'array' then e.after -> 'contacts' else '[]' end) as c (link)
             where e.tenant_id = ${tx.tenantId} and e.entity_id = s.id
               and c.link ->> 'id' = l.id::text and c.link ->> 'contactId' = ${contactId}::text
             order by e.id limit 1)
      from student_contacts l
      join students s on s.tenant_id = ${tx.tenantId} and s.id = l.student_id
     where l.tenant_id = ${tx.tenantId} and l.contact_id = ${contactId}
     order by 6, 1`)
}

async function requireLinks(tx: Transaction, ids: readonly string[]): Promise<void> {
  const found = await tx.query<{ id: string }>(sql`
    select id from application_contacts where tenant_id = ${tx.tenantId} and id = any (${[...ids]}::uuid[])
    union all
    select id from student_contacts where tenant_id = ${tx.tenantId} and id = any (${[...ids]}::uuid[])`)
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.findIndex((requestedIds) => !known.has(requestedIds))
  if (unknown >= 0) throw referenceProblem(`linkIds/${unknown}`, 'contact link')
}

/** The links grouped by name; similar names are one group. */
function groupByName(links: readonly LinkRow[]): { name: string; links: LinkRow[] }[] {
  const groups: { name: string; links: LinkRow[] }[] = []
  for (const link of links) {
    const name = link.linkedAs ?? ''
    const group = groups.find((each) => areNamesAlike(each.name, name))
    if (group === undefined) groups.push({ name, links: [link] })
    else group.links.push(link)
  }
  return groups
}

async function moveLinks(
  tx: Transaction,
  context: ChangeContext,
  person: PersonRow,
  identity: Identity,
  links: readonly LinkRow[],
): Promise<Split['made'][number]> {
  const id = await createPerson(tx, context, identity)
  const move = (entityType: keyof typeof ownerTables): Sql => {
    const ids = links.filter((link) => link.entityType === entityType).map((link) => link.id)
    return sql`
      update ${identifier(ownerTables[entityType].links)}
         set contact_id = ${id}, updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`
  }
  await tx.query(move('application'))
  await tx.query(move('student'))
  const stamps = new Map(links.map((link) => [link.id, link.updatedAt]))
  const { displayName, email, phone } = person
  const shown = { contactId: person.id, displayName: displayName ?? '', email, phone }
  await recordOwnerChanges(tx, context, id, null, (contacts) =>
    contacts.map((link) => {
      const updatedAt = stamps.get(link.id)
      return updatedAt === undefined ? link : { ...link, ...shown, updatedAt }
    }),
  )
  const linkIds = links.map((link) => link.id)
  recordAccess(tx, context, {
    action: 'guardian.split',
    entityType: 'guardian',
    entityId: person.id,
    facts: { madeContactId: id, linkIds },
  })
  const made = await requireKnown(tx, id)
  return { contactId: id, guardian: made.code, displayName: made.displayName ?? '', linkIds }
}
