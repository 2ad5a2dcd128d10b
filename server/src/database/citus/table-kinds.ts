/**
 * How the tables of a cluster are kept. `distributed`: a tenant's rows on one node, found by `tenant_id`, those of all tables
 * together. `reference`: the same rows on every node. `local`: on the coordinator alone.
 */
export type TableKind = 'distributed' | 'reference' | 'local'

/** The tables that are no tenant's, and why they are kept so. Every other table has a `tenant_id` first in its key and is distributed. */
const kindsOfOthers: Readonly<Record<string, TableKind>> = {
  // Foreign keys of tenant tables lead to it, and what a tenant may do is asked with its rows.
  tenants: 'reference',
  // It says whose a secret is before the tenant is known.
  api_key_hashes: 'reference',
  oauth_consumer_keys: 'reference',
  // Asked before the tenant is known, and of all processes together.
  request_counts: 'local',
  // Whoever migrates and whoever runs jobs asks the coordinator, so that one does.
  schema_migrations: 'local',
  job_states: 'local',
  backup_state: 'local',
  files_keys: 'local',
  installations: 'local',
  secret_key_marks: 'local',
  deleted_tenants: 'local',
  keys_to_restore: 'local',
}

/** How a table is kept on a cluster. */
export function getKind(table: string): TableKind {
  return kindsOfOthers[table] ?? 'distributed'
}
