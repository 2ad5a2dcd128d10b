import type pg from 'pg'
import { asDatabaseError, isAfterFailure, isLast, unreachable } from '../database-errors.ts'
import { ConcurrencyWindow } from '../pool/concurrency-window.ts'
import { cutOff } from '../pool/driver.ts'
import type { PoolPartition } from '../pool/pool-partition.ts'
import type { Statement } from '../sql/statement.ts'
import type { Cancellation } from '../transaction/cancellation.ts'
import { isSameSession, preparedFor, type SessionContext, setSession } from '../transaction/session-context.ts'
import { BoundedQuery, type Done } from './bounded-query.ts'
import { KeyedQuery } from './keyed-query.ts'
import { joinOthers, sendAlone, sendAmongOthers, takesOneMore } from './pipeline-batch.ts'
import { RecentStatements } from './recent-statements.ts'
import { RowClient } from './row-client.ts'

/**
 * The reads in one pipeline batch, whose results arrive together: sharing a batch saves the server and this process a system call and a
 * wake-up each. In a larger one the first reads would wait for the last, and the server for the next batch.
 */
const batchSize = 4

/** The same if the first read has a small result, so that its fixed cost dominates. */
const shortBatchSize = 8

/** The same if at least `busyReads` are in progress, which keep the server busy meanwhile. */
const busyBatchSize = 12
const busyReads = 20

/** The same if one statement reads all of them. */
const keyedBatchSize = 24

const heavyBytes = 512 * 1024

/**
 * Single-statement reads over a few connections, many in flight on each.
 *
 * A connection processes statements in the order in which they are sent, so setting the tenant and the read that follows in the
 * same tick stay together, and a setting holds until the next one. Nothing here awaits between the two, and no transaction
 * ever runs on these connections. The pool partition limits the reads in progress of each tenant, so that one tenant's many reads
 * wait in its own queue and not ahead of another tenant's on the connection.
 */
export class PipelinedReader {
  readonly #options: pg.ClientConfig
  readonly #partition: PoolPartition | null
  readonly #watch: (client: pg.Client) => void
  readonly #lanes: Lane[]
  /** Statements with such large results that the transfer took more than a few milliseconds. */
  readonly #heavy = new RecentStatements()
  /** The reads in progress. */
  readonly #window = new ConcurrencyWindow()
  #next = 0
  #closed = false

  constructor(
    options: pg.ClientConfig,
    lanes: number,
    partition: PoolPartition | null,
    watch: (client: pg.Client) => void,
    settings: readonly string[],
  ) {
    const all = [options.options ?? '', ...settings.map((setting) => `-c ${setting}`)].join(' ')
    this.#options = { ...options, options: all, pipeline: true } as pg.ClientConfig
    this.#partition = partition
    this.#watch = watch
    this.#lanes = Array.from({ length: lanes }, () => ({
      client: undefined,
      ready: undefined,
      opening: undefined,
      session: undefined,
      setting: undefined,
    }))
  }

  /** Whether a statement recently returned more to a tenant than others on the connection should wait for. */
  isHeavy(tenantId: string, statement: Statement): boolean {
    return this.#heavy.has(tenantId, statement)
  }

  /** Reads up to `maxBytes`. Throws `Cancelled` for a read that is cancelled while it waits in the queue. */
  read<Row extends object>(
    session: SessionContext,
    statement: Statement,
    maxBytes: number,
    use: Cancellation = {},
  ): Promise<Row[]> {
    try {
      const entering = this.#partition?.enter(session.tenantId, use)
      if (entering === undefined) return this.#readNow<Row>(session, statement, maxBytes)
      return entering.then(() => this.#readNow<Row>(session, statement, maxBytes))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Creates one promise only: each further one costs as much as writing the response. */
  #readNow<Row extends object>(session: SessionContext, statement: Statement, maxBytes: number): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#window.enter()
      const lane = this.#takeLane()
      const reading: Reading<Row> = {
        session,
        statement,
        maxBytes,
        isAlone: false,
        done: (error, rows) => {
          // A read skipped because another one in its batch failed is sent again separately.
          if (!reading.isAlone && isAfterFailure(error)) return this.#send(lane, { ...reading, isAlone: true })
          this.#window.leave()
          this.#partition?.leave(session.tenantId)
          if (error) reject(asDatabaseError(error))
          else resolve(rows)
        },
      }
      this.#send(lane, reading)
    })
  }

  #send<Row extends object>(lane: Lane, reading: Reading<Row>): void {
    const fail = (error: unknown) => reading.done(error, [])
    if (lane.client === undefined) {
      this.#open(lane)
        .then((client) => this.#readOn(lane, client, reading))
        .catch(fail)
      return
    }
    try {
      this.#readOn(lane, lane.client, reading)
    } catch (error) {
      fail(error)
    }
  }

  #getBatchSize<Row extends object>(query: BoundedQuery<Row>): number {
    if (query instanceof KeyedQuery) return keyedBatchSize
    const { max } = this.#window
    if (max >= busyReads) return busyBatchSize
    // With few reads, the server processes one half while this process handles the other.
    return query.isShort ? Math.min(shortBatchSize, Math.max(batchSize, Math.ceil(max / 2))) : batchSize
  }

  /** Abandons connections that are being opened. */
  abandon(error: Error): void {
    for (const { opening } of this.#lanes) if (opening !== undefined) cutOff(opening, error)
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

  /** The next connection: the previous one as long as its pipeline batch has room. */
  #takeLane(): Lane {
    const { client } = this.#lanes[this.#next] as Lane
    if (client === undefined || !takesOneMore(client)) this.#next = (this.#next + 1) % this.#lanes.length
    return this.#lanes[this.#next] as Lane
  }

  #readOn<Row extends object>(lane: Lane, client: pg.Client, reading: Reading<Row>): void {
    const { session, statement, maxBytes, isAlone, done } = reading
    const options = { maxBytes, isShared: true }
    if (!isSameSession(lane.session, session)) {
      const setting: SessionSetting = { error: undefined }
      lane.session = session
      lane.setting = setting
      const query = preparedFor(session, setSession(session, 'told anew'))
      const setSessionQuery = new BoundedQuery(client, query, options, (error) => {
        setting.error = error
        if (error && lane.setting === setting) lane.session = undefined
      })
      sendAlone(client, setSessionQuery)
    }
    const { setting } = lane
    const { tenantId } = session
    const { keyed } = statement
    const hear: Done<Row> = (error, { rows, bytes }) => {
      if (bytes >= heavyBytes) this.#heavy.add(tenantId, statement)
      // The server closes the connection after it, which is noticed a moment later: what is sent until then would be lost as well.
      if (error && isLast(error) && lane.client === client) lane.client = undefined
      // If setting the session failed, the tenant predicate and the old setting disagree, and nothing was found.
      done(error ?? setting?.error, rows)
    }
    if (keyed !== undefined && !isAlone && joinOthers(client, { tenantId, statement, done: hear })) return
    const query =
      keyed === undefined
        ? new BoundedQuery<Row>(client, preparedFor(session, statement), options, hear)
        : new KeyedQuery<Row>(client, session, statement, keyed, options, hear)
    if (isAlone) sendAlone(client, query)
    else sendAmongOthers(client, query, this.#getBatchSize(query))
  }

  #open(lane: Lane): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(unreachable())
    lane.ready ??= (async () => {
      const client = new RowClient(this.#options)
      const forget = () => {
        if (lane.client === client) lane.client = undefined
      }
      client.on('error', forget)
      client.on('end', forget)
      lane.opening = client
      try {
        await client.connect()
        this.#watch(client)
        lane.session = undefined
        lane.client = client
        return client
      } finally {
        lane.ready = undefined
        lane.opening = undefined
      }
    })()
    return lane.ready
  }
}

/** A read in progress. */
interface Reading<Row extends object> {
  readonly session: SessionContext
  readonly statement: Statement
  readonly maxBytes: number
  /** Whether it has a pipeline batch of its own. */
  readonly isAlone: boolean
  readonly done: (error: unknown, rows: Row[]) => void
}

interface Lane {
  client: pg.Client | undefined
  ready: Promise<pg.Client> | undefined
  /** The client that is being connected. */
  opening: pg.Client | undefined
  /** The session context after everything sent so far, and the outcome of setting it. */
  session: SessionContext | undefined
  setting: SessionSetting | undefined
}

/** The outcome of setting the session context. */
interface SessionSetting {
  error: Error | undefined
}
