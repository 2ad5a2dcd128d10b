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
 * So many reads go in one flight, and are answered in one piece: each that goes with others saves the server and this process a system
 * call and a waking. More would let the first ones wait for the last, and the server for the next flight.
 */
const together = 4

/** And so many where the first of them answers little: then what each costs by itself is most of what it costs. */
const togetherIfShort = 8

/** And so many where so many more are on their way that the server has enough to do meanwhile. */
const togetherInCrowd = 12
const crowded = 20

/** And so many where one statement reads all of them. */
const togetherByKey = 24

const heavyBytes = 512 * 1024

/**
 * Single-statement reads over a few connections, many in flight on each.
 *
 * A connection answers in the order in which it was asked, so setting the tenant and the read that follows in the same
 * tick stay together, and a setting holds until the next one. Nothing here awaits between the two, and no transaction
 * ever runs on these connections. The room bounds what is on its way of each tenant, so that one tenant's many reads stay
 * in its own line and not before another one's on the connection.
 */
export class PipelinedReader {
  readonly #options: pg.ClientConfig
  readonly #partition: PoolPartition | null
  readonly #watch: (client: pg.Client) => void
  readonly #lanes: Lane[]
  /** Those that answered so much that it took more than a few milliseconds to bring it over. */
  readonly #heavy = new RecentStatements()
  /** The reads that are on their way. */
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
      voice: undefined,
      told: undefined,
    }))
  }

  /** Whether a statement lately answered a tenant more than the others on its connection should wait for. */
  isHeavy(tenantId: string, statement: Statement): boolean {
    return this.#heavy.has(tenantId, statement)
  }

  /** Reads up to so many bytes; drops a read that nobody wants any more while it waits in line (`Cancelled`). */
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

  /** One promise is all that it makes: each one more that passes on what it hears costs as much as to write the answer. */
  #readNow<Row extends object>(session: SessionContext, statement: Statement, maxBytes: number): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#window.enter()
      const lane = this.#takeLane()
      const reading: Reading<Row> = {
        voice: session,
        statement,
        maxBytes,
        isAlone: false,
        done: (validationError, rows) => {
          // What was not done because another's failed before it is read by itself.
          if (!reading.isAlone && isAfterFailure(validationError))
            return this.#send(lane, { ...reading, isAlone: true })
          this.#window.leave()
          this.#partition?.leave(session.tenantId)
          if (validationError) reject(asDatabaseError(validationError))
          else resolve(rows)
        },
      }
      this.#send(lane, reading)
    })
  }

  #send<Row extends object>(lane: Lane, reading: Reading<Row>): void {
    const fail = (validationError: unknown) => reading.done(validationError, [])
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

  #maxTogether<Row extends object>(query: BoundedQuery<Row>): number {
    if (query instanceof KeyedQuery) return togetherByKey
    const { most: max } = this.#window
    if (max >= crowded) return togetherInCrowd
    // Of a few the server has one half while this process has the other.
    return query.isShort ? Math.min(togetherIfShort, Math.max(together, Math.ceil(max / 2))) : together
  }

  /** Gives up connections that are being made. */
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

  /** The connection that is next: the one before as long as what is sent over it takes one more. */
  #takeLane(): Lane {
    const { client } = this.#lanes[this.#next] as Lane
    if (client === undefined || !takesOneMore(client)) this.#next = (this.#next + 1) % this.#lanes.length
    return this.#lanes[this.#next] as Lane
  }

  #readOn<Row extends object>(lane: Lane, client: pg.Client, reading: Reading<Row>): void {
    const { voice: session, statement, maxBytes, isAlone, done } = reading
    const options = { maxBytes, isShared: true }
    if (!isSameSession(lane.voice, session)) {
      const reported: ReaderSession = { fault: undefined }
      lane.voice = session
      lane.told = reported
      const query = preparedFor(session, setSession(session, 'told anew'))
      const tell = new BoundedQuery(client, query, options, (error) => {
        reported.fault = error
        if (error && lane.told === reported) lane.voice = undefined
      })
      sendAlone(client, tell)
    }
    const { told: reported } = lane
    const { tenantId } = session
    const { keyed } = statement
    const hear: Done<Row> = (error, { rows, bytes }) => {
      if (bytes >= heavyBytes) this.#heavy.add(tenantId, statement)
      // The server hangs up behind it, which is noticed a moment later: what is sent until then would be lost as well.
      if (error && isLast(error) && lane.client === client) lane.client = undefined
      // Without it the tenant predicate and the old setting do not agree, and nothing is found.
      done(error ?? reported?.fault, rows)
    }
    if (keyed !== undefined && !isAlone && joinOthers(client, { tenantId, statement, done: hear })) return
    const query =
      keyed === undefined
        ? new BoundedQuery<Row>(client, preparedFor(session, statement), options, hear)
        : new KeyedQuery<Row>(client, session, statement, keyed, options, hear)
    if (isAlone) sendAlone(client, query)
    else sendAmongOthers(client, query, this.#maxTogether(query))
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
        lane.voice = undefined
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

/** A read that is on its way. */
interface Reading<Row extends object> {
  readonly voice: SessionContext
  readonly statement: Statement
  readonly maxBytes: number
  /** Whether it goes in a flight of its own. */
  readonly isAlone: boolean
  readonly done: (validationError: unknown, rows: Row[]) => void
}

interface Lane {
  client: pg.Client | undefined
  ready: Promise<pg.Client> | undefined
  /** The client that is being connected. */
  opening: pg.Client | undefined
  /** For whom the connection will speak once everything sent so far is answered, and what came of telling it so. */
  voice: SessionContext | undefined
  told: ReaderSession | undefined
}

interface ReaderSession {
  fault: Error | undefined
}
