import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import type { CustomField } from '../../tenancy/custom-fields/index.ts'

/**
 * Advisory lock on a value of a custom field until the transaction ends; returns the ids of the records that have it,
 * at most two.
 */
export async function loadHolders(
  tx: Transaction,
  { id }: Pick<CustomField, 'id'>,
  value: string | number,
): Promise<string[]> {
  await takeAdvisoryLock(tx, `custom field ${id} ${value}`)
  const held = typeof value === 'number' ? sql`v.number_value = ${value}` : sql`v.text_value = ${value}`
  const holders = await tx.query<{ id: string }>(sql`
    select v.record_id as id from custom_field_values v
     where v.tenant_id = ${tx.tenantId} and v.field_id = ${id} and ${held} limit 2`)
  return holders.map((holder) => holder.id)
}
