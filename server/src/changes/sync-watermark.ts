import { type Database, sql } from '../database/index.ts'

/** An older watermark is a safe one, so it may be shared for a moment. */
const shareMilliseconds = 200

/**
 * The stamp to send as `updatedSince` next time: every change that a reader cannot see yet will be stamped at or after
 * it, because a change is stamped after its transaction began, and the oldest open transaction bounds it.
 */
export class SyncWatermark {
  readonly #database: Database
  /** By the server that has the rows of the tenant: each has sessions and a floor of its own. */
  readonly #taken = new WeakMap<object, { readonly stamp: Promise<string>; readonly at: number }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Take it before the page of the tenant is read. */
  current(tenantId: string): Promise<string> {
    const server = this.#database.getServer(tenantId)
    return server instanceof Promise ? server.then((found) => this.#at(found, tenantId)) : this.#at(server, tenantId)
  }

  #at(server: object, tenantId: string): Promise<string> {
    const now = performance.now()
    const taken = this.#taken.get(server)
    if (taken !== undefined && now - taken.at <= shareMilliseconds) return taken.stamp
    const stamp = this.#read(tenantId)
    this.#taken.set(server, { stamp, at: now })
    stamp.catch(() => this.#taken.delete(server))
    return stamp
  }

  async #read(tenantId: string): Promise<string> {
    const [row] = await this.#database.readGlobal<{ stamp: string }>(
      sql`select date_trunc('milliseconds', sync_watermark()) as stamp`,
      tenantId,
    )
    return row?.stamp as string
  }
}
