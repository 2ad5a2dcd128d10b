export type { MigrationLog } from './apply-migration.ts'
export { AnswerTooLarge, prepared } from './bounded-query.ts'
export { type ClusterFaults, faultsOfCluster } from './cluster/inspect-cluster.ts'
export { Company } from './company.ts'
export { type Connection, clientOptions, noTenant, serviceRole } from './connection.ts'
export type { ConnectionsOptions } from './connections.ts'
export { Database, type Use } from './database.ts'
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
export { DatabaseUnavailable, isOverTime, WorkUnwanted } from './errors.ts'
export { keptOf } from './kept.ts'
export {
  MigrationError,
  type MigrationReport,
  migrate,
  missingMigrations,
  planMigrations,
} from './migrate.ts'
export { numberOf, readMigrations } from './migration-files.ts'
export { asOwner, type OpenedDatabase, openDatabase, serverOf } from './open.ts'
export { PooledSessions, requireOwnSessions } from './own-sessions.ts'
export {
  type Capacity,
  connectionsForOthers,
  countWithoutFilesKey,
  Presence,
  presentServices,
  readCapacity,
  TooFewConnections,
} from './presence.ts'
export type { RoomState } from './room.ts'
export type { RowBatches } from './row-batches.ts'
export { leastConnectionsOf, mostConnectionsOf, type ProcessShare, sharesOf } from './shares.ts'
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
} from './statement.ts'
export { moment, table, updatesOf } from './table.ts'
export { BeginAgain, type Transaction, wholeOf } from './transaction.ts'
export { atEndOfTurn } from './turn.ts'
