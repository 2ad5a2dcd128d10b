import type { Body, clientApi } from '@matricula/contract'
import { type ChangeContext, type RequestContext, requireMatch } from '../../changes/index.ts'
import { moment, sql, type Transaction } from '../../database/index.ts'
import { requireLocked, type Versioned } from '../../entities/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { mergeFreeObject, newId, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import {
  type FoundPerson,
  fillIn,
  findOrCreatePerson,
  type Identity,
  isSamePerson,
  type LinkedContact,
  requirePerson,
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
  await addLink(tx, context, { application: current.record, links: current.record.contacts }, body, '')
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
  // Kept here rather than read back after each: that would read all links of the application once for each of them.
  const links: KnownLink[] = [...application.contacts]
  for (const [index, body] of bodies.entries()) {
    links.push(await addLink(tx, context, { application, links }, body, `contacts/${index}/`))
  }
  return recordLinks(tx, context, application)
}

/** What the links of an application must not repeat. */
type KnownLink = Pick<LinkedContact, 'id' | 'contactId' | 'role'>

/**
 * Adds one link. Defaults: without any identity it is the applicant, in that role; the first link is primary; the role
 * of a primary link is `primary_contact`, of another `other`.
 */
async function addLink(
  tx: Transaction,
  context: ChangeContext,
  { application, links }: { readonly application: ApplicationRecord; readonly links: readonly KnownLink[] },
  body: LinkContactBody,
  path: string,
): Promise<KnownLink> {
  const isApplicant = !(body.contactId || body.displayName || body.email || body.phone)
  const isPrimary = body.isPrimary ?? links.length === 0
  const role = body.role ?? (isApplicant ? 'applicant' : isPrimary ? 'primary_contact' : 'other')
  const person = isApplicant
    ? await findApplicant(tx, context, application, links)
    : await findPerson(tx, context, body, path)
  requireFreeRole(links, { id: null, contactId: person.id, role })
  const link: KnownLink = { id: newId(), contactId: person.id, role }
  const { lacking } = person
  if (lacking !== null) {
    await changePerson(tx, context, person.id, application.id, async () => fillIn(tx, person.id, lacking))
  }
  if (isPrimary) clearPrimary(tx, application.id)
  tx.send(sql`
    insert into application_contacts (tenant_id, id, application_id, contact_id, role, relationship_label,
                                      is_primary, source, metadata, created_at, updated_at)
    select ${tx.tenantId}::uuid, ${link.id}::uuid, ${application.id}::uuid, ${person.id}::uuid, ${role}, ${body.relationshipLabel ?? null},
           ${isPrimary}::boolean, ${body.source ?? 'api'}, ${mergeFreeObject(`${path}metadata`, {}, body.metadata ?? {})}::jsonb, stamp, stamp
      from ${moment}`)
  return link
}

function toIdentity(body: LinkContactBody): Identity {
  return { displayName: body.displayName || null, email: body.email || null, phone: body.phone || null }
}

async function findPerson(
  tx: Transaction,
  context: ChangeContext,
  body: LinkContactBody,
  path: string,
): Promise<FoundPerson> {
  const identity = toIdentity(body)
  if (body.contactId) return requirePerson(tx, body.contactId, identity, `${path}contactId`)
  return findOrCreatePerson(tx, context, identity)
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

/** The applicant as a person: the linked one, else by the application's own addresses. */
async function findApplicant(
  tx: Transaction,
  context: ChangeContext,
  application: ApplicationRecord,
  links: readonly KnownLink[],
): Promise<FoundPerson> {
  const known = links.find((link) => link.role === 'applicant')
  if (known !== undefined) return { id: known.contactId, lacking: null }
  const { fullName, email, phone } = application
  return findOrCreatePerson(tx, context, { displayName: fullName, email, phone })
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
