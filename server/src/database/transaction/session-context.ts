import type pg from 'pg'
import { prepared } from '../pipeline/bounded-query.ts'
import { type Sql, type Statement, sql } from '../sql/statement.ts'

/** The session settings of a connection: its tenant (for row-level security), and where it finds the tables. */
export interface SessionContext {
  readonly tenantId: string
  /** At a node of a cluster: the schema that shows the shards of the tenant, or null where it goes through Citus. */
  readonly shards?: string | null | undefined
}

/** The statement that sets the session context, for the transaction or until it is set anew; it also reads `further` columns. */
export function setSession(
  { tenantId, shards }: SessionContext,
  until: 'its transaction ends' | 'told anew',
  further = sql``,
): Sql {
  const isLocal = until === 'its transaction ends'
  if (shards === undefined) return sql`select set_config('matricula.tenant_id', ${tenantId}, ${isLocal}) ${further}`
  const path = shards === null ? 'public' : `${shards}, public`
  // Citus finds the rows while it plans; shards are as the tables of one PostgreSQL.
  const planning = shards === null ? 'force_custom_plan' : isLocal ? 'auto' : 'force_generic_plan'
  return sql`
    select set_config('matricula.tenant_id', ${tenantId}, ${isLocal}), set_config('matricula.shards', ${shards ?? ''}, ${isLocal}),
           set_config('search_path', ${path}, ${isLocal}), set_config('plan_cache_mode', ${planning}, ${isLocal}) ${further}`
}

/** Whether two session contexts are equal. */
export function isSameSession(one: SessionContext | undefined, other: SessionContext): boolean {
  return one?.tenantId === other.tenantId && one.shards === other.shards
}

/** The prepared statement for a session context: the columns of `*` differ where the shards are visible. */
export function preparedFor({ shards }: SessionContext, statement: Statement): pg.QueryConfig {
  const query = prepared(statement)
  return query.name !== undefined && typeof shards === 'string' ? { ...query, name: `${query.name}s` } : query
}
