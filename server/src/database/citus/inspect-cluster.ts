import type pg from 'pg'
import { serviceRole } from '../pool/connection.ts'

/** A node of a cluster as it says of itself; null where it does not answer. */
interface NodeFacts {
  readonly node: string
  readonly facts: {
    /** Two-phase commits that nobody ended for minutes: Citus ends those of its own within one. */
    readonly leftBehind: number
    readonly roleMayLogIn: boolean
    readonly hasStampFloor: boolean
  } | null
}

/** What a look at a cluster found. */
export interface ClusterProblems {
  readonly isCluster: boolean
  /** Whether every node answers, so that a statement may go to all of them. */
  readonly isWhole: boolean
  readonly errors: readonly string[]
}

/**
 * What is amiss with a cluster, each with what to do; nothing where the database is a PostgreSQL. A two-phase commit that stays
 * keeps its rows locked and sweeps at the beginning.
 */
export async function loadClusterErrors(client: pg.ClientBase): Promise<ClusterProblems> {
  const { rows: citus } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (citus.length === 0) return { isCluster: false, isWhole: true, errors: [] }
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select n.nodename || ':' || n.nodeport as node, a.success, a.result
       from run_command_on_all_nodes($1, give_warning_for_connection_errors => true) a
       join pg_dist_node n on n.nodeid = a.nodeid
      order by 1`,
    [
      `select json_build_object(
         'leftBehind', (select count(*) from pg_prepared_xacts where prepared < now() - interval '3 minutes'),
         'roleMayLogIn', (select coalesce(bool_or(rolcanlogin), false) from pg_roles where rolname = '${serviceRole}'),
         'hasStampFloor', to_regclass('public.stamp_floor') is not null)`,
    ],
  )
  const nodes: NodeFacts[] = rows.map(({ node, success, result }) => ({
    node,
    facts: success ? JSON.parse(result) : null,
  }))
  const isWhole = nodes.every(({ facts }) => facts !== null)
  return { isCluster: true, isWhole, errors: nodes.flatMap(getErrors) }
}

function getErrors({ node, facts }: NodeFacts): string[] {
  if (facts === null) return [`The node ${node} does not answer: its tenants are refused with 503 until it does.`]
  const errors: string[] = []
  if (facts.leftBehind > 0) {
    errors.push(
      `The node ${node} has ${facts.leftBehind} prepared transactions that nobody ended. See pg_prepared_xacts there, and ` +
        'select recover_prepared_transactions() at the coordinator.',
    )
  }
  if (facts.roleMayLogIn) {
    errors.push(
      `The role ${serviceRole} can log in at ${node}, so that statements may leave it. Run: alter role ${serviceRole} nologin`,
    )
  }
  if (!facts.hasStampFloor) errors.push(`The node ${node} was added since the last migration. Run: matricula migrate`)
  return errors
}
