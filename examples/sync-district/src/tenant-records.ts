import type { Client } from './client.ts'
import type { Application, Payment, StoredRecord } from './records.ts'

/** What the tenant has, by externalId. */
export interface TenantRecords {
  readonly students: Map<string, StoredRecord>
  readonly applications: Map<string, Application>
  readonly payments: Map<string, Payment>
}

/** Reads everything that the files can be about. Records without an externalId are somebody else's. */
export async function readTenant(client: Client): Promise<TenantRecords> {
  const [students, applications, payments] = await Promise.all([
    readList<StoredRecord>(client, '/students'),
    readList<Application>(client, '/admissions/applications'),
    readList<Payment>(client, '/payments'),
  ])
  return { students, applications, payments }
}

async function readList<Item extends StoredRecord>(client: Client, path: string): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  for await (const record of client.walk<Item>(path)) {
    if (record.externalId !== null) found.set(record.externalId, record)
  }
  return found
}
