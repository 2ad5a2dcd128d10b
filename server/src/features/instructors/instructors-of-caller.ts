import { type Sql, sql } from '../../database/index.ts'
import type { RecordEngine } from '../../record-engine/index.ts'

/** A query of the names of the instructors whose employee has the caller's user. */
export const instructorsOfCaller = ({ tx, caller }: RecordEngine): Sql => sql`
  select i.name from instructors i
    join employees e on e.tenant_id = i.tenant_id and e.name = i.employee
   where i.tenant_id = ${tx.tenantId} and e.user_id = ${caller.user}`
