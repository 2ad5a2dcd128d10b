import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { asDatabaseError, isRetryable } from './errors.ts'
import { PipelinedReader } from './pipelined-reader.ts'
import { preparedName, type Sql, sql } from './statement.ts'
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

  /** Reads with one statement that is cheap whatever the tenant's size: it shares its connection with others. */
  read<Row extends object>(tenantId: string, statement: Sql): Promise<Row[]> {
    return this.#reader.read(tenantId, statement)
  }

  /** Reads with one statement that may take its time, on a connection of its own, in one round trip. */
  async readSlowly<Row extends object>(tenantId: string, statement: Sql): Promise<Row[]> {
    const client = await this.#connect()
    let broken = false
    try {
      const isSet = this.#tenants.get(client) === tenantId
      // Sent in the same tick. A transaction sets its own for itself, and this one is there again when it ends.
      const set = isSet
        ? null
        : client.query(prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, false)`))
      const read = client.query<Row>(prepared(statement))
      await Promise.allSettled([set, read])
      await set
      this.#tenants.set(client, tenantId)
      return (await read).rows
    } catch (error) {
      // Any error but a refused statement is one of the connection.
      broken = !(error instanceof pg.DatabaseError)
      throw asDatabaseError(error)
    } finally {
      client.release(broken)
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
    return this.#globalReader.read(noTenant, statement)
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
      const answer = client.query(prepared(statement))
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
        query: async <Row extends object>(statement: Sql) => (await client.query<Row>(prepared(statement))).rows,
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
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw asDatabaseError(error)
    } finally {
      client.release(broken)
    }
  }
}

/** A statement as `pg` takes it, under a name so that it is parsed once per connection. */
export function prepared(statement: Sql): pg.QueryConfig {
  const text = statement.text
  const name = preparedName(text)
  return name === undefined ? { text, values: statement.values } : { name, text, values: statement.values }
}
