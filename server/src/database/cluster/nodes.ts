import pg from 'pg'
import { type Connection, noTenant } from '../connection.ts'
import { Connections, type ConnectionsOptions } from '../connections.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { isCluster, placeOf } from './place.ts'

/**
 * The servers of a database. A PostgreSQL is one. Of a Citus cluster every node takes statements, and each tenant's go straight to
 * the node that has its rows: there a session, its settings, its locks and the numbers of its transactions mean what they mean on
 * one PostgreSQL, and no statement leaves the node. What belongs to no tenant goes to the coordinator.
 */
export class Nodes {
  /** The PostgreSQL, or the coordinator. */
  readonly main: Connections
  readonly #connection: Connection
  readonly #options: ConnectionsOptions
  readonly #nodes = new Map<string, Connections>()
  readonly #ofTenants = new Map<string, Connections | Promise<Connections>>()
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
    const hasMoved = cause instanceof pg.DatabaseError && cause.message.startsWith('connection to the remote node')
    if (hasMoved) this.#ofTenants.clear()
    return hasMoved
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.all.map((node) => node.close()))
  }

  async #find(tenantId: string): Promise<Connections> {
    const ask = this.main.readGlobal.bind(this.main)
    this.#isOne ??= !(await isCluster(ask))
    if (this.#isOne) return this.main
    const place = await placeOf(ask, this.#connection, tenantId)
    const address = JSON.stringify(place)
    let node = this.#nodes.get(address)
    if (node === undefined) {
      node = new Connections(place, { ...this.#options, isNode: true })
      this.#nodes.set(address, node)
      if (this.#isClosed) await node.close()
    }
    return node
  }
}
