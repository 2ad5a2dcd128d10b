import { changedFields, recordChanges } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { operatorContext } from '../operator.ts'

/** The audit row and the event of a tenant that was made or changed; none where it is as before. */
export function recordTenant(tx: Transaction, before: TenantRecord | null, after: TenantRecord): void {
  if (changedFields(before, after).length === 0) return
  const type = before === null ? 'tenant.created' : 'tenant.updated'
  recordChanges(tx, operatorContext(after), [{ type, entityType: 'tenant', entityId: after.id, before, after }])
}
