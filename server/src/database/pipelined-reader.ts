import pg from 'pg'
import { BoundedQuery, prepared } from './bounded-query.ts'
import { asDatabaseError } from './errors.ts'
import { HeavyStatements } from './heavy-statements.ts'
import type { Sql } from './statement.ts'

/**
 * Single-statement reads over a few connections, many in flight on each.
 *
 * A connection answers in the order in which it was asked, so setting the tenant and the read that follows in the same
 * tick stay together, and a setting holds until the next one. Nothing here awaits between the two, and no transaction
 * ever runs on these connections.
 */
export class PipelinedReader {
  readonly #options: pg.ClientConfig
  readonly #lanes: Lane[]
  readonly #heavy = new HeavyStatements()
  #next = 0
  #closed = false

  constructor(options: pg.ClientConfig, lanes: number) {
    this.#options = { ...options, pipeline: true } as pg.ClientConfig
    this.#lanes = Array.from({ length: lanes }, () => ({ client: undefined, ready: undefined, tenantId: undefined }))
  }

  /** Whether a statement lately answered a tenant more than the others on its connection should wait for. */
  isHeavy(tenantId: string, statement: Sql): boolean {
    return this.#heavy.has(tenantId, statement)
  }

  async read<Row extends object>(tenantId: string, statement: Sql, mostBytes: number): Promise<Row[]> {
    this.#next = (this.#next + 1) % this.#lanes.length
    const lane = this.#lanes[this.#next] as Lane
    try {
      const client = lane.client ?? (await this.#open(lane))
      return await this.#readOn<Row>(lane, client, tenantId, statement, mostBytes)
    } catch (error) {
      throw asDatabaseError(error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      this.#lanes.map(async (lane) => {
        await lane.ready?.catch(() => {})
        await lane.client?.end()
      }),
    )
  }

  #readOn<Row extends object>(
    lane: Lane,
    client: pg.Client,
    tenantId: string,
    statement: Sql,
    mostBytes: number,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (lane.tenantId !== tenantId) {
        lane.tenantId = tenantId
        client.query(
          { name: 'set_tenant', text: `select set_config('matricula.tenant_id', $1, false)`, values: [tenantId] },
          (error: Error | undefined) => {
            // What follows then reads nothing, because its tenant predicate and the old setting do not agree.
            if (error) lane.tenantId = undefined
          },
        )
      }
      const query = new BoundedQuery<Row>(prepared(statement), { mostBytes, isShared: true }, (error, result) => {
        this.#heavy.note(tenantId, statement, query.bytes)
        if (error) reject(error)
        else resolve(result.rows)
      })
      client.query(query)
    })
  }

  #open(lane: Lane): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(new Error('Client was closed'))
    lane.ready ??= (async () => {
      const client = new pg.Client(this.#options)
      const forget = () => {
        if (lane.client === client) lane.client = undefined
      }
      client.on('error', forget)
      client.on('end', forget)
      try {
        await client.connect()
        lane.tenantId = undefined
        lane.client = client
        return client
      } finally {
        lane.ready = undefined
      }
    })()
    return lane.ready
  }
}

interface Lane {
  client: pg.Client | undefined
  ready: Promise<pg.Client> | undefined
  /** The tenant that the connection will speak for once everything sent so far is answered. */
  tenantId: string | undefined
}
