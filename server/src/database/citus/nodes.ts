import pg from 'pg'
import { DatabaseUnavailable, DatabaseUnreachable } from '../database-errors.ts'
import { type Connection, noTenant } from '../pool/connection.ts'
import { Connections, type ConnectionsOptions } from '../pool/connections.ts'
import { sql } from '../sql/statement.ts'
import { GroupCommit } from '../transaction/group-commit.ts'
import { SharedWork } from '../transaction/shared-work.ts'
import { isCluster, loadLeadingShard, loadLocation } from './location.ts'
import { shardSchema, shardsAreElsewhere } from './shard-views.ts'

/** When it is asked again whether shards are shown that were not. */
const askAgainMilliseconds = 10_000

/**
 * The servers of a database. A PostgreSQL is one. Of a Citus cluster every node takes statements, and each tenant's go straight to
 * the node that has its rows: there a session, its settings, its locks and the numbers of its transactions mean what they mean on
 * one PostgreSQL, and no statement leaves the node. What belongs to no tenant goes to the coordinator.
 */
export class Nodes {
  /** The PostgreSQL, or the coordinator. */
  readonly main: Connections
  /** What is done for several who ask for the same at once. */
  readonly shared = new SharedWork()
  /** What of several is done in one transaction. */
  readonly groupCommit = new GroupCommit()
  readonly #connection: Connection
  readonly #options: ConnectionsOptions
  readonly #nodes = new Map<string, Connections>()
  readonly #ofTenants = new Map<string, Connections | Promise<Connections>>()
  readonly #shown = new Map<string, Promise<string | null>>()
  #isOne: boolean | undefined
  #isClosed = false

  constructor(connection: Connection, options: ConnectionsOptions) {
    this.#connection = connection
    this.#options = options
    this.main = new Connections(connection, options)
  }

  /** All of them that were used. */
  get all(): Connections[] {
    return [this.main, ...this.#nodes.values()]
  }

  /** The one that has the rows of a tenant. */
  of(tenantId: string): Connections | Promise<Connections> {
    if (this.#isOne === true || tenantId === noTenant) return this.main
    const known = this.#ofTenants.get(tenantId)
    if (known !== undefined) return known
    const finding = this.#find(tenantId).then(
      (node) => {
        if (node !== this.main) this.#ofTenants.set(tenantId, node)
        return node
      },
      (error) => {
        this.#ofTenants.delete(tenantId)
        throw error
      },
    )
    this.#ofTenants.set(tenantId, finding)
    return finding
  }

  /**
   * Whether an error says that the rows are on another node now, because the cluster was rebalanced. Then where tenants are is
   * looked up anew. Nothing was done: the service's role cannot log in, so that a node hands nothing on to another one for it.
   */
  haveMoved(error: unknown): boolean {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error
    const hasMoved =
      cause instanceof pg.DatabaseError &&
      (cause.code === shardsAreElsewhere || cause.message.startsWith('connection to the remote node'))
    if (hasMoved) {
      this.#ofTenants.clear()
      this.#shown.clear()
    }
    return hasMoved
  }

  /**
   * Forgets where the rows of a tenant are if the node is not reached: another one may take its place, under another address. It is not
   * tried again here, because what was under way may have been done.
   */
  recordFailure(tenantId: string, error: unknown): void {
    if (error instanceof DatabaseUnreachable) this.#ofTenants.delete(tenantId)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.all.map((node) => node.close()))
  }

  /** What `shownShards` says, asked once for all tenants whose rows are there, and again after a while where nothing is shown. */
  #shownAt(node: Connections, key: string, leadingShard: string): Promise<string | null> {
    const known = this.#shown.get(key)
    if (known !== undefined) return known
    const asked = shownShards(node, leadingShard)
    this.#shown.set(key, asked)
    const forget = () => this.#shown.get(key) === asked && this.#shown.delete(key)
    asked.then((shards) => shards === null && setTimeout(forget, askAgainMilliseconds).unref(), forget)
    return asked
  }

  async #find(tenantId: string): Promise<Connections> {
    const ask = this.main.readGlobal.bind(this.main)
    this.#isOne ??= !(await isCluster(ask))
    if (this.#isOne) return this.main
    const location = await loadLocation(ask, this.#connection, tenantId)
    const address = JSON.stringify(location)
    let node = this.#nodes.get(address)
    if (node === undefined) {
      node = new Connections(location, { ...this.#options, isNode: true })
      this.#nodes.set(address, node)
      if (this.#isClosed) await node.close()
    }
    const leadingShard = await loadLeadingShard(ask, tenantId)
    const shards = await this.#shownAt(node, `${address} ${leadingShard}`, leadingShard)
    node.goTo(tenantId, shards)
    if (shards === null) setTimeout(() => this.#ofTenants.delete(tenantId), askAgainMilliseconds).unref()
    return node
  }
}

/** The schema of a node that shows the shards of a tenant, or null where it does not show them. */
async function shownShards(node: Connections, leadingShard: string): Promise<string | null> {
  try {
    const [response] = await node.readGlobal<{ shown: boolean }>(
      sql`select show_shards(${leadingShard}::bigint) as shown`,
    )
    return response?.shown ? shardSchema(leadingShard) : null
  } catch (error) {
    // They are not to be shown while a migration goes on, or somebody uses a shard for long: it is asked again later.
    if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailable) return null
    throw error
  }
}
