export { type ClusterProblems, loadClusterErrors } from './citus/inspect-cluster.ts'
export { Database, type Use } from './database.ts'
export { Cancelled, DatabaseUnavailable, isOverTime } from './database-errors.ts'
export type { Binaries } from './embedded/binaries.ts'
export { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'
export { hasEmbeddedDatabase } from './embedded/find-location.ts'
export type { ServerReport } from './embedded/server-reports.ts'
export {
  binariesIn,
  clusterState,
  finishUpgrade,
  removeRetainedClusters,
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
export { getNumber, readMigrations } from './migrations/migration-files.ts'
export { prepared, ResultTooLarge } from './pipeline/bounded-query.ts'
export type { RowBatches } from './pipeline/row-batches.ts'
export { atEndOfTick } from './pipeline/tick.ts'
export { type Connection, clientOptions, noTenant, serviceRole } from './pool/connection.ts'
export { getMaxConnections, getMinConnections, getShares, type ProcessShare } from './pool/connection-shares.ts'
export type { ConnectionsOptions } from './pool/connections.ts'
export { asOwner, loadServer, type OpenedDatabase, openDatabase } from './pool/open.ts'
export { PooledSessions, requireOwnSessions } from './pool/own-sessions.ts'
export type { PartitionState } from './pool/pool-partition.ts'
export {
  type Capacity,
  connectionsForOthers,
  countWithoutFilesKey,
  presentServices,
  readCapacity,
  ServiceRegistry,
  TooFewConnections,
} from './pool/service-registry.ts'
export { TenantContention } from './pool/tenant-contention.ts'
export {
  column,
  empty,
  getMadeOnce,
  identifier,
  identifiers,
  isOneOf,
  join,
  literal,
  literalName,
  madeOnce,
  named,
  quotedName,
  type Sql,
  type Statement,
  sql,
} from './sql/statement.ts'
export { type ChangedRow, type ColumnType, getUpdates, moment, type Table, table } from './sql/table.ts'
export { perTransaction } from './transaction/per-transaction.ts'
export { getWhole, type Transaction, TransactionRestart } from './transaction/transaction.ts'
export { outsideTransaction } from './transaction/within-transaction.ts'
