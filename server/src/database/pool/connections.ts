import pg from 'pg'
import { asDatabaseError, isOverTime, unreachable } from '../database-errors.ts'
import { PipelinedReader } from '../pipeline/pipelined-reader.ts'
import type { Slots } from '../pipeline/row-batches.ts'
import { RowClient } from '../pipeline/row-client.ts'
import { type Brevity, BriefStatements, usualBrevity } from '../pipeline/statement-timeouts.ts'
import type { Statement } from '../sql/statement.ts'
import type { Cancellation } from '../transaction/cancellation.ts'
import type { SessionContext } from '../transaction/session-context.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { requireOutsideTransaction } from '../transaction/within-transaction.ts'
import { type Connection, clientOptions, isEmbedded, noTenant } from './connection.ts'
import { cutOff, getSocket, stepBack } from './driver.ts'
import { ExclusiveLocks } from './exclusive-locks.ts'
import { FailureCounts } from './failure-counts.ts'
import { HealthProbe } from './health-probe.ts'
import { Lease } from './lease.ts'
import {
  allParts,
  getConnections,
  getStates,
  isPatient,
  openPartitions,
  type PartitionName,
  type Partitions,
} from './partitions.ts'
import type { PartitionState } from './pool-partition.ts'
import { Rests, restAfter, TenantContention } from './tenant-contention.ts'

/** How many connections a process takes for itself, and what it watches over. */
export interface ConnectionsOptions {
  /** The most connections that its rooms may take together; 34 unless given. */
  readonly connections?: number
  /** Connections that cheap reads share; two unless given. */
  readonly readers?: number
  /** Whether brief reads share one, which they do unless told otherwise. */
  readonly hasBriefReader?: boolean
  /** How long what shares a connection may take; for tests, of which others run beside. */
  readonly brevity?: Brevity
  /** Hears that the database hangs, and that it goes on. */
  readonly onHang?: (hangs: boolean) => void
  /** Refuses to take a second connection inside a transaction. For tests: it costs time at every await. */
  readonly forbidsNesting?: boolean
  /** Gives what the work of a transaction uses in its place. For tests that watch what it does. */
  readonly watchTransaction?: (tx: Transaction) => Transaction
  /** Whether it is a node of a cluster, where each statement is planned for the tenant that it is for. */
  readonly isNode?: boolean
}

/** For whom a connection is taken, where, and until when it is wanted. */
export interface Lending {
  readonly tenantId: string
  readonly partition: PartitionName
  readonly use: Cancellation
}

/** A node of a cluster finds the tenant's rows while it plans. */
const planOnNode = 'plan_cache_mode=force_custom_plan'

/**
 * What is cheap costs the same whatever it is asked and whatever there is: it needs no plan of its own, and no whole table. Workers are
 * for nobody on a shared connection: to start them takes milliseconds, and a plan that knows no values expects a third of a tenant's records
 * behind any stamp.
 */
const cheapSettings = ['enable_seqscan=off', 'max_parallel_workers_per_gather=0']
const briefSettings = ({ whileContended }: Brevity) => [
  `statement_timeout=${whileContended}`,
  'max_parallel_workers_per_gather=0',
]

/** All connections of a process to its database: the rooms, the shared readers, and the watch over whether it is there. */
export class Connections {
  readonly locks: ExclusiveLocks
  readonly counts = new FailureCounts()
  readonly forbidsNesting: boolean
  readonly watchTransaction: ConnectionsOptions['watchTransaction']
  readonly #reader: PipelinedReader
  readonly #globalReader: PipelinedReader
  readonly #briefReader: PipelinedReader | null
  readonly #brief: BriefStatements
  /** Of the rooms where somebody waits for each answer. */
  readonly #pool: pg.Pool
  /** Of the rooms where work takes as long as it takes. */
  readonly #patientPool: pg.Pool
  readonly #partitions: Partitions
  readonly #contention = new TenantContention()
  readonly #isNode: boolean
  /** The schemas that show the shards of tenants, where it is a node of a cluster that shows them. */
  readonly #shards = new Map<string, string>()
  readonly #healthProbe: HealthProbe
  readonly #clients = new Set<pg.ClientBase>()
  /** What waits for a connection to be made, and how to fail it. */
  readonly #connecting = new Set<(error: Error) => void>()
  #hasSpoken = false

  constructor(connection: Connection, options: ConnectionsOptions) {
    const {
      connections = allParts,
      readers = 2,
      hasBriefReader = true,
      forbidsNesting = false,
      watchTransaction,
      onHang,
      isNode = false,
      brevity = usualBrevity,
    } = options
    this.#isNode = isNode
    const config = clientOptions(connection, 'service')
    if (isNode) config.options += ` -c ${planOnNode}`
    this.#partitions = openPartitions(connections)
    this.forbidsNesting = forbidsNesting
    this.watchTransaction = watchTransaction
    this.#pool = this.#openPool(config, getConnections(this.#partitions, { patient: false }))
    this.#patientPool = this.#openPool(config, getConnections(this.#partitions, { patient: true }))
    if (isEmbedded(connection)) this.#patientPool.on('connect', stepBack)
    const watch = (client: pg.Client) => this.#watch(client)
    const cheap = [isNode ? planOnNode : 'plan_cache_mode=force_generic_plan', ...cheapSettings]
    this.#reader = new PipelinedReader(config, readers, this.#partitions.pages, watch, cheap)
    this.#globalReader = new PipelinedReader(config, 1, null, watch, cheap)
    this.#briefReader = hasBriefReader
      ? new PipelinedReader(config, 1, this.#partitions.pages, watch, briefSettings(brevity))
      : null
    this.#brief = new BriefStatements(brevity)
    this.locks = new ExclusiveLocks(() => this.#openForLocks(config))
    this.#healthProbe = new HealthProbe(clientOptions(connection, 'service', 'matricula pulse'), {
      hasSpoken: () => {
        const hasSpoken = this.#hasSpoken
        this.#hasSpoken = false
        return hasSpoken
      },
      onLost: () => {
        onHang?.(true)
        this.#giveUp()
      },
      onBack: () => onHang?.(false),
    })
  }

  /** Whether the database says nothing although it is there. */
  get isLost(): boolean {
    return this.#healthProbe.isLost
  }

  /** How a connection of it speaks for a tenant. */
  getSession(tenantId: string): SessionContext {
    return this.#isNode ? { tenantId, shards: this.#shards.get(tenantId) ?? null } : { tenantId }
  }

  /** Lets a tenant's statements go to its shards from now on, which a schema shows, or through Citus where that is null. */
  goTo(tenantId: string, shards: string | null): void {
    if (shards === null) this.#shards.delete(tenantId)
    else this.#shards.set(tenantId, shards)
  }

  /** What the rooms are doing. */
  get rooms(): PartitionState[] {
    return getStates(this.#partitions)
  }

  /** Throws `DatabaseUnavailable` while the database hangs, so that nobody waits for it. */
  requireAlive(): void {
    this.#healthProbe.start()
    if (this.#healthProbe.isLost) throw unreachable()
  }

  /**
   * Lends a connection when there is a place in the room.
   *
   * @throws DatabaseUnavailable when the line is full or too slow, or the database is not there
   * @throws WorkUnwanted when nobody wants it any more before it is there
   */
  async lease({ tenantId, partition: name, use }: Lending): Promise<Lease> {
    if (this.forbidsNesting) requireOutsideTransaction()
    this.requireAlive()
    if (tenantId !== noTenant) this.#contention.meets(tenantId)
    const partition = this.#partitions[name]
    const entering = partition.enter(tenantId, use)
    if (entering !== undefined) await entering
    const leave = () => partition.leave(tenantId)
    try {
      const client = await this.#connect(isPatient(name) ? this.#patientPool : this.#pool)
      const rests = isPatient(name) ? new Rests(this.#contention, tenantId) : null
      return new Lease(client, use, this.counts, { leave, rests, shards: this.getSession(tenantId).shards })
    } catch (error) {
      leave()
      throw asDatabaseError(error)
    }
  }

  /** The turns of a tenant's long lists: in company, each is followed by a rest that is as long, so that others come to theirs. */
  getSlot(tenantId: string, use: Lending['use']): Slots {
    const partition = this.#partitions.batches
    let begun = 0
    return {
      enter: async () => {
        await partition.enter(tenantId, use)
        begun = performance.now()
      },
      leave: () => {
        const rest = restAfter(this.#contention, tenantId, performance.now() - begun)
        if (rest === 0) partition.leave(tenantId)
        else setTimeout(() => partition.leave(tenantId), rest)
      },
    }
  }

  /** Whether a statement is no company for others on a shared connection, because it lately answered so much. */
  isHeavy(tenantId: string, statement: Statement): boolean {
    return this.#reader.isHeavy(tenantId, statement)
  }

  /** Reads with one cheap statement, among others on a shared connection. */
  async readCheaply<Row extends object>(
    tenantId: string,
    statement: Statement,
    maxBytes: number,
    use: Lending['use'],
  ): Promise<Row[]> {
    if (this.forbidsNesting) requireOutsideTransaction()
    this.requireAlive()
    this.#contention.meets(tenantId)
    try {
      return await this.#reader.read<Row>(this.getSession(tenantId), statement, maxBytes, use)
    } catch (error) {
      throw this.counts.count(error)
    }
  }

  /**
   * Reads with one statement among others on a shared connection, where it lately took the tenant little time; null where it did not,
   * or takes longer now.
   */
  async readBriefly<Row extends object>(
    tenantId: string,
    statement: Statement,
    maxBytes: number,
    use: Cancellation,
  ): Promise<Row[] | null> {
    const reader = this.#briefReader
    if (reader === null || !this.#brief.has(tenantId, statement) || reader.isHeavy(tenantId, statement)) return null
    if (this.forbidsNesting) requireOutsideTransaction()
    this.requireAlive()
    this.#contention.meets(tenantId)
    try {
      return await reader.read<Row>(this.getSession(tenantId), statement, maxBytes, use)
    } catch (error) {
      if (!isOverTime(error)) throw this.counts.count(error)
      this.#brief.recordLong(tenantId, statement)
      return null
    }
  }

  /** Learns how long a statement took a tenant on a connection of its own, in milliseconds. */
  recordTime(tenantId: string, statement: Statement, milliseconds: number): void {
    this.#brief.note(tenantId, statement, milliseconds)
  }

  /** Reads with one cheap statement what belongs to no tenant. */
  async readGlobal<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.forbidsNesting) requireOutsideTransaction()
    this.requireAlive()
    return this.#globalReader.read(this.getSession(noTenant), statement, Number.POSITIVE_INFINITY)
  }

  async close(): Promise<void> {
    this.#healthProbe.stop()
    const pools = [this.#pool.end(), this.#patientPool.end()]
    const readers = this.#readers.map((reader) => reader.close())
    await Promise.all([this.locks.close(), ...pools, ...readers])
  }

  get #readers(): readonly PipelinedReader[] {
    const cheap = [this.#reader, this.#globalReader]
    return this.#briefReader === null ? cheap : [...cheap, this.#briefReader]
  }

  #openPool(config: pg.ClientConfig, max: number): pg.Pool {
    const pool = new pg.Pool({
      ...config,
      Client: RowClient,
      pipeline: true,
      max,
      idleTimeoutMillis: 60_000,
    } as pg.PoolConfig)
    // A connection that breaks is replaced by the next one; whoever was using it learns it from the answer.
    pool.on('error', () => {})
    pool.on('connect', (client) => this.#watch(client))
    return pool
  }

  async #openForLocks(config: pg.ClientConfig): Promise<pg.Client> {
    this.requireAlive()
    const client = new RowClient({ ...config, pipeline: true } as pg.ClientConfig)
    client.on('error', () => {}) // whoever uses it learns it from the answer
    await client.connect()
    this.#watch(client)
    return client
  }

  #watch(client: pg.ClientBase): void {
    client.on('error', () => {})
    client.on('end', () => this.#clients.delete(client))
    this.#clients.add(client)
    getSocket(client).on('data', () => {
      this.#hasSpoken = true
    })
  }

  #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    if (pool.idleCount > 0) return pool.connect()
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const fail = (error: unknown) => {
        this.#connecting.delete(fail)
        isGivenUp = true
        reject(error)
      }
      this.#connecting.add(fail)
      pool.connect().then((client) => {
        this.#connecting.delete(fail)
        if (isGivenUp) client.release(true)
        else resolve(client)
      }, fail)
    })
  }

  /** The database hangs: everything that waits for it fails, and every connection to it is destroyed. */
  #giveUp(): void {
    const error = unreachable()
    for (const partition of Object.values(this.#partitions)) partition.clear(error)
    for (const fail of [...this.#connecting]) fail(error)
    for (const client of [...this.#clients]) cutOff(client, error)
    for (const reader of this.#readers) reader.abandon(error)
  }
}
