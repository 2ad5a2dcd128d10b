import { lockRows } from '../../concurrency/index.ts'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { type LinkedContact, type LinkTable, linkTables } from './linked-contacts.ts'

/** The members of a person that records show. */
export type ShownPerson = Pick<LinkedContact, 'contactId' | 'displayName' | 'email' | 'phone'>

/** Locks a person and returns its shown members. Throws when there is none. */
export async function lockPerson(tx: Transaction, contactId: string): Promise<ShownPerson> {
  await lockRows(tx, 'contacts', [contactId])
  const [person] = await tx.query<ShownPerson>(sql`
    select id as "contactId", display_name as "displayName", email, phone from contacts
     where tenant_id = ${tx.tenantId} and id = ${contactId}`)
  if (person === undefined) throw new Error('a person who is to change is not there')
  return person
}

/** The links of a record as they were before a person changed. */
export function linksBefore(links: readonly LinkedContact[], person: ShownPerson): LinkedContact[] {
  return links.map((link) => (link.contactId === person.contactId ? { ...link, ...person } : link))
}

/** The batch size, which bounds statements and memory. */
const batchSize = 200

/** A record that shows a changed person, with the time of its previous change. */
export interface AffectedRecord {
  readonly id: string
  readonly updatedAt: string
}

/**
 * Gives records that show a changed person their next version, and calls `record` per batch, lowest id first; all are
 * locked before. `exceptId` is left out.
 */
export async function updateLinkedRecords(
  tx: Transaction,
  links: LinkTable,
  records: 'students' | 'admission_applications',
  contactId: string,
  exceptId: string | null,
  record: (batch: readonly AffectedRecord[]) => Promise<void>,
): Promise<void> {
  const owner = identifier(linkTables[links])
  const linked = await tx.query<{ id: string }>(sql`
    select distinct l.${owner} as id from ${identifier(links)} l
     where l.tenant_id = ${tx.tenantId} and l.contact_id = ${contactId} and l.${owner} is distinct from ${exceptId}::uuid
     order by l.${owner}`)
  const ids = linked.map(({ id }) => id)
  await lockRows(tx, records, ids)
  for (let from = 0; from < ids.length; from += batchSize) {
    const batch = await tx.query<AffectedRecord>(sql`
      update ${identifier(records)} r
         set version = r.version + 1, updated_at = greatest(current_stamp(), r.updated_at)
        from ${identifier(records)} before
       where r.tenant_id = ${tx.tenantId} and r.id = any(${ids.slice(from, from + batchSize)}::uuid[])
         and before.tenant_id = ${tx.tenantId} and before.id = r.id
      returning r.id, before.updated_at as "updatedAt"`)
    await record(batch)
  }
}
