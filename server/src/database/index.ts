export {
  type Connection,
  clientOptions,
  Database,
  noTenant,
  prepared,
  serviceRole,
  type Transaction,
} from './database.ts'
export { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'
export { DatabaseUnavailable } from './errors.ts'
export { MigrationError, type MigrationReport, migrate, missingMigrations } from './migrate.ts'
export { asOwner, type OpenedDatabase, openDatabase } from './open.ts'
export { column, empty, identifier, identifiers, join, literal, type Sql, sql } from './statement.ts'
export { type Table, table } from './table.ts'
