import { column, type Database, type Sql, sql } from '../../../../database/index.ts'

export type ParquetType = 'STRING' | 'INT32' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP' | 'DATE' | 'JSON'

/** A table of an institution, with the columns that its file has. */
export interface ParquetTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: ParquetType }[]
  /** The values of the columns, as `columnValues` of their types takes them. */
  readonly selected: readonly Sql[]
}

/** Tables that no analysis needs, by why. Every other one that has rows of an institution is exported. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  'accounts, keys and secrets': [
    ...['api_key_addresses', 'api_key_secrets', 'api_keys', 'issuer_accounts', 'issuers', 'log_in_steps'],
    ...['oauth_consumer_secrets', 'oauth_nonces', 'one_time_codes', 'passkeys', 'password_resets', 'recovery_codes'],
    ...['removed_issuers', 'required_factors', 'session_settings', 'sessions', 'used_tickets', 'user_preferences'],
    ...['users', 'users_roles', 'webhooks', 'webhook_deliveries', 'webhook_states'],
  ],
  'what the service needs to work': [
    ...['bulk_job_items', 'bulk_jobs', 'card_gateway_events', 'card_order_checks', 'event_feeds', 'event_positions'],
    ...[
      'form_drafts',
      'form_draft_files',
      'form_submission_counts',
      'idempotency_keys',
      'import_changes',
      'import_jobs',
    ],
    ...['imported_records', 'naming_series', 'outgoing_mails', 'payment_records', 'record_counts', 'review_claims'],
    ...['removed_custom_fields', 'roster_deletions', 'saved_views', 'search_entries', 'search_waiting', 'stored_files'],
    ...['custom_field_values', 'rate_limit_windows', 'attempt_counts'],
  ],
  'what has an export of its own, by position or time': ['audit_entries', 'disclosures', 'events'],
}

const excluded: ReadonlySet<string> = new Set(Object.values(leftOut).flat())

/** Columns that no export shows. */
const secret = /password|secret|token|hash|_key$/

const types: Readonly<Record<string, ParquetType>> = {
  smallint: 'INT32',
  integer: 'INT32',
  bigint: 'INT64',
  numeric: 'DOUBLE',
  'double precision': 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  'timestamp with time zone': 'TIMESTAMP',
  jsonb: 'JSON',
}

/** Every table that has rows of institutions, but for accounts, secrets and what the service needs to work. */
export async function findTables(database: Database, tenantId: string): Promise<ParquetTable[]> {
  const rows = await database.readSlowly<{ table: string; column: string; type: string }>(
    tenantId,
    sql`
      select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
       order by c.relname collate "C", a.attnum`,
  )
  const tables = new Map<string, { columns: { name: string; type: ParquetType }[]; selected: Sql[] }>()
  for (const { table, column: name, type } of rows) {
    if (excluded.has(table)) continue
    const found = tables.get(table) ?? { columns: [], selected: [] }
    tables.set(table, found)
    if (name === 'tenant_id' || secret.test(name)) continue
    found.columns.push({ name, type: types[type] ?? 'STRING' })
    found.selected.push(selectValue(name, type))
  }
  return [...tables].map(([name, found]) => ({ name, ...found }))
}

/** A column of a type of PostgreSQL in the form that is written: lists as JSON, what Parquet has no type for as text. */
function selectValue(name: string, type: string): Sql {
  const value = column(name)
  if (type.endsWith('[]')) return sql`to_jsonb(${value})::text`
  switch (types[type]) {
    case 'INT32':
      return sql`${value}::integer`
    case 'DOUBLE':
      return sql`${value}::double precision`
    case undefined:
    case 'JSON':
      return sql`${value}::text`
    default:
      return value
  }
}
