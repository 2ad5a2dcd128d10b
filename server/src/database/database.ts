import { setTimeout as pause } from 'node:timers/promises'
import { traced, tracedStatement } from '../tracing/index.ts'
import { Nodes } from './citus/nodes.ts'
import { Cancelled, DatabaseUnavailable, isRetryable } from './database-errors.ts'
import { maxBytesHeld } from './pipeline/bounded-query.ts'
import { type CopyFormat, copyRows } from './pipeline/copied-rows.ts'
import { BatchReading, type RowBatches } from './pipeline/row-batches.ts'
import { type Connection, noTenant } from './pool/connection.ts'
import type { Connections, ConnectionsOptions } from './pool/connections.ts'
import type { Lease } from './pool/lease.ts'
import type { PartitionName } from './pool/partitions.ts'
import type { PartitionState } from './pool/pool-partition.ts'
import { named, type Sql, type Statement } from './sql/statement.ts'
import { type Cancellation, isUnwanted } from './transaction/cancellation.ts'
import type { GroupedWrites } from './transaction/group-commit.ts'
import { runAlone } from './transaction/run-statement.ts'
import { runTransaction, type Transaction } from './transaction/transaction.ts'
import { markTransaction, outsideTransaction } from './transaction/within-transaction.ts'

/** What a database is used for, and for whom. */
export interface Use extends Cancellation {
  /** Where connections are taken from, instead of the room for writes and the one for reads. */
  readonly partition?: PartitionName
}

const maxAttempts = 4

/** How long a reading that nobody wants any more may take to come to the end of its batch, in milliseconds. */
const longestEnd = 50

/**
 * The tenants' data. Everything runs under the service's role with the tenant set for row-level security; reads of one
 * statement share pipelined connections, everything else has a connection for itself while it lasts.
 *
 * What a statement returns is held in memory up to 12 MiB, or what a read says; beyond that it fails with `ResultTooLarge`.
 *
 * All of it throws `DatabaseUnavailable` when the database is not there, is full, or is asked for too much at once, and
 * `Cancelled` when the signal of its use is aborted.
 */
export class Database {
  readonly #nodes: Nodes
  readonly #cancellation: Cancellation
  readonly #partition: PartitionName | undefined

  constructor(connection: Connection | Nodes, options: ConnectionsOptions = {}, use: Use = {}, cancellation = use) {
    this.#nodes = connection instanceof Nodes ? connection : new Nodes(connection, options)
    // Kept whole, because a signal may be made only when somebody asks for it.
    this.#cancellation = cancellation
    this.#partition = use.partition
  }

  /** The same database for a certain use; what that does not say is as it was. */
  for(use: Use): Database {
    const { partition = this.#partition } = use
    const cancellation = 'signal' in use ? use : this.#cancellation
    return new Database(this.#nodes, {}, partition === undefined ? {} : { partition }, cancellation)
  }

  /** What the rooms of its connections are doing. */
  get rooms(): readonly PartitionState[] {
    return this.#nodes.all.flatMap(({ rooms: partitions }) => partitions)
  }

  /** What it did not do because of the state that it was in, by SQLSTATE, since the process began. */
  get failures(): ReadonlyMap<string, number> {
    return getSum(this.#nodes.all.map(({ counts }) => counts.bySqlstate))
  }

  /** How much was cancelled or dropped because nobody wanted it any more. */
  get unwanted(): number {
    return this.#nodes.all.reduce((sum, { counts }) => sum + counts.unwanted, 0)
  }

  /** Whether it says nothing although it is there. */
  get isLost(): boolean {
    return this.#nodes.all.some(({ isLost }) => isLost)
  }

  /**
   * Reads with one statement that is cheap whatever the tenant's size: it shares its connection with others. Where it lately
   * answered a tenant so much that the others had to wait, it is read slowly for a while.
   */
  read<Row extends object>(tenantId: string, statement: Statement, maxBytes = maxBytesHeld): Promise<Row[]> {
    return tracedStatement(statement, () =>
      this.#at(tenantId, (node) =>
        node.isHeavy(tenantId, statement)
          ? this.#readSlowlyAt<Row>(node, tenantId, statement, maxBytes)
          : node.readCheaply<Row>(tenantId, statement, maxBytes, this.#cancellation),
      ),
    )
  }

  /**
   * Reads what belongs to no tenant, such as the list of tenants, with one cheap statement; what a server says of itself, at the
   * one that has the rows of a tenant.
   */
  readGlobal<Row extends object>(statement: Sql, tenantId = noTenant): Promise<Row[]> {
    return tracedStatement(statement, () => this.#at(tenantId, (node) => node.readGlobal<Row>(statement)))
  }

  /**
   * Reads with one statement what belongs to no tenant, at each server that has rows of some of these tenants: those are
   * what the statement is made of. Of several, one that is not there is left out.
   */
  async readAtEach<Row extends object>(
    tenantIds: readonly string[],
    statement: (own: string[]) => Sql,
  ): Promise<Row[]> {
    const tenants = new Map<Connections, string[]>()
    for (const tenantId of tenantIds) {
      const node = await this.#nodes.of(tenantId)
      tenants.set(node, [...(tenants.get(node) ?? []), tenantId])
    }
    const read = [...tenants].map(([node, own]) =>
      this.#readSlowlyAt<Row>(node, noTenant, statement(own), maxBytesHeld).catch((error) => {
        if (tenants.size > 1 && error instanceof DatabaseUnavailable) return []
        throw error
      }),
    )
    return (await Promise.all(read)).flat()
  }

  /** What stands for the server that has the rows of a tenant: clock, sessions and transactions of each are its own. */
  getServer(tenantId: string): object | Promise<object> {
    return this.#nodes.of(tenantId)
  }

  /** Reads with one statement that may take its time, on a connection of its own, in one round trip. */
  readSlowly<Row extends object>(tenantId: string, statement: Statement, maxBytes = maxBytesHeld): Promise<Row[]> {
    return tracedStatement(statement, () =>
      this.#at(tenantId, (node) => this.#readSlowlyAt<Row>(node, tenantId, statement, maxBytes)),
    )
  }

  /**
   * Reads with one statement that may take its time, as `readSlowly` does; while it takes the tenant little it shares a connection with
   * others, and is done anew on one of its own where it takes longer there than those should wait.
   */
  readBriefly<Row extends object>(tenantId: string, statement: Statement, maxBytes = maxBytesHeld): Promise<Row[]> {
    const asked = named(statement)
    return tracedStatement(asked, () =>
      this.#at(tenantId, async (node) => {
        const brief = await node.readBriefly<Row>(tenantId, asked, maxBytes, this.#cancellation)
        const learn = (milliseconds: number) => node.recordTime(tenantId, asked, milliseconds)
        return brief ?? this.#readSlowlyAt<Row>(node, tenantId, asked, maxBytes, learn)
      }),
    )
  }

  /**
   * Reads for all who ask for the same at once what takes long and is short, such as how many records match: with many clients it is done once
   * at a time, see `SharedWork`. What it tells is as of a moment after each of them asked. Nobody changes what comes out.
   *
   * @param asked The statement that tells whether two ask for the same
   */
  readTogether<Result>(
    tenantId: string,
    asked: Statement,
    read: (database: Database) => Promise<Result>,
  ): Promise<Result> {
    const key = `${tenantId} ${JSON.stringify(asked.values)} ${asked.text}`
    return this.#nodes.shared.do(key, this.#cancellation.signal ?? null, (signal) => read(this.for({ signal })))
  }

  /**
   * Reads what may be long, in batches that are fetched while they are used, in a read-only transaction on a connection of its
   * own: see `BatchReading`. The connection is free after the last row, when the reading is ended early, and as soon as nobody
   * wants it any more, even where nobody asks for more or ends it; the statement ends with it.
   */
  async *readRows<Row extends object>(tenantId: string, statement: Statement): RowBatches<Row> {
    yield* this.#readOnOwn<Row[]>(tenantId, (lease, node) => {
      const slot = node.getSlot(tenantId, this.#cancellation)
      const reading = new BatchReading<Row>(lease.client, node.getSession(tenantId), statement, slot)
      return { batches: reading.rows(), abandon: () => reading.abandon() }
    })
  }

  /**
   * Reads what is very long as PostgreSQL itself writes it, see `copyRows`: several times as fast as `readRows`. The values of the
   * statement are texts. A reading that is ended early ends its connection.
   */
  async *copyRows(tenantId: string, statement: Statement, format: CopyFormat): AsyncGenerator<Buffer, void, void> {
    yield* this.#readOnOwn<Buffer>(tenantId, (lease, node) => ({
      batches: copyRows(lease.client, node.getSession(tenantId), statement, format),
      abandon: async () => lease.breakOff(),
    }))
  }

  async *#readOnOwn<Batch>(
    tenantId: string,
    begin: (
      lease: Lease,
      node: Connections,
    ) => { readonly batches: AsyncIterable<Batch>; readonly abandon: () => Promise<void> },
  ): AsyncGenerator<Batch, void, void> {
    const node = await this.#nodes.of(tenantId)
    const lease = await this.#lease(node, tenantId, 'lists')
    const wanted = this.#cancellation.signal
    const { batches, abandon } = begin(lease, node)
    // A new connection costs more than the end of a batch, but for one that takes long.
    let late: NodeJS.Timeout | undefined
    const endSoon = () => {
      late ??= setTimeout(() => {
        lease.breakOff()
        // Whoever was reading may be gone without a word.
        lease.giveBack()
      }, longestEnd)
    }
    wanted?.addEventListener('abort', endSoon)
    let isOver = false
    try {
      lease.protect()
      yield* batches
      isOver = true
    } catch (error) {
      this.#nodes.haveMoved(error)
      throw lease.explain(wanted?.aborted ? new Cancelled() : error)
    } finally {
      if (!isOver) {
        endSoon()
        await abandon().catch(() => lease.breakOff())
      }
      clearTimeout(late)
      wanted?.removeEventListener('abort', endSoon)
      lease.giveBack()
    }
  }

  /**
   * Runs `work` in a transaction of the tenant and commits it. `work` may run again when the transaction lost against
   * another one, so it must do nothing but call `tx`. It takes no other connection.
   */
  transaction<Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return traced('transaction', 'internal', {}, () =>
      this.#at(tenantId, (node) => this.#transactionAt(node, tenantId, work)),
    )
  }

  /**
   * Runs a small write in one transaction with concurrent writes of its kind and tenant (`GroupCommit`). What is said of `work` above
   * holds here too.
   */
  transactionAmongOthers<Result>(
    tenantId: string,
    kind: string,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const runner: GroupedWrites = {
      runSeparately: (own) => this.transaction(tenantId, own),
      runShared: (all) => this.for({ signal: null }).#shared(tenantId, all),
      isCancelled: () => isUnwanted(this.#cancellation),
    }
    return this.#nodes.groupCommit.join(tenantId, kind, runner, work)
  }

  #shared<Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return traced('transaction', 'internal', {}, () =>
      this.#at(tenantId, (node) => this.#transactionAt(node, tenantId, work, { isShared: true })),
    )
  }

  async #transactionAt<Result>(
    node: Connections,
    tenantId: string,
    work: (tx: Transaction) => Promise<Result>,
    { isShared = false } = {},
  ): Promise<Result> {
    const { forbidsNesting, watchTransaction: watch } = node
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.#lease(node, tenantId, 'writes')
      try {
        const location = Object.assign(lease, { isShared }, watch && { watch })
        const run = () => runTransaction(location, tenantId, work)
        return await (forbidsNesting ? markTransaction(run) : run())
      } catch (error) {
        const explained = lease.explain(error)
        if (isShared || attempt === maxAttempts || !isRetryable(error)) throw explained
      } finally {
        lease.giveBack()
      }
      // Transactions that conflicted would conflict again if they were retried at the same time.
      await pause(Math.random() * 10 * attempt)
    }
  }

  /**
   * Writes with one statement what nobody waits for and what may be left out: when it cannot be written now, it is not. It may
   * be called inside a transaction, of which it is no part.
   */
  note(tenantId: string, statement: Sql): void {
    const notes = this.for({ partition: 'notes' })
    outsideTransaction(() => notes.readSlowly(tenantId, statement)).catch(() => {})
  }

  /**
   * Runs `work` while holding a lock that only one process of the deployment can hold. Returns false, without running
   * it, when another one has it.
   */
  withExclusiveLock(name: string, work: () => Promise<void>): Promise<boolean> {
    return this.#nodes.main.locks.hold(name, work)
  }

  close(): Promise<void> {
    return this.#nodes.close()
  }

  /** Does something at the server that has the rows of a tenant; again where they have moved meanwhile. */
  #at<Result>(tenantId: string, work: (node: Connections) => Promise<Result>): Promise<Result> {
    const node = this.#nodes.of(tenantId)
    if (node === this.#nodes.main) return work(node)
    const attempt = async () => work(await this.#nodes.of(tenantId))
    return attempt().catch((error) => {
      if (this.#nodes.haveMoved(error)) return attempt()
      this.#nodes.recordFailure(tenantId, error)
      throw error
    })
  }

  async #readSlowlyAt<Row extends object>(
    node: Connections,
    tenantId: string,
    statement: Statement,
    maxBytes: number,
    learn: (milliseconds: number) => void = () => {},
  ): Promise<Row[]> {
    const lease = await this.#lease(node, tenantId, 'reads')
    try {
      const begun = performance.now()
      const rows = await runAlone<Row>(lease, tenantId, statement, maxBytes)
      learn(performance.now() - begun)
      return rows
    } catch (error) {
      throw lease.explain(error)
    } finally {
      lease.giveBack()
    }
  }

  #lease(node: Connections, tenantId: string, partition: PartitionName): Promise<Lease> {
    return node.lease({ tenantId, partition: this.#partition ?? partition, use: this.#cancellation })
  }
}

/** What several count, by what it is. */
function getSum(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const [first = new Map()] = counts
  if (counts.length === 1) return first
  const sum = new Map<string, number>()
  for (const each of counts) for (const [key, count] of each) sum.set(key, (sum.get(key) ?? 0) + count)
  return sum
}
