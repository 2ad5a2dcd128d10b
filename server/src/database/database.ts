import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { AnswerTooLarge, mostBytesHeld, prepared, queryOn } from './bounded-query.ts'
import { cutOff, requestCancel } from './driver.ts'
import { asDatabaseError, isRetryable } from './errors.ts'
import { PipelinedReader } from './pipelined-reader.ts'
import { type RowBatches, readInBatches } from './row-batches.ts'
import { type Sql, sql } from './statement.ts'
import { valueTypes } from './value-types.ts'

/** Where the database is: an address or the parts of one. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string }

/** The role under which the service reads and writes. It owns nothing and row-level security binds it. */
export const serviceRole = 'matricula_service'

/** Something that runs statements inside a tenant's transaction. */
export interface Transaction {
  readonly tenantId: string
  query<Row extends object>(statement: Sql): Promise<Row[]>
  /** Sends a statement whose rows nobody waits for; its failure fails the commit. Saves a round trip. */
  send(statement: Sql): void
}

const sessionSettings = {
  role: serviceRole,
  timezone: 'UTC',
  datestyle: 'ISO',
  statement_timeout: '60s',
  idle_in_transaction_session_timeout: '60s',
}

/** The options of a `pg` client for the service's role, or for the owner of the tables where migrations run. */
export function clientOptions(connection: Connection, as: 'service' | 'owner', name = 'matricula'): pg.ClientConfig {
  const settings = as === 'service' ? sessionSettings : { timezone: 'UTC', datestyle: 'ISO' }
  return {
    ...connection,
    application_name: name,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
    types: valueTypes,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  }
}

/** The id of no tenant, for looks across all of them. */
export const noTenant = '00000000-0000-0000-0000-000000000000'

const mostAttempts = 4

/**
 * The tenants' data. Everything runs under the service's role with the tenant set for row-level security; reads of one
 * statement share pipelined connections, transactions have a connection for themselves.
 *
 * What a statement answers is held in memory up to 8 MiB, or what a read says; beyond that it fails with `AnswerTooLarge`.
 */
export class Database {
  readonly #pool: pg.Pool
  readonly #reader: PipelinedReader
  readonly #globalReader: PipelinedReader
  /** The tenant for which a connection of the pool reads outside of transactions. */
  readonly #tenants = new WeakMap<pg.PoolClient, string>()

  constructor(connection: Connection, options: { poolSize?: number; readers?: number } = {}) {
    const config = clientOptions(connection, 'service')
    this.#pool = new pg.Pool({ ...config, pipeline: true, max: options.poolSize ?? 10, idleTimeoutMillis: 60_000 })
    // A connection that breaks is replaced by the next one; whoever was using it learns it from the answer.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#reader = new PipelinedReader(config, options.readers ?? 2)
    this.#globalReader = new PipelinedReader(config, 1)
  }

  /**
   * Reads with one statement that is cheap whatever the tenant's size: it shares its connection with others. Where it lately
   * answered a tenant so much that the others had to wait, it is read slowly for a while.
   */
  read<Row extends object>(tenantId: string, statement: Sql, mostBytes = mostBytesHeld): Promise<Row[]> {
    if (this.#reader.isHeavy(tenantId, statement)) return this.readSlowly(tenantId, statement, mostBytes)
    return this.#reader.read(tenantId, statement, mostBytes)
  }

  /** Reads with one statement that may take its time, on a connection of its own, in one round trip. */
  async readSlowly<Row extends object>(tenantId: string, statement: Sql, mostBytes = mostBytesHeld): Promise<Row[]> {
    const client = await this.#connect()
    let broken = false
    try {
      const isSet = this.#tenants.get(client) === tenantId
      // Sent in the same tick. A transaction sets its own for itself, and this one is there again when it ends.
      const set = isSet
        ? null
        : queryOn(client, prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, false)`))
      const read = queryOn<Row>(client, prepared(statement), mostBytes)
      await Promise.allSettled([set, read])
      await set
      this.#tenants.set(client, tenantId)
      return (await read).rows
    } catch (error) {
      // Any error but a refused statement is one of the connection.
      broken = !(error instanceof pg.DatabaseError)
      throw asDatabaseError(error)
    } finally {
      this.#release(client, broken)
    }
  }

  /**
   * Reads what may be long, in batches that are fetched while they are used, in a read-only transaction on a connection of its
   * own: see `readInBatches`. The connection is free after the last row, when the reading is ended early, and as soon as
   * `signal` says so; the statement ends with it.
   */
  async *readRows<Row extends object>(tenantId: string, statement: Sql, signal?: AbortSignal): RowBatches<Row> {
    signal?.throwIfAborted()
    const client = await this.#connect()
    let broken = true
    const breakOff = () => this.#breakOff(client)
    signal?.addEventListener('abort', breakOff)
    try {
      signal?.throwIfAborted()
      yield* readInBatches<Row>(client, tenantId, statement)
      broken = false
    } catch (error) {
      if (error instanceof pg.DatabaseError) broken = !(await isRolledBack(client))
      throw asDatabaseError(error)
    } finally {
      signal?.removeEventListener('abort', breakOff)
      this.#release(client, broken)
    }
  }

  /**
   * Runs `work` in a transaction of the tenant and commits it. `work` may run again when the transaction lost against
   * another one, so it must do nothing but call `tx`.
   */
  async transaction<Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transactionOnce(tenantId, work)
      } catch (error) {
        if (attempt >= mostAttempts || !isRetryable(error)) throw error
        // Those that met once would meet again if they came back together.
        await setTimeout(Math.random() * 10 * attempt)
      }
    }
  }

  /** Reads what belongs to no tenant, such as the list of tenants, with one cheap statement. */
  readGlobal<Row extends object>(statement: Sql): Promise<Row[]> {
    return this.#globalReader.read(noTenant, statement, Number.POSITIVE_INFINITY)
  }

  /**
   * Runs `work` while holding a lock that only one process of the deployment can hold. Answers false, without running
   * it, when another one has it.
   */
  async withExclusiveLock(name: string, work: () => Promise<void>): Promise<boolean> {
    const client = await this.#connect()
    let broken = false
    try {
      const { rows } = await client.query(
        prepared(sql`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as held`),
      )
      if (!rows[0].held) return false
      try {
        await work()
      } finally {
        await client.query(prepared(sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`)).catch(() => {
          broken = true
        })
      }
      return true
    } catch (error) {
      throw asDatabaseError(error)
    } finally {
      client.release(broken)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#reader.close(), this.#globalReader.close()])
  }

  /** Gives a connection back, or closes one that may be in the middle of something. */
  #release(client: pg.PoolClient, broken: boolean): void {
    if (broken) this.#breakOff(client)
    client.release(broken)
  }

  /** Ends what a connection is doing, and the connection, without waiting for either. */
  #breakOff(client: pg.PoolClient): void {
    // A statement that computes would not notice before it has something to say.
    requestCancel(client)
    cutOff(client, new Error('Connection terminated'))
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw asDatabaseError(error)
    }
  }

  async #transactionOnce<Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    const sent: Promise<unknown>[] = []
    const send = (statement: Sql) => {
      const answer = queryOn(client, prepared(statement))
      answer.catch(() => {}) // reported at the commit
      sent.push(answer)
    }
    let broken = false
    try {
      const begun = client.query('begin')
      begun.catch(() => {})
      sent.push(begun)
      send(sql`select set_config('matricula.tenant_id', ${tenantId}, true)`)
      const tx: Transaction = {
        tenantId,
        query: async <Row extends object>(statement: Sql) => (await queryOn<Row>(client, prepared(statement))).rows,
        send,
      }
      const result = await work(tx)
      const commit = client.query('commit')
      commit.catch(() => {})
      await Promise.all(sent)
      // PostgreSQL answers a COMMIT of a failed transaction with ROLLBACK, not with an error.
      if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back')
      return result
    } catch (error) {
      broken = error instanceof AnswerTooLarge || !(await isRolledBack(client))
      throw asDatabaseError(error)
    } finally {
      this.#release(client, broken)
    }
  }
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}
