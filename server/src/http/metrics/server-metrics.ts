import { Counter, Gauge, register } from 'prom-client'
import { CachedReading } from '../../concurrency/index.ts'
import { type Database, sql } from '../../database/index.ts'

/** What `server_figures` answers. */
interface ServerFigures {
  readonly size_bytes: number
  readonly live_rows: number
  readonly dead_rows: number
  readonly temporary_bytes: number
  readonly commits: number
  readonly rollbacks: number
  readonly deadlocks: number
  readonly conflicts: number
  readonly transaction_age: number
  readonly connections_most: number
  readonly connections_active: number
  readonly connections_idle: number
  readonly connections_in_transaction: number
  readonly oldest_transaction_seconds: number
  readonly waiting_for_locks: number
  readonly longest_lock_wait_seconds: number
}

interface MailTotals {
  readonly waiting: number
  readonly oldest_due_seconds: number
}

/**
 * Lets `/metrics` tell how the PostgreSQL of the deployment fares, and the mails that wait there: the same whichever process is
 * asked, and nothing of a tenant.
 */
export function observeServer(database: Database): void {
  const server = new CachedReading<ServerFigures>(database, sql`select * from server_figures()`)
  const tell = toldBy(server)
  tell('size_bytes', 'How large the database is on disk.', (of) => of.size_bytes)
  tell('live_rows', 'Rows of all tables, as PostgreSQL estimates them.', (of) => of.live_rows)
  tell('dead_rows', 'Rows that are gone and still take room: what vacuum has not cleared yet.', (of) => of.dead_rows)
  tell(
    'transaction_age',
    'Transactions since the oldest one that is not frozen; PostgreSQL stops before two thousand million.',
    (of) => of.transaction_age,
  )
  tell('connections_most', 'How many connections the server takes.', (of) => of.connections_most)
  tell(
    'connections',
    'Connections to the database by what they do, those of other programs too.',
    (of) => ({
      active: of.connections_active,
      idle: of.connections_idle,
      in_transaction: of.connections_in_transaction,
    }),
    'state',
  )
  tell(
    'oldest_transaction_seconds',
    'For how long the oldest open transaction has been open, of whomever.',
    (of) => of.oldest_transaction_seconds,
  )
  tell('lock_waits', 'Statements that wait for a lock just now.', (of) => of.waiting_for_locks)
  tell(
    'longest_lock_wait_seconds',
    'For how long the first of them has been waiting.',
    (of) => of.longest_lock_wait_seconds,
  )
  const count = countedBy(server)
  count('commits', 'Transactions that were committed in this database, of whomever.', (of) => of.commits)
  count('rollbacks', 'Transactions that were undone in this database, of whomever.', (of) => of.rollbacks)
  count(
    'temporary_bytes',
    'Written to temporary files, because something did not fit memory.',
    (of) => of.temporary_bytes,
  )
  count('deadlocks', 'Deadlocks that PostgreSQL counted in this database, of whomever.', (of) => of.deadlocks)
  count('conflicts', 'Statements that were cancelled because of a conflict with recovery.', (of) => of.conflicts)

  const mails = new CachedReading<MailTotals>(database, sql`select * from mail_totals()`)
  gauge('matricula_mails_waiting', 'Mails that wait to be sent.', mails, (of) => of.waiting)
  gauge(
    'matricula_mail_oldest_due_seconds',
    'For how long the oldest mail that waits has been due.',
    mails,
    (of) => of.oldest_due_seconds,
  )
}

type Told = number | Readonly<Record<string, number>>

function toldBy(reading: CachedReading<ServerFigures>) {
  return (name: string, help: string, value: (figures: ServerFigures) => Told, label?: string) =>
    gauge(`matricula_postgresql_${name}`, help, reading, value, label)
}

function gauge<Row extends object>(
  name: string,
  help: string,
  reading: CachedReading<Row>,
  value: (row: Row) => Told,
  label?: string,
): void {
  register.removeSingleMetric(name)
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    aggregator: 'max', // every service reads the same
    async collect() {
      const [row] = await reading.rows()
      this.reset()
      if (row === undefined) {
        // Absent, and not 0; one with labels has no sample left.
        if (label === undefined) this.remove()
        return
      }
      const reported = value(row)
      if (typeof reported === 'number' || label === undefined) return this.set(Number(reported))
      for (const [key, each] of Object.entries(reported)) this.set({ [label]: key }, each)
    },
  })
}

function countedBy(reading: CachedReading<ServerFigures>) {
  return (name: string, help: string, value: (figures: ServerFigures) => number): void => {
    const full = `matricula_postgresql_${name}_total`
    register.removeSingleMetric(full)
    new Counter({
      name: full,
      help,
      aggregator: 'max',
      async collect() {
        const [row] = await reading.rows()
        this.reset()
        if (row === undefined) return this.remove()
        this.inc(value(row))
      },
    })
  }
}
