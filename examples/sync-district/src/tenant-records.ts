import type { Client } from './client.ts'
import type { Application, Payment, StoredRecord, Student } from './records.ts'

/** What the tenant has, by externalId. */
export interface TenantRecords {
  readonly students: Map<string, Student>
  readonly applications: Map<string, Application>
  readonly payments: Map<string, Payment>
}

/** Reads everything that the files can be about. Records without an externalId are somebody else's. */
export async function readTenant(client: Client): Promise<TenantRecords> {
  const [students, applications, payments] = await Promise.all([
    readStudents(client),
    readList<Application>(client, '/admissions/applications'),
    readList<Payment>(client, '/payments'),
  ])
  return { students, applications, payments }
}

/** The students of the tenant, by externalId. */
export function readStudents(client: Client): Promise<Map<string, Student>> {
  return readList<Student>(client, '/students')
}

async function readList<Item extends StoredRecord>(client: Client, path: string): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  for await (const record of client.walk<Item>(path)) {
    if (record.externalId !== null) found.set(record.externalId, record)
  }
  return found
}
