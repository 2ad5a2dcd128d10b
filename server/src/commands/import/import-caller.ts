import type { ImportCaller } from '../../features/imports/index.ts'
import { readCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { type Operator, operatorContext } from '../operator.ts'

/** The command line as who imports into a tenant. */
export async function importCaller({ database }: Operator, record: TenantRecord): Promise<ImportCaller> {
  const customFields = await readCustomFields((statement) => database.readSlowly(record.id, statement), record.id)
  const { actor, requestId, address } = operatorContext(record)
  return { tenant: { ...record, systemOfRecord: record.sorByDomain, customFields }, actor, requestId, address }
}
