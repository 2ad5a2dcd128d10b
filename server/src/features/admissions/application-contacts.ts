import type { Body, clientApi } from '@matricula/contract'
import { type ChangeContext, type RequestContext, requireMatch } from '../../changes/index.ts'
import { moment, sql, type Transaction } from '../../database/index.ts'
import { requireLocked, type Versioned } from '../../entities/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { mergeFreeObject, newId, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import {
  fillIn,
  findOrCreatePeople,
  type Identity,
  isSamePerson,
  type LinkedContact,
  type WantedPerson,
} from '../contacts/index.ts'
import { changePerson, recordLinks } from './application-links.ts'
import { type ApplicationRecord, applications } from './application-store.ts'

export type LinkContactBody = Body<(typeof clientApi)['linkApplicationContact']>
type UpdateLinkBody = Body<(typeof clientApi)['updateApplicationContact']>

/**
 * Links a person to an application.
 *
 * @throws Problem `resource_not_found`; `precondition_failed`; `reference_not_found` for an unknown contactId;
 * `already_exists` when the person is already linked in this role.
 */
export async function linkContact(
  tx: Transaction,
  context: RequestContext,
  applicationId: string,
  body: LinkContactBody,
): Promise<Versioned<ApplicationRecord>> {
  const current = await requireLocked(tx, applications, applicationId)
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  await addLinks(tx, context, current.record, [{ body, path: '' }])
  return recordLinks(tx, context, current.record)
}

/** Updates a link. Throws `resource_not_found`, `precondition_failed` and `already_exists`. */
export async function updateLink(
  tx: Transaction,
  context: RequestContext,
  applicationId: string,
  linkId: string,
  body: UpdateLinkBody,
): Promise<Versioned<ApplicationRecord>> {
  const current = await requireLocked(tx, applications, applicationId)
  const before = requireLink(current.record, linkId)
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  const after = {
    ...before,
    role: body.role ?? before.role,
    relationshipLabel: body.relationshipLabel === undefined ? before.relationshipLabel : body.relationshipLabel,
    isPrimary: body.isPrimary ?? before.isPrimary,
    metadata: mergeFreeObject('metadata', before.metadata, body.metadata ?? {}),
  }
  if (sameJson(after, before)) return current
  requireFreeRole(current.record.contacts, after)
  if (after.isPrimary && !before.isPrimary) clearPrimary(tx, current.record.id)
  tx.send(sql`
    update application_contacts
       set role = ${after.role}, relationship_label = ${after.relationshipLabel}, is_primary = ${after.isPrimary},
           metadata = ${after.metadata}, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  return recordLinks(tx, context, current.record)
}

/** Removes a link; no other contact becomes primary. Throws `resource_not_found` and `precondition_failed`. */
export async function unlinkContact(
  tx: Transaction,
  context: RequestContext,
  applicationId: string,
  linkId: string,
): Promise<Versioned<ApplicationRecord>> {
  const current = await requireLocked(tx, applications, applicationId)
  const before = requireLink(current.record, linkId)
  requireMatch(context, current.entityTag)
  tx.send(sql`delete from application_contacts where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  return recordLinks(tx, context, current.record)
}

/** Links several people, in order. The transaction has locked or created the application. */
export async function linkContacts(
  tx: Transaction,
  context: ChangeContext,
  application: ApplicationRecord,
  bodies: readonly LinkContactBody[],
): Promise<Versioned<ApplicationRecord>> {
  await addLinks(
    tx,
    context,
    application,
    bodies.map((body, index) => ({ body, path: `contacts/${index}/` })),
  )
  return recordLinks(tx, context, application)
}

/** What the links of an application must not repeat. */
type KnownLink = Pick<LinkedContact, 'id' | 'contactId' | 'role'>

/** A link to add, and the prefix of errors about it. */
interface SentLink {
  readonly body: LinkContactBody
  readonly path: string
}

/**
 * Adds links, by as many statements for many as for one. Defaults: without any identity it is the applicant, in that role; the first link
 * is primary; the role of a primary link is `primary_contact`, of another `other`. The last primary one remains so.
 */
async function addLinks(
  tx: Transaction,
  context: ChangeContext,
  application: ApplicationRecord,
  sent: readonly SentLink[],
): Promise<void> {
  const stored = application.contacts
  const asked = sent.map(({ body, path }, index) => {
    const isApplicant = isOfApplicant(body)
    const isPrimary = body.isPrimary ?? stored.length + index === 0
    const role = body.role ?? (isApplicant ? 'applicant' : isPrimary ? 'primary_contact' : 'other')
    const metadata = mergeFreeObject(`${path}metadata`, {}, body.metadata ?? {})
    return { body, path, isApplicant, isPrimary, role, metadata }
  })
  const ids = await findLinked(tx, context, application, asked)
  const links: KnownLink[] = []
  for (const [index, { role }] of asked.entries()) {
    const contactId = ids[index] as string
    requireFreeRole([...stored, ...links], { id: null, contactId, role })
    links.push({ id: newId(), contactId, role })
  }
  const primary = asked.findLastIndex(({ isPrimary }) => isPrimary)
  if (primary >= 0) clearPrimary(tx, application.id)
  const columns = {
    ids: links.map(({ id }) => id),
    contacts: links.map(({ contactId }) => contactId),
    roles: links.map(({ role }) => role),
    labels: asked.map(({ body }) => body.relationshipLabel ?? null),
    primaries: asked.map((_, index) => index === primary),
    sources: asked.map(({ body }) => body.source ?? 'api'),
    metadata: asked.map(({ metadata }) => JSON.stringify(metadata)),
  }
  tx.send(sql`
    insert into application_contacts (tenant_id, id, application_id, contact_id, role, relationship_label,
                                      is_primary, source, metadata, created_at, updated_at)
    select ${tx.tenantId}::uuid, made.id, ${application.id}::uuid, made.contact_id, made.role, made.relationship_label,
           made.is_primary, made.source, made.metadata::jsonb, stamp, stamp
      from unnest(${columns.ids}::uuid[], ${columns.contacts}::uuid[], ${columns.roles}::text[], ${columns.labels}::text[],
                  ${columns.primaries}::boolean[], ${columns.sources}::text[], ${columns.metadata}::text[])
             as made (id, contact_id, role, relationship_label, is_primary, source, metadata), ${moment}`)
}

/**
 * The ids of the people to link. What they lack is filled in, and records that show them change with it. The applicant as a person is the
 * one who is linked as such, else found by the application's own addresses.
 */
async function findLinked(
  tx: Transaction,
  context: ChangeContext,
  application: ApplicationRecord,
  asked: readonly (SentLink & { readonly isApplicant: boolean; readonly role: string })[],
): Promise<string[]> {
  const known = application.contacts.find(({ role }) => role === 'applicant')
  const first = asked.findIndex(({ role }) => role === 'applicant')
  const isAsFirst = (index: number) => first >= 0 && first < index && asked[index]?.isApplicant === true
  const wanted = asked.flatMap(({ body, path, isApplicant }, index): WantedPerson[] => {
    const field = `${path}contactId`
    if (!isApplicant) return [{ contactId: body.contactId || null, field, identity: toIdentity(body) }]
    if (known !== undefined || isAsFirst(index)) return []
    const { fullName, email, phone } = application
    return [{ contactId: null, field, identity: { displayName: fullName, email, phone } }]
  })
  const people = await findOrCreatePeople(tx, context, wanted)
  for (const [id, lacking] of people.lacking) {
    await changePerson(tx, context, id, application.id, async () => fillIn(tx, id, lacking))
  }
  const found = people.ids.values()
  const ids: string[] = []
  for (const [index, { isApplicant }] of asked.entries()) {
    const isKnown = isApplicant && known !== undefined
    ids.push(isKnown ? known.contactId : isAsFirst(index) ? (ids[first] as string) : (found.next().value as string))
  }
  return ids
}

function isOfApplicant({ contactId, displayName, email, phone }: LinkContactBody): boolean {
  return !(contactId || displayName || email || phone)
}

function toIdentity(body: LinkContactBody): Identity {
  return { displayName: body.displayName || null, email: body.email || null, phone: body.phone || null }
}

/**
 * Whether the application has the link of a body: the same person, in the same role when given. A person without any
 * address is identified by name.
 */
export function isLinked(application: ApplicationRecord, body: LinkContactBody): boolean {
  if ('id' in body) return application.contacts.some((link) => sameJson(link, body))
  const inRole = application.contacts.filter(({ role }) => body.role == null || role === body.role)
  const identity = toIdentity(body)
  if (body.contactId) return inRole.some(({ contactId }) => contactId === body.contactId?.toLowerCase())
  if (identity.email !== null || identity.phone !== null) {
    return inRole.some((link) => isSamePerson(link, identity))
  }
  if (identity.displayName !== null) return inRole.some(({ displayName }) => displayName === identity.displayName)
  return inRole.some(({ role }) => role === (body.role ?? 'applicant'))
}

function clearPrimary(tx: Transaction, applicationId: string): void {
  tx.send(sql`
    update application_contacts set is_primary = false, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and application_id = ${applicationId} and is_primary`)
}

function requireLink(application: ApplicationRecord, linkId: string): LinkedContact {
  const link = application.contacts.find(({ id }) => id === linkId.toLowerCase())
  if (link === undefined) throw notFoundProblem('contact link')
  return link
}

function requireFreeRole(
  links: readonly KnownLink[],
  link: { id: string | null; contactId: string; role: string },
): void {
  const other = links.find(
    ({ id, contactId, role }) => id !== link.id && contactId === link.contactId && role === link.role,
  )
  if (other === undefined) return
  const detail = `This person is already linked to the application in the role ${link.role}.`
  throw new Problem('already_exists', detail, { existingId: other.id })
}
