import type { Client } from './client.ts'
import type { Application, DeletedRecord, Payment, StoredRecord, Student } from './records.ts'

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
    readList<Application>(client, '/admissions/applications'),
    readList<Payment>(client, '/payments'),
  ])
  const deleted = {
    students: await readDeleted(client, '/students', students),
    applications: await readDeleted(client, '/admissions/applications', applications),
    payments: await readDeleted(client, '/payments', payments),
  }
  return { students, applications, payments, deleted }
}

/** The deleted records of a list, read after it, so that one which was deleted in between is in either. */
async function readDeleted(
  client: Client,
  path: string,
  present: ReadonlyMap<string, StoredRecord>,
): Promise<ReadonlyMap<string, DeletedRecord>> {
  const found = await readList<DeletedRecord>(client, `${path}/deleted`)
  for (const externalId of present.keys()) found.delete(externalId)
  return found
}

/** The students of the tenant, by externalId. */
export function readStudents(client: Client): Promise<Map<string, Student>> {
  return readList<Student>(client, '/students')
}

async function readList<Item extends { readonly externalId: string | null }>(
  client: Client,
  path: string,
): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  for await (const record of client.walk<Item>(path)) {
    if (record.externalId !== null) found.set(record.externalId, record)
  }
  return found
}
