import type { Json } from '@matricula/contract'
import { takeAdvisoryLock, undoneByFailure } from '../../concurrency/index.ts'
import { identifier, type Sql, sql, type Transaction, TransactionRestart } from '../../database/index.ts'
import { CommandError, Problem } from '../../errors/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { isUuid } from '../../values/index.ts'
import { type ImportCaller, type ImportPlatform, makeSession } from './import-session.ts'
import { getImportKind, type ImportKind, type ImportSession } from './kinds/index.ts'
import { findRun } from './runs.ts'

/** A record that stays as the run left it, and why. */
export interface KeptRecord {
  readonly externalId: string | null
  readonly id: string
  readonly code: string
  readonly detail: string
}

/** What came of undoing a run. */
export interface UndoReport {
  readonly run: { readonly id: string; readonly undone: number; readonly kept: number }
  readonly kept: readonly KeptRecord[]
}

/** Something that a run has done to a record. */
interface Done {
  readonly id: string
  readonly external_id: string | null
  /** Null where the run made the record. */
  readonly before: Record<string, Json> | null
  readonly version_before: number | null
  readonly version_after: number
  /** Null where the record is gone. */
  readonly version: number | null
}

const chunkSize = 100

/**
 * Takes back what a run made or changed, record by record. One that changed since, or that another needs, stays. Can be
 * repeated; then it looks at those that stayed. `progress` is told how many are undone. Throws `CommandError` for an unknown
 * run.
 */
export async function undoImport(
  platform: ImportPlatform,
  caller: ImportCaller,
  runId: string,
  progress: (undone: number) => void = () => {},
): Promise<UndoReport> {
  const { database } = platform
  const tenantId = caller.tenant.id
  const run = isUuid(runId) ? await findRun(database, tenantId, runId) : null
  if (run === null)
    throw new CommandError('not_found', `There is no import ${runId}. matricula import list shows them.`)
  const kind = getImportKind(run.kind)
  const kept: KeptRecord[] = []
  let undone = 0
  // Records that were made last go first, since later ones may name earlier ones.
  let behind: string | null = null
  for (;;) {
    const part: { last: string | null; undone: number; kept: KeptRecord[] } = await database.transaction(
      tenantId,
      async (tx) => {
        await takeAdvisoryLock(tx, 'imports')
        const session = makeSession(tx, platform, caller, run.id)
        const all = await findDone(tx, kind, run.id, behind)
        const stays: KeptRecord[] = []
        for (const done of all) {
          const reason = await undoOne(session, kind, done)
          if (reason !== null) stays.push({ externalId: done.external_id, id: done.id, ...reason })
        }
        return { last: all.at(-1)?.id ?? null, undone: all.length - stays.length, kept: stays }
      },
    )
    if (part.last === null) break
    behind = part.last
    undone += part.undone
    kept.push(...part.kept)
    progress(undone)
  }
  await database.transaction(tenantId, async (tx) => {
    tx.send(sql`
      update import_runs set undone_at = current_stamp(), undone = coalesce(undone, 0) + ${undone}, kept = ${kept.length}
       where tenant_id = ${tenantId} and id = ${run.id}`)
  })
  return { run: { id: run.id, undone, kept: kept.length }, kept }
}

/** What a run has done that is not undone yet, from the last made record to the first, behind one of them. */
function findDone(tx: Transaction, kind: ImportKind, runId: string, behind: string | null): Promise<Done[]> {
  const table = identifier(kind.table)
  const hasColumn = ['students', 'applications', 'payments', 'programs', 'courses'].includes(kind.name)
  const externalId = hasColumn ? sql`coalesce(e.external_id, d.external_id)` : sql`d.external_id`
  const isBehind = (id: Sql) => (behind === null ? sql`true` : sql`${id} < ${behind}`)
  return tx.query<Done>(sql`
    select d.id, ${externalId} as external_id, d.before, d.version_before, d.version_after, e.version
      from (
        (select i.record_id as id, i.external_id, null::jsonb as before, null::integer as version_before,
                i.made_version as version_after
           from imported_records i
          where i.tenant_id = ${tx.tenantId} and i.made_by = ${runId} and ${isBehind(sql`i.record_id`)}
          order by i.record_id desc limit ${chunkSize})
        union all
        (select c.record_id, i.external_id, c.before, c.version_before, c.version_after
           from import_changes c
           left join imported_records i
             on i.tenant_id = ${tx.tenantId} and i.kind = ${kind.name} and i.record_id = c.record_id
          where c.tenant_id = ${tx.tenantId} and c.run_id = ${runId} and ${isBehind(sql`c.record_id`)}
          order by c.record_id desc limit ${chunkSize})
      ) d
      left join lateral (
             select * from ${table} found where found.tenant_id = ${tx.tenantId} and found.id = d.id limit 1) as e on true
     order by d.id desc
     limit ${chunkSize}`)
}

/** Undoes one thing; gives the reason why it stays, or null. */
async function undoOne(
  session: ImportSession,
  kind: ImportKind,
  done: Done,
): Promise<Pick<KeptRecord, 'code' | 'detail'> | null> {
  const { tx } = session
  const { id, before, version } = done
  if (version === null) {
    forget(tx, kind, id)
    return null
  }
  if (version !== done.version_after) {
    const detail = await findChangeSince(session, id)
    if (detail !== null) return { code: 'changed_since', detail }
  }
  try {
    await undoneByFailure(tx, async () => {
      if (before === null) {
        await kind.remove(session, id)
        forget(tx, kind, id)
      } else {
        await kind.restore(session, id, before)
        await settle(session, kind, done)
      }
    })
    return null
  } catch (error) {
    if (error instanceof TransactionRestart) throw error
    return toReason(error)
  }
}

/**
 * Says who, or which later import, has changed a record since a run wrote it; null where that were only jobs of the service itself, such as the one for overdue
 * payments, and imports that are undone.
 */
async function findChangeSince({ tx, runId, context }: ImportSession, id: string): Promise<string | null> {
  const { tenantId } = tx
  const zone = context.tenant.timeZone
  const [last] = await tx.query<{ id: string }>(sql`
    select id from audit_entries where tenant_id = ${tenantId} and entity_id = ${id} and request_id = ${runId}
     order by id desc limit 1`)
  if (last === undefined) return 'The record has changed since the import.'
  const [change] = await tx.query<{
    actor_name: string
    day: string
    later_run: string | null
    later_kind: string
  }>(sql`
    select a.actor_name, to_char(a.occurred_at at time zone ${zone}, 'YYYY-MM-DD') as day,
           later.id as later_run, later.kind as later_kind
      from audit_entries a
      left join import_runs later on later.tenant_id = ${tenantId} and later.id = a.request_id
     where a.tenant_id = ${tenantId} and a.entity_id = ${id} and a.id > ${last.id}
       and a.actor_type <> 'system' and a.request_id is distinct from ${runId}
       and later.undone_at is null
     order by a.id
     limit 1`)
  if (change === undefined) return null
  const { actor_name: actor, day, later_run: later, later_kind: kind } = change
  if (later === null) return `${actor} has changed the record since the import, on ${day}.`
  return `A later import, of ${kind}, has changed the record: undo that one first (${later}).`
}

function forget(tx: Transaction, kind: ImportKind, id: string): void {
  tx.send(sql`
    delete from imported_records where tenant_id = ${tx.tenantId} and kind = ${kind.name} and record_id = ${id}`)
  tx.send(sql`delete from import_changes where tenant_id = ${tx.tenantId} and record_id = ${id}`)
}

/** Lets an earlier run be undone too: the record is again as that run left it. */
async function settle({ tx, runId }: ImportSession, kind: ImportKind, done: Done): Promise<void> {
  const [row] = await tx.query<{ version: number }>(sql`
    select version from ${identifier(kind.table)} where tenant_id = ${tx.tenantId} and id = ${done.id}`)
  const version = row?.version ?? 0
  tx.send(sql`
    delete from import_changes where tenant_id = ${tx.tenantId} and run_id = ${runId} and record_id = ${done.id}`)
  tx.send(sql`
    update import_changes set version_after = ${version}
     where tenant_id = ${tx.tenantId} and record_id = ${done.id} and version_after = ${done.version_before}`)
  tx.send(sql`
    update imported_records
       set made_version = case when made_version = ${done.version_before} then ${version} else made_version end,
           row_digest = '', version = ${version}, imported_at = current_stamp()
     where tenant_id = ${tx.tenantId} and kind = ${kind.name} and record_id = ${done.id}`)
}

function toReason(error: unknown): Pick<KeptRecord, 'code' | 'detail'> {
  if (error instanceof Problem) return { code: error.code, detail: error.message }
  if (error instanceof CommandError) return { code: error.code, detail: error.message }
  if (error instanceof RecordError) {
    const code = error.type === 'LinkExistsError' ? 'needed' : 'state_conflict'
    return { code, detail: error.message.replace(/<[^<>]*>/g, '') }
  }
  const isNeeded = (error as { code?: string }).code === '23503'
  if (isNeeded) return { code: 'needed', detail: 'Another record needs it.' }
  throw error
}
