import { Counter, Gauge, register } from 'prom-client'
import type { Database, PartitionState, ServerReport } from '../../database/index.ts'

const databases = new Set<Database>()

/** Exports the pool partitions of a database as metrics, and its failures. */
export function observeDatabase(database: Database): void {
  databases.add(database)
  if (register.getSingleMetric('matricula_database_room_held') !== undefined) return
  const gauge = (name: string, help: string, value: (partition: PartitionState) => number) =>
    new Gauge({
      name: `matricula_database_room_${name}`,
      help,
      labelNames: ['room'],
      collect() {
        this.reset()
        for (const { rooms: partitions } of databases)
          for (const partition of partitions) this.inc({ room: partition.name }, value(partition))
      },
    })
  gauge(
    'places',
    'Connections of a pool partition, or concurrent reads in the partition of cheap reads.',
    (partition) => partition.places,
  )
  gauge('held', 'Connections of a pool partition that are in use.', (partition) => partition.held)
  gauge('waiting', 'Requests that wait for a connection of a pool partition.', (partition) => partition.waiting)
  new Counter({
    name: 'matricula_database_room_refused_total',
    help: 'Requests rejected because the queue of their tenant was full or timed out.',
    labelNames: ['room'],
    collect() {
      this.reset()
      for (const { rooms: partitions } of databases)
        for (const partition of partitions) this.inc({ room: partition.name }, partition.refused)
    },
  })
  new Counter({
    name: 'matricula_database_failures_total',
    help: 'Statements that failed because of the state of the database, by SQLSTATE: 40P01 deadlock, 57014 timeout, 53100 disk full.',
    labelNames: ['sqlstate'],
    collect() {
      this.reset()
      for (const { failures } of databases) {
        for (const [sqlstate, count] of failures) this.inc({ sqlstate }, count)
      }
    },
  })
  new Counter({
    name: 'matricula_database_unwanted_total',
    help: 'Statements that were cancelled or dropped because the client disconnected.',
    collect() {
      this.reset()
      for (const { unwanted } of databases) this.inc(unwanted)
    },
  })
  new Gauge({
    name: 'matricula_database_hangs',
    help: '1 when the database accepts connections and does not respond.',
    aggregator: 'max',
    collect() {
      this.set([...databases].some(({ isLost }) => isLost) ? 1 : 0)
    },
  })
}

const reports = new Counter({
  name: 'matricula_postgresql_reports_total',
  help: 'Warnings and errors that the embedded PostgreSQL logs, and checkpoints that occur too often.',
  labelNames: ['kind', 'severity', 'sqlstate'],
})

/** Counts a log message of the embedded database. */
export function countReport({ kind, severity, sqlstate }: ServerReport): void {
  reports.inc({ kind, severity, sqlstate })
}
