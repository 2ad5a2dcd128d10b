import type { ChangeContext } from '../../changes/index.ts'
import { type Change, recordChanges } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import { findMany, readBack, type Versioned } from '../../entities/index.ts'
import { sameJson } from '../../values/index.ts'
import { type LinkedContact, linksBefore, lockPerson, updateLinkedRecords } from '../contacts/index.ts'
import { retellStudents } from '../students/index.ts'
import { type ApplicationRecord, applications } from './application-store.ts'

/**
 * Changes a person by `change`. Students and applications that show the person get a new version with audit and event,
 * except `exceptApplicationId`, whose caller does that.
 */
export async function changePerson(
  tx: Transaction,
  context: ChangeContext,
  contactId: string,
  exceptApplicationId: string | null,
  change: () => Promise<void>,
): Promise<void> {
  const before = await lockPerson(tx, contactId)
  await change()
  await recordOwnerChanges(tx, context, contactId, exceptApplicationId, (links) => linksBefore(links, before))
}

/**
 * Gives students and applications that are linked to a person a new version with audit and event. `asBefore` returns
 * the contacts of one as they were before; `exceptApplicationId` is left out.
 */
export async function recordOwnerChanges(
  tx: Transaction,
  context: ChangeContext,
  contactId: string,
  exceptApplicationId: string | null,
  asBefore: (links: readonly LinkedContact[]) => LinkedContact[],
): Promise<void> {
  await retellStudents(tx, context, contactId, asBefore)
  await updateLinkedRecords(
    tx,
    'application_contacts',
    'admission_applications',
    contactId,
    exceptApplicationId,
    async (batch) => {
      const ids = batch.map(({ id }) => id)
      const after = await findMany(tx, applications, sql`a.id = any(${ids}::uuid[])`)
      const changes = after.flatMap(({ contacts }) => linkChanges(asBefore(contacts), contacts))
      recordChanges(tx, context, changes)
    },
  )
}

/** Gives the application its new version and records one change for each link that was added, removed or changed. */
export async function recordLinks(
  tx: Transaction,
  context: ChangeContext,
  before: ApplicationRecord,
): Promise<Versioned<ApplicationRecord>> {
  tx.send(sql`
    update admission_applications set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  const current = await readBack(tx, applications, before.id)
  recordChanges(tx, context, linkChanges(before.contacts, current.record.contacts))
  return current
}

/** The changes of the links of an application: one for each that was added, removed or changed. */
export function linkChanges(before: readonly LinkedContact[], after: readonly LinkedContact[]): Change[] {
  const old = new Map(before.map((link) => [link.id, link]))
  const now = new Map(after.map((link) => [link.id, link]))
  const entityType = 'admission_contact'
  return [
    ...before
      .filter(({ id }) => !now.has(id))
      .map(
        (link): Change => ({
          type: 'admission_contact.unlinked',
          entityType,
          entityId: link.id,
          before: link,
          after: null,
        }),
      ),
    ...after.flatMap((link): Change[] => {
      const earlier = old.get(link.id) ?? null
      if (sameJson(earlier, link)) return []
      const type = earlier === null ? 'admission_contact.linked' : 'admission_contact.updated'
      return [{ type, entityType, entityId: link.id, before: earlier, after: link }]
    }),
  ]
}
