import type pg from 'pg'
import { prepared } from '../pipeline/bounded-query.ts'
import { type Sql, type Statement, sql } from '../sql/statement.ts'

/** For whom a connection speaks, and where it finds the tables. */
export interface SessionContext {
  readonly tenantId: string
  /** At a node of a cluster: the schema that shows the shards of the tenant, or null where it goes through Citus. */
  readonly shards?: string | null | undefined
}

/** What tells a session for whom it speaks, until the end of the transaction or until it is told anew; `further` columns with it. */
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

/** Whether two are told the same. */
export function isSameSession(one: SessionContext | undefined, other: SessionContext): boolean {
  return one?.tenantId === other.tenantId && one.shards === other.shards
}

/** A statement as it is prepared for a voice: the columns of `*` are others where the shards are shown. */
export function preparedFor({ shards }: SessionContext, statement: Statement): pg.QueryConfig {
  const query = prepared(statement)
  return query.name !== undefined && typeof shards === 'string' ? { ...query, name: `${query.name}s` } : query
}
