import type { Disclosure } from '../../changes/index.ts'
import { type Database, sql } from '../../database/index.ts'

/** Takes entries, as `DisclosureLog` does. */
type Add = (disclosure: Disclosure) => Promise<void> | undefined

/** Records that everything about every student, applicant and contact of an institution was shown, read at once in parts. */
export async function discloseEverybody(
  database: Database,
  add: Add,
  shown: Pick<Disclosure, 'context' | 'surface' | 'operation' | 'filter'>,
): Promise<void> {
  const { id } = shown.context.tenant
  const people = sql`
    select id from students where tenant_id = ${id} union all select id from admission_applications where tenant_id = ${id}
    union all select id from contacts where tenant_id = ${id}`
  const disclosed = { recordType: 'person', fieldGroup: 'everything' } as const
  for await (const batch of database.readRows<{ id: string }>(id, people)) {
    const ids = batch.map((row) => row.id)
    await add({ ...shown, disclosed, ids, count: ids.length })
  }
}
