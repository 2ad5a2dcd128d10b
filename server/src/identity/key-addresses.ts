import { recordAccess } from '../changes/index.ts'
import { type Database, sql } from '../database/index.ts'
import type { Credentials } from '../tenancy/index.ts'
import { getNetwork } from '../values/index.ts'

/**
 * Records that a key was used from an address, with an audit row for a new one. IPv6 addresses count by network,
 * because everybody has countless addresses in theirs.
 */
export async function recordKeyAddress(database: Database, credentials: Credentials, address: string): Promise<void> {
  const { tenant, apiKeyId, apiKeyName } = credentials
  await database.for({ partition: 'notes', signal: null }).transaction(tenant.id, async (tx) => {
    const [added] = await tx.query(sql`
      insert into api_key_addresses (tenant_id, api_key_id, address)
      values (${tenant.id}, ${apiKeyId}, ${getNetwork(address)})
      on conflict (tenant_id, api_key_id, address) do nothing
      returning address`)
    if (added === undefined) return
    const actor = { type: 'api_key', id: apiKeyId, name: apiKeyName } as const
    const entity = { entityType: 'api_key', entityId: apiKeyId } as const
    const access = { action: 'api_key.used_from_new_address', ...entity, facts: { address: getNetwork(address) } }
    recordAccess(tx, { actor, requestId: null, address }, access)
  })
}
