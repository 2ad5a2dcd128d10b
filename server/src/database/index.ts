export { type ClusterFaults, faultsOfCluster } from './citus/inspect-cluster.ts'
export { Database, type Use } from './database.ts'
export { DatabaseUnavailable, isOverTime, WorkUnwanted } from './database-errors.ts'
export type { Binaries } from './embedded/binaries.ts'
export { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'
export type { ServerReport } from './embedded/server-reports.ts'
export {
  binariesIn,
  clusterState,
  finishUpgrade,
  removeKeptClusters,
  requireOlder,
  upgradeCluster,
} from './embedded/upgrade-cluster.ts'
export type { MigrationLog } from './migrations/apply-migration.ts'
export {
  MigrationError,
  type MigrationReport,
  migrate,
  missingMigrations,
  planMigrations,
} from './migrations/migrate.ts'
export { numberOf, readMigrations } from './migrations/migration-files.ts'
export { AnswerTooLarge, prepared } from './pipeline/bounded-query.ts'
export type { RowBatches } from './pipeline/row-batches.ts'
export { atEndOfTurn } from './pipeline/tick.ts'
export { type Connection, clientOptions, noTenant, serviceRole } from './pool/connection.ts'
export { leastConnectionsOf, mostConnectionsOf, type ProcessShare, sharesOf } from './pool/connection-shares.ts'
export type { ConnectionsOptions } from './pool/connections.ts'
export { asOwner, type OpenedDatabase, openDatabase, serverOf } from './pool/open.ts'
export { PooledSessions, requireOwnSessions } from './pool/own-sessions.ts'
export type { RoomState } from './pool/pool-partition.ts'
export {
  type Capacity,
  connectionsForOthers,
  countWithoutFilesKey,
  Presence,
  presentServices,
  readCapacity,
  TooFewConnections,
} from './pool/service-registry.ts'
export { Company } from './pool/tenant-contention.ts'
export {
  column,
  empty,
  identifier,
  isOneOf,
  join,
  literal,
  literalName,
  madeOnce,
  madeOnceOf,
  named,
  type Sql,
  type Statement,
  sql,
} from './sql/statement.ts'
export { moment, table, updatesOf } from './sql/table.ts'
export { keptOf } from './transaction/per-transaction.ts'
export { BeginAgain, type Transaction, wholeOf } from './transaction/transaction.ts'
