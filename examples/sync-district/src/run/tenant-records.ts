import type { Client, DeletedRecord, RecordOf } from '@matricula/client'

export type Student = RecordOf<'students'>
export type Application = RecordOf<'applications'>
export type Payment = RecordOf<'payments'>
export type StoredRecord = Student | Application | Payment
export type ContactLink = Application['contacts'][number]

/** What the tenant has, by externalId. */
export interface TenantRecords {
  readonly students: Map<string, Student>
  readonly applications: Map<string, Application>
  readonly payments: Map<string, Payment>
  /** What somebody there deleted, or merged into another record, and did not make again. */
  readonly deleted: Readonly<Record<'students' | 'applications' | 'payments', ReadonlyMap<string, DeletedRecord>>>
}

/** Reads everything that the files can be about. Records without an externalId are somebody else's. */
export async function readTenant(client: Client): Promise<TenantRecords> {
  const [students, applications, payments] = await Promise.all([
    readStudents(client),
    byExternalId(client.applications.list()),
    byExternalId(client.payments.list()),
  ])
  // Read after the lists, so that what was deleted in between is in either.
  const deleted = {
    students: without(students, await byExternalId(client.students.deleted())),
    applications: without(applications, await byExternalId(client.applications.deleted())),
    payments: without(payments, await byExternalId(client.payments.deleted())),
  }
  return { students, applications, payments, deleted }
}

/** The students of the tenant, by externalId. */
export function readStudents(client: Client): Promise<Map<string, Student>> {
  return byExternalId(client.students.list())
}

async function byExternalId<Item extends { readonly externalId: string | null }>(
  list: AsyncIterable<Item>,
): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  for await (const record of list) if (record.externalId !== null) found.set(record.externalId, record)
  return found
}

/** Of what was deleted, what is not there again. */
function without(
  present: ReadonlyMap<string, unknown>,
  deleted: Map<string, DeletedRecord>,
): ReadonlyMap<string, DeletedRecord> {
  for (const externalId of present.keys()) deleted.delete(externalId)
  return deleted
}
