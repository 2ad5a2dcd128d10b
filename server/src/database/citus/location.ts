import { setTimeout } from 'node:timers/promises'
import { movedNow } from '../database-errors.ts'
import type { Connection } from '../pool/connection.ts'
import { type Sql, sql } from '../sql/statement.ts'

/** Runs a statement that belongs to no tenant. */
export type Ask = <Row extends object>(statement: Sql) => Promise<Row[]>

/** A table by which the node of a tenant is found. All that are distributed are placed alike. */
export const leadingTable = 'api_keys'

/** Whether the database is a Citus cluster whose tables are distributed. */
export async function isCluster(ask: Ask): Promise<boolean> {
  const [citus] = await ask(sql`select 1 as found from pg_extension where extname = 'citus'`)
  if (citus === undefined) return false
  const [table] = await ask(
    sql`select 1 as found from pg_dist_partition where logicalrelid = to_regclass(${`public.${leadingTable}`})`,
  )
  return table !== undefined
}

/** How often a place is looked for that is not told, and how long it is waited in between, in milliseconds. */
const [maxLooks, pauseBetween] = [20, 50]

/** How a cluster's node that has the rows of a tenant is reached. Throws `DatabaseUnavailable` while that is not settled. */
export async function loadLocation(ask: Ask, connection: Connection, tenantId: string): Promise<Connection> {
  for (let looks = 1; ; looks += 1) {
    const [node] = await ask<{ host: string; port: number }>(sql`
      select n.nodename as host, n.nodeport as port
        from pg_dist_placement p
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       where p.shardid = get_shard_id_for_distribution_column(${leadingTable}, ${tenantId}::uuid)`)
    if (node !== undefined) return onNode(connection, node)
    // Where a part was divided just now, its number and the places are not as of one moment.
    if (looks === maxLooks) throw movedNow()
    await setTimeout(pauseBetween)
  }
}

/** The number of the shard of the leading table that has the rows of a tenant: all others of the tenant are placed with it. */
export async function loadLeadingShard(ask: Ask, tenantId: string): Promise<string> {
  const [row] = await ask<{ shard: string }>(
    sql`select get_shard_id_for_distribution_column(${leadingTable}, ${tenantId}::uuid)::text as shard`,
  )
  if (row === undefined) throw new Error('no shard of the cluster has the rows of this tenant')
  return row.shard
}

/** The same database on another node. */
export function onNode(connection: Connection, { host, port }: { host: string; port: number }): Connection {
  if (!('connectionString' in connection)) return { ...connection, host, port }
  const address = new URL(connection.connectionString)
  address.hostname = host.includes(':') ? `[${host}]` : host
  address.port = String(port)
  return { connectionString: address.href }
}
