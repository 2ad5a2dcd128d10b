import { sql } from '../../../database/index.ts'
import type { Job } from '../../../jobs/index.ts'
import { type Caller, RecordEngine, type RecordRegistry } from '../../../record-engine/index.ts'
import { readCustomFields } from '../../../tenancy/custom-fields/index.ts'
import { offerPlaces } from './offers.ts'

interface JobPlatform {
  readonly registry: RecordRegistry
  readonly sendsMail: boolean
}

/** Once an hour: offers lapse with their last day, and a place is free when a membership ends or a student leaves. */
export function waitingListJob({ registry, sendsMail }: JobPlatform): Job {
  return {
    name: 'waiting-lists',
    everySeconds: 3600,
    run: async (database, tenant, hasTime = () => true) => {
      const groups = await database.transaction(tenant.id, (tx) =>
        tx.query<{ name: string }>(sql`
          select distinct student_group as name from waiting_list_entries
           where tenant_id = ${tx.tenantId} and status in ('Waiting', 'Offered') order by name`),
      )
      if (groups.length === 0) return
      const customFields = await readCustomFields((statement) => database.read(tenant.id, statement), tenant.id)
      const caller: Caller = {
        tenant: { ...tenant, systemOfRecord: tenant.sorByDomain, customFields },
        kind: 'key',
        user: 'Administrator',
        fullName: 'Waiting lists',
        roles: new Set(['System Manager']),
        actor: { type: 'system', id: null, name: 'waiting lists' },
        requestId: null,
        address: null,
      }
      for (const { name } of groups) {
        if (!hasTime()) return
        await database.transaction(tenant.id, (tx) =>
          offerPlaces(new RecordEngine(tx, caller, registry, { database, sendsMail }), name),
        )
      }
    },
  }
}
