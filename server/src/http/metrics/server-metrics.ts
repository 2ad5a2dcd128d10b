import { Counter, Gauge, register } from 'prom-client'
import { CachedReading } from '../../concurrency/index.ts'
import { type Database, sql } from '../../database/index.ts'

/** A row of `server_figures()`. */
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
 * Exports the state of the PostgreSQL server and of the mail queue: the same in every process, and without data of a
 * tenant.
 */
export function observeServer(database: Database): void {
  const server = new CachedReading<ServerFigures>(database, sql`select * from server_figures()`)
  const exportGauge = buildGauges(server)
  exportGauge('size_bytes', 'Size of the database on disk.', (of) => of.size_bytes)
  exportGauge('live_rows', 'Rows of all tables, as PostgreSQL estimates them.', (of) => of.live_rows)
  exportGauge('dead_rows', 'Dead rows that vacuum has not removed yet.', (of) => of.dead_rows)
  exportGauge(
    'transaction_age',
    'Age of the oldest unfrozen transaction id; PostgreSQL stops before 2 000 000 000.',
    (of) => of.transaction_age,
  )
  exportGauge('connections_most', 'Maximum connections of the server.', (of) => of.connections_most)
  exportGauge(
    'connections',
    'Connections to the database by state, other programs included.',
    (of) => ({
      active: of.connections_active,
      idle: of.connections_idle,
      in_transaction: of.connections_in_transaction,
    }),
    'state',
  )
  exportGauge(
    'oldest_transaction_seconds',
    'Age of the oldest open transaction, of any client.',
    (of) => of.oldest_transaction_seconds,
  )
  exportGauge('lock_waits', 'Statements that are waiting for a lock.', (of) => of.waiting_for_locks)
  exportGauge('longest_lock_wait_seconds', 'Longest of these waits.', (of) => of.longest_lock_wait_seconds)
  const exportCounter = buildCounters(server)
  exportCounter('commits', 'Committed transactions in this database, of any client.', (of) => of.commits)
  exportCounter('rollbacks', 'Rolled back transactions in this database, of any client.', (of) => of.rollbacks)
  exportCounter(
    'temporary_bytes',
    'Bytes written to temporary files because they exceeded work_mem.',
    (of) => of.temporary_bytes,
  )
  exportCounter('deadlocks', 'Deadlocks in this database, of any client.', (of) => of.deadlocks)
  exportCounter('conflicts', 'Statements that were cancelled by a conflict with recovery.', (of) => of.conflicts)

  const mails = new CachedReading<MailTotals>(database, sql`select * from mail_totals()`)
  gauge('matricula_mails_waiting', 'Mails that are waiting to be sent.', mails, (of) => of.waiting)
  gauge(
    'matricula_mail_oldest_due_seconds',
    'Seconds since the oldest waiting mail was due.',
    mails,
    (of) => of.oldest_due_seconds,
  )
}

type Sample = number | Readonly<Record<string, number>>

function buildGauges(reading: CachedReading<ServerFigures>) {
  return (name: string, help: string, value: (figures: ServerFigures) => Sample, label?: string) =>
    gauge(`matricula_postgresql_${name}`, help, reading, value, label)
}

function gauge<Row extends object>(
  name: string,
  help: string,
  reading: CachedReading<Row>,
  value: (row: Row) => Sample,
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
      const sample = value(row)
      if (typeof sample === 'number' || label === undefined) return this.set(Number(sample))
      for (const [key, each] of Object.entries(sample)) this.set({ [label]: key }, each)
    },
  })
}

function buildCounters(reading: CachedReading<ServerFigures>) {
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
