import { createHash } from 'node:crypto'
import { changedFields } from '../../../changes/index.ts'
import { identifier, type Sql, sql, type Transaction } from '../../../database/index.ts'
import type { ImportSession } from './import-kind.ts'

/** A record that a row names, with what the last import left of it. */
export interface RecordState {
  readonly id: string
  readonly externalId: string | null
  readonly version: number
  /** What the last import left; null where none has been. */
  readonly imported: {
    readonly digest: string
    readonly version: number
    readonly at: string
    readonly corrected: readonly string[]
  } | null
}

interface StateRow {
  readonly id: string
  readonly external_id: string | null
  readonly version: number
  readonly row_digest: string | null
  readonly imported_version: number
  readonly imported_at: string
  readonly corrected: string[]
}

const stateColumns = sql`
  e.id, e.version, i.row_digest, i.version as imported_version, i.imported_at, i.corrected`

/** The records of a table that have these keys, with what imports know of them. */
export async function findStates(
  tx: Transaction,
  kind: string,
  table: string,
  key: { readonly column: 'id' | 'external_id'; readonly values: readonly string[] },
): Promise<RecordState[]> {
  if (key.values.length === 0) return []
  const type = key.column === 'id' ? sql`uuid[]` : sql`text[]`
  const rows = await tx.query<StateRow>(sql`
    select ${stateColumns}, e.external_id
      from unnest(${key.values}::${type}) as wanted (key)
     cross join lateral (
             select id, version, external_id from ${identifier(table)}
              where tenant_id = ${tx.tenantId} and ${byKey(identifier(key.column), sql`wanted.key`)}) as e
      ${findImported(tx, kind, sql`e.id`)}`)
  return rows.map(toState)
}

/** The same for records whose table has no externalId: the imports keep it. */
export async function findNamedStates(
  tx: Transaction,
  kind: string,
  table: string,
  key: { readonly column: 'id' | 'external_id'; readonly values: readonly string[] },
): Promise<RecordState[]> {
  if (key.values.length === 0) return []
  const rows = await tx.query<StateRow>(
    key.column === 'id'
      ? sql`
          select ${stateColumns}, i.external_id
            from unnest(${key.values}::uuid[]) as wanted (key)
           cross join lateral (${getVersion(tx, table, sql`wanted.key`)}) as e
            ${findImported(tx, kind, sql`e.id`)}`
      : sql`
          select ${stateColumns}, i.external_id
            from unnest(${key.values}::text[]) as wanted (key)
           cross join lateral (
                   select record_id, external_id, row_digest, version, imported_at, corrected from imported_records
                    where tenant_id = ${tx.tenantId} and kind = ${kind} and ${byKey(sql`external_id`, sql`wanted.key`)}) as i
           cross join lateral (${getVersion(tx, table, sql`i.record_id`)}) as e`,
  )
  return rows.map(toState)
}

/**
 * The condition and order that find the one row of a key. Each record is looked up by itself, and as a range: where PostgreSQL does not
 * know yet how many there are, it would rather read all of them, or take any index that begins with the tenant.
 */
function byKey(column: Sql, key: Sql): Sql {
  return sql`${column} between ${key} and ${key} order by ${column} limit 1`
}

function findImported(tx: Transaction, kind: string, id: Sql): Sql {
  return sql`
    left join lateral (
           select external_id, row_digest, version, imported_at, corrected from imported_records
            where tenant_id = ${tx.tenantId} and kind = ${kind} and ${byKey(sql`record_id`, id)}) as i on true`
}

function getVersion(tx: Transaction, table: string, id: Sql): Sql {
  return sql`
    select id, version from ${identifier(table)} where tenant_id = ${tx.tenantId} and ${byKey(sql`id`, id)}`
}

function toState(row: StateRow): RecordState {
  const { id, external_id: externalId, version, row_digest: digest } = row
  const imported =
    digest === null ? null : { digest, version: row.imported_version, at: row.imported_at, corrected: row.corrected }
  return { id, externalId, version, imported }
}

/** What an import leaves of a record. */
export interface LeftState {
  readonly id: string
  readonly externalId: string | null
  readonly digest: string
  readonly version: number
  readonly corrected: readonly string[]
  readonly isMade: boolean
  /** The fields that were changed, as they were; null where nothing was. */
  readonly before: { readonly values: object; readonly version: number } | null
}

/** Stores what a batch has left. */
export function storeStates({ tx, runId }: ImportSession, kind: string, left: readonly LeftState[]): void {
  if (left.length === 0) return
  tx.send(sql`
    insert into imported_records (tenant_id, kind, record_id, external_id, row_digest, version, imported_at, corrected,
                                  made_by, made_version)
    select ${tx.tenantId}, ${kind}, id, external_id, digest, version, (select current_stamp()), corrected::text[],
           case when is_made then ${runId}::uuid end, case when is_made then version end
      from unnest(${left.map(({ id }) => id)}::uuid[], ${left.map(({ externalId }) => externalId)}::text[],
                  ${left.map(({ digest }) => digest)}::text[], ${left.map(({ version }) => version)}::integer[],
                  ${left.map(({ corrected }) => toArray(corrected))}::text[], ${left.map(({ isMade }) => isMade)}::boolean[])
             as item (id, external_id, digest, version, corrected, is_made)
    on conflict (tenant_id, kind, record_id) do update
       set external_id = coalesce(excluded.external_id, imported_records.external_id), row_digest = excluded.row_digest,
           version = excluded.version, imported_at = excluded.imported_at, corrected = excluded.corrected`)
  const changes = left.flatMap(({ id, version, before }) =>
    before === null
      ? []
      : [{ id, before: { ...before.values, id }, version_before: before.version, version_after: version }],
  )
  if (changes.length === 0) return
  tx.send(sql`
    insert into import_changes (tenant_id, run_id, record_id, kind, before, version_before, version_after)
    select ${tx.tenantId}, ${runId}, id, ${kind}, before, version_before, version_after
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as item (
             id uuid, before jsonb, version_before integer, version_after integer)`)
}

/** The names of fields as the text of an array of PostgreSQL. */
function toArray(fields: readonly string[]): string {
  return `{${fields.map((field) => `"${field.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** The versions that records have now, by id. */
export async function findVersions(
  tx: Transaction,
  table: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; version: number }>(sql`
    select e.id, e.version
      from unnest(${ids}::uuid[]) as wanted (id)
     cross join lateral (${getVersion(tx, table, sql`wanted.id`)}) as e`)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** A digest of what a row says, by which the same row is known again. */
export function digestRow(values: object): string {
  return createHash('sha1').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}

interface AuditRow {
  readonly entity_id: string
  readonly is_correction: boolean
  readonly before: object | null
  readonly after: object | null
}

/**
 * The fields of records that a person has changed since the last import, or before it without the file agreeing yet. What a
 * token, a command or an import changed after the person is no correction any more.
 */
export async function findCorrections(
  tx: Transaction,
  states: readonly RecordState[],
): Promise<Map<string, Set<string>>> {
  const corrections = new Map<string, Set<string>>()
  const touched = states.filter(({ imported, version }) => imported !== null && imported.version !== version)
  for (const { id, imported } of states) corrections.set(id, new Set(imported?.corrected ?? []))
  if (touched.length === 0) return corrections
  const since = JSON.stringify(touched.map(({ id, imported }) => ({ id, at: imported?.at })))
  const rows = await tx.query<AuditRow>(changesSince(tx.tenantId, since))
  for (const { entity_id: id, is_correction: isCorrection, before, after } of rows) {
    const corrected = corrections.get(id) as Set<string>
    for (const field of changedFields(before, after)) {
      if (isCorrection) corrected.add(field)
      else corrected.delete(field)
    }
  }
  return corrections
}

function changesSince(tenantId: string, since: string): Sql {
  return sql`
    select a.entity_id, a.before, a.after,
           a.actor_type = 'user' and not exists (
             select from import_runs r where r.tenant_id = ${tenantId} and r.id = a.request_id) as is_correction
      from jsonb_to_recordset(${since}::jsonb) as touched (id uuid, at timestamptz)
     cross join lateral (
             select id, entity_id, request_id, actor_type, before, after from audit_entries
              where tenant_id = ${tenantId} and entity_id = touched.id and occurred_at > touched.at
                and before is not null and after is not null
             offset 0) as a
     order by a.id`
}
