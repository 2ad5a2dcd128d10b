import type { Body, documentRequestOperations, PublicLocale } from '@matricula/contract'
import { findLocale } from '@matricula/pages'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { referenceProblem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'
import { type Owner, ownerColumns, ownerTables } from '../requirements/index.ts'
import type { RequestRecord } from './request-store.ts'

type Recipient = RequestRecord['recipient']
type RecipientBody = Body<(typeof documentRequestOperations)['createDocumentRequest']>['recipient']

/**
 * The recipient of a request: from the body, completed from its contact; without one, the primary contact of the
 * student or application, else the student or applicant. Throws `reference_not_found`.
 */
export async function findRecipient(tx: Transaction, owner: Owner, body: RecipientBody): Promise<Recipient> {
  const sent = {
    contactId: body?.contactId ?? null,
    name: body?.name ?? null,
    email: body?.email || null,
    phone: body?.phone ?? null,
  }
  if (Object.values(sent).every((value) => value === null || value === '')) return loadDefaultRecipient(tx, owner)
  const person = sent.contactId === null ? null : await requireContact(tx, sent.contactId)
  return {
    contactId: person?.contactId ?? null,
    name: sent.name ?? person?.name ?? '',
    email: sent.email ?? person?.email ?? null,
    phone: sent.phone ?? person?.phone ?? null,
  }
}

async function requireContact(tx: Transaction, contactId: string): Promise<Recipient> {
  const [person] = isUuid(contactId)
    ? await tx.query<Recipient>(sql`
        select id as "contactId", display_name as name, email, phone from contacts
         where tenant_id = ${tx.tenantId} and id = ${contactId}`)
    : []
  if (person === undefined) throw referenceProblem('recipient/contactId', 'contact')
  return person
}

const linkTables = { student: 'student_contacts', application: 'application_contacts' } as const

async function loadDefaultRecipient(tx: Transaction, { entityType, entityId }: Owner): Promise<Recipient> {
  const [found] = await loadDefaultRecipients(tx, entityType, [entityId])
  if (found === undefined) throw referenceProblem('entityId', entityType)
  const { contactId, name, email, phone } = found
  return { contactId, name, email, phone }
}

/** The default recipient of each existing student or application, with its id and full name. */
export function loadDefaultRecipients(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
): Promise<readonly (Recipient & { readonly entityId: string; readonly entityLabel: string })[]> {
  return tx.query(sql`
    select e.id as "entityId", e.full_name as "entityLabel",
           c.id as "contactId", coalesce(c.display_name, e.full_name) as name,
           case when c.id is null then e.email else c.email end as email,
           case when c.id is null then e.phone else c.phone end as phone
      from ${identifier(ownerTables[entityType])} e
      left join ${identifier(linkTables[entityType])} l
        on l.tenant_id = ${tx.tenantId} and l.${identifier(ownerColumns[entityType])} = e.id and l.is_primary
      left join contacts c on c.tenant_id = ${tx.tenantId} and c.id = l.contact_id
     where e.tenant_id = ${tx.tenantId} and e.id = any (${[...ids]}::uuid[])`)
}

/** The language of each recipient: that of the recipient's own user, else that of the institution. */
export async function loadLanguages(
  tx: Transaction,
  entityType: Owner['entityType'],
  recipients: readonly (Pick<Recipient, 'contactId' | 'email'> & { readonly entityId: string })[],
): Promise<PublicLocale[]> {
  const contactIds = recipients.map(({ contactId }) => contactId)
  const studentIds = recipients.map(({ entityId }) => (entityType === 'student' ? entityId : null))
  const emails = recipients.map(({ email }) => email)
  const rows = await tx.query<{ own: string | null; ofTheInstitution: PublicLocale }>(sql`
    select u.language as own, t.language as "ofTheInstitution"
      from tenants t
     cross join unnest(${contactIds}::uuid[], ${studentIds}::uuid[], ${emails}::text[])
           with ordinality as r (contact_id, student_id, email, at)
      left join contacts c on c.tenant_id = ${tx.tenantId} and c.id = r.contact_id
      left join students s
        on s.tenant_id = ${tx.tenantId} and s.id = r.student_id and r.contact_id is null and s.email = r.email
      -- Not coalesce: under row-level security only what cannot tell anything of a row is looked up by an index.
      left join users u
        on u.tenant_id = ${tx.tenantId} and u.name = case when c.user_name is null then s.user_name else c.user_name end
     where t.id = ${tx.tenantId}
     order by r.at`)
  return rows.map(({ own, ofTheInstitution }) => findLocale(own) ?? ofTheInstitution)
}

/** The language of a recipient. */
export async function loadLanguage(tx: Transaction, owner: Owner, recipient: Recipient): Promise<PublicLocale> {
  const reached = { entityId: owner.entityId, contactId: recipient.contactId, email: recipient.email }
  const [language] = await loadLanguages(tx, owner.entityType, [reached])
  return language as PublicLocale
}
