import { Counter, Gauge, register } from 'prom-client'
import type { Database, PartitionState, ServerReport } from '../../database/index.ts'

const databases = new Set<Database>()

/** Tells in the metrics what the connections of a database are doing, and what it failed of and reports. */
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
    'Connections that a room has, or reads on their way at once in the one of cheap reads.',
    (partition) => partition.places,
  )
  gauge('held', 'Places of a room that are held.', (partition) => partition.held)
  gauge('waiting', 'Requests that wait for a place in a room.', (partition) => partition.waiting)
  new Counter({
    name: 'matricula_database_room_refused_total',
    help: 'Requests refused because the line of their tenant was full or too slow.',
    labelNames: ['room'],
    collect() {
      this.reset()
      for (const { rooms: partitions } of databases)
        for (const partition of partitions) this.inc({ room: partition.name }, partition.refused)
    },
  })
  new Counter({
    name: 'matricula_database_failures_total',
    help: 'What the database did not do because of the state that it was in, by SQLSTATE: 40P01 deadlocks, 57014 time-outs, 53100 a full disk.',
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
    help: 'Work on the database that was cancelled or dropped because its client was gone.',
    collect() {
      this.reset()
      for (const { unwanted } of databases) this.inc(unwanted)
    },
  })
  new Gauge({
    name: 'matricula_database_hangs',
    help: 'Whether the database says nothing although it is there.',
    aggregator: 'max',
    collect() {
      this.set([...databases].some(({ isLost }) => isLost) ? 1 : 0)
    },
  })
}

const reports = new Counter({
  name: 'matricula_postgresql_reports_total',
  help: 'Warnings and errors of the embedded PostgreSQL about itself, and checkpoints that come too often.',
  labelNames: ['kind', 'severity', 'sqlstate'],
})

/** Counts what the embedded database says of itself. */
export function countReport({ kind, severity, sqlstate }: ServerReport): void {
  reports.inc({ kind, severity, sqlstate })
}
