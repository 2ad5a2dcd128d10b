import { type Body, type ImportKindName, importOperations } from '@matricula/contract'
import type { RequestContext } from '../../../changes/index.ts'
import { recordAccess } from '../../../changes/index.ts'
import { type Database, type Sql, sql, type Transaction } from '../../../database/index.ts'
import { notFoundProblem, Problem } from '../../../errors/index.ts'
import {
  implement,
  type OperationRequest,
  type Route,
  requireUse,
  type Settled,
  type Write,
} from '../../../http/index.ts'
import { getCaller, isManager, type RecordRegistry } from '../../../record-engine/index.ts'
import { fileKey } from '../../../storage/index.ts'
import { newId, sameJson } from '../../../values/index.ts'
import { inspectFile } from '../files/open-file.ts'
import { getImportKind } from '../kinds/index.ts'
import { readMapping } from '../mapping.ts'
import { UnreadableFile } from '../row-errors.ts'
import { guessColumns, mappingOf } from './guess-columns.ts'
import { inFolder, storeFile, writeSent } from './import-files.ts'
import { type ImportJobRow, lockJob, selectJobs, toJob } from './import-job-store.ts'
import { requireMayImport } from './import-rights.ts'
import type { ImportJobsPlatform, ImportRunner } from './import-runner.ts'

type Operations = typeof importOperations
type UploadRequest = OperationRequest<Operations['uploadImport']>
type UploadWrite = Write<Operations['uploadImport']>

/** The operations of imports in the console. */
export function importRoutes(platform: Pick<ImportJobsPlatform, 'registry' | 'store'>, runner: ImportRunner): Route[] {
  const { registry, store } = platform
  const allowed = (context: RequestContext, job: ImportJobRow, isUndo = false) =>
    requireRights(registry, context, job.kind, isUndo)
  return implement(importOperations, {
    uploadImport: { prepare: (database, request) => upload(platform, database, request) },
    listImports: async (database, { context }) => {
      const rows = await database.readSlowly<ImportJobRow>(
        context.tenant.id,
        sql`${selectJobs(context.tenant.id, visibleTo(context))} order by j.created_at desc, j.id desc limit 100`,
      )
      return rows.map(toJob)
    },
    getImport: async (database, { context, params }) => ({
      record: toJob(await findJob(database, context, params.id)),
      entityTag: null,
    }),
    checkImport: async (tx, { context, params, body }) => {
      const job = await lockVisible(tx, context, params.id)
      allowed(context, job)
      const mapping = readMapping((body as Body<Operations['checkImport']> | undefined)?.mapping ?? job.mapping)
      if (job.status === 'checking' && sameJson(mapping as never, job.mapping as never)) return toResponse(job)
      requireStatus(job, ['uploaded', 'checked', 'failed'])
      const set = sql`
        status = 'checking', mapping = ${JSON.stringify(mapping)}::jsonb, rows = 0, report = null, error = null,
        expected = null`
      return begin(tx, context, job, set, runner)
    },
    commitImport: async (tx, { context, params, body }) => {
      const job = await lockVisible(tx, context, params.id)
      allowed(context, job)
      if (job.status === 'importing' || job.status === 'imported') return toResponse(job)
      requireStatus(job, ['checked'])
      const { created, updated, skipFaulty = false } = body
      requireAsChecked(job, { created, updated, skipFaulty })
      const expected = JSON.stringify({ created, updated, skipFaulty })
      const set = sql`status = 'importing', expected = ${expected}::jsonb, rows = 0, run_id = ${newId()}`
      return begin(tx, context, job, set, runner)
    },
    undoImport: async (tx, { context, params }) => {
      const job = await lockVisible(tx, context, params.id)
      allowed(context, job, true)
      if (job.status === 'undoing' || (job.status === 'undone' && job.kept_count === 0)) return toResponse(job)
      requireStatus(job, ['imported', 'undone'])
      return begin(tx, context, job, sql`status = 'undoing', rows = 0`, runner)
    },
    readRefusedRows: async (database, { context, params }) => {
      const job = await findJob(database, context, params.id)
      allowed(context, job)
      if (job.refused_file_id === null) throw notFoundProblem('file of refused rows')
      const stream = await store.open('frozen', fileKey(context.tenant.id, job.refused_file_id))
      if (stream === null) throw notFoundProblem('file of refused rows')
      const pieces: Buffer[] = []
      for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
      const name = job.file_name.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '_')
      const fileName = `${name}.refused.${job.format}`
      return { record: toJob(job), entityTag: null, file: { bytes: Buffer.concat(pieces), fileName } }
    },
  })
}

/** Throws as `requireMayImport` does, for whoever calls. */
function requireRights(registry: RecordRegistry, context: RequestContext, kind: ImportKindName, isUndo = false): void {
  requireMayImport(registry, getCaller(context), (scope) => requireUse(context.caller, scope), kind, isUndo)
}

/** The condition on imports `j` that a caller sees: its own, or all for a System Manager. */
function visibleTo(context: RequestContext): Sql {
  const caller = getCaller(context)
  return isManager(caller) ? sql`true` : sql`j.user_id = ${caller.actor.id}`
}

async function findJob(database: Database, context: RequestContext, id: string): Promise<ImportJobRow> {
  const condition = sql`j.id = ${id} and ${visibleTo(context)}`
  const [row] = await database.readSlowly<ImportJobRow>(context.tenant.id, selectJobs(context.tenant.id, condition))
  if (row === undefined) throw notFoundProblem('import')
  return row
}

function lockVisible(tx: Transaction, context: RequestContext, id: string): Promise<ImportJobRow> {
  return lockJob(tx, sql`j.id = ${id} and ${visibleTo(context)}`)
}

function toResponse(job: ImportJobRow) {
  return { record: toJob(job), entityTag: null }
}

/** Throws `state_conflict` for an import that stands elsewhere. */
function requireStatus(job: ImportJobRow, statuses: readonly ImportJobRow['status'][]): void {
  if (statuses.includes(job.status)) return
  const detail = `The import is ${job.status}. This needs one that is ${statuses.join(' or ')}.`
  throw new Problem('state_conflict', detail, { status: job.status })
}

/** Throws `state_conflict` unless it can be imported as the check said. */
function requireAsChecked(
  { report }: ImportJobRow,
  asked: { readonly created: number; readonly updated: number; readonly skipFaulty: boolean },
): void {
  const facts = { status: 'checked' }
  if (report === null || report.created !== asked.created || report.updated !== asked.updated) {
    throw new Problem('state_conflict', 'The last check says something else. Read the import again.', facts)
  }
  if (report.refusal !== 'invalid_file') return
  const canSkip = asked.skipFaulty && report.created + report.updated + report.unchanged > 0
  if (canSkip) return
  throw new Problem('state_conflict', 'Rows are faulty. Correct the file, or skip them by skipFaulty.', facts)
}

/** Sets what is to be done with an import, and has it done once the transaction commits. */
async function begin(tx: Transaction, context: RequestContext, job: ImportJobRow, set: Sql, runner: ImportRunner) {
  const { actor, tenant, address } = context
  const [row] = await tx.query<ImportJobRow>(sql`
    update import_jobs j
       set ${set}, actor_id = ${actor.id}, actor_name = ${actor.name}, address = ${address}, heard_at = null,
           updated_at = current_stamp()
     where j.tenant_id = ${tx.tenantId} and j.id = ${job.id}
    returning j.*`)
  runner.wakeSoon(tenant, job.id)
  return toResponse(row as ImportJobRow)
}

/** Reads the columns of a file and stores it; the response is the import that is there for the same file. */
async function upload(
  { registry, store }: Pick<ImportJobsPlatform, 'registry' | 'store'>,
  database: Database,
  { context, query, body }: UploadRequest,
): Promise<UploadWrite | Settled<Operations['uploadImport']>> {
  const { kind, fileName } = query
  requireRights(registry, context, kind)
  const tenantId = context.tenant.id
  return inFolder(async (folder) => {
    const path = await writeSent(folder, body.bytes)
    try {
      const facts = await inspectFile(path, fileName)
      const known = sql`
        ${visibleTo(context)} and j.user_id = ${context.actor.id} and j.kind = ${kind} and j.file_name = ${fileName}
          and j.file_sha256 = ${facts.sha256} and j.status in ('uploaded', 'checking', 'checked')`
      const [same] = await database.readSlowly<ImportJobRow>(tenantId, selectJobs(tenantId, known))
      if (same !== undefined) return { response: toResponse(same) }
      const { columns, sheet } = await guessColumns(facts, getImportKind(kind).fields)
      const id = newId()
      const { id: userId, name: userName } = context.actor
      await database.transaction(tenantId, async (tx) => {
        tx.send(sql`
          insert into import_jobs (tenant_id, id, kind, file_name, file_sha256, size_bytes, format, sheet, columns,
                                   mapping, status, error, user_id, user_name, actor_id, actor_name, address)
          values (${tenantId}, ${id}, ${kind}, ${fileName}, ${facts.sha256}, ${facts.bytes}, ${facts.format}, ${sheet},
                  ${JSON.stringify(columns)}::jsonb, ${JSON.stringify(mappingOf(columns))}::jsonb, 'failed',
                  'The file did not arrive. Upload it again.', ${userId}, ${userName}, ${userId}, ${userName},
                  ${context.address})`)
      })
      await storeFile(store, tenantId, id, path)
      return (tx) => finishUpload(tx, context, id)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      const found = { code: error.code, line: error.line, column: error.column }
      const detail = `${fileName} ${error.message}.`
      throw new Problem('file_rejected', detail, { expected: 'a CSV, .xlsx or NDJSON file', found })
    }
  })
}

async function finishUpload(tx: Transaction, context: RequestContext, id: string) {
  const [row] = await tx.query<ImportJobRow>(sql`
    update import_jobs j set status = 'uploaded', error = null, updated_at = current_stamp()
     where j.tenant_id = ${tx.tenantId} and j.id = ${id}
    returning j.*`)
  const job = row as ImportJobRow
  const { kind, file_name: fileName, size_bytes: sizeBytes } = job
  recordAccess(tx, context, {
    action: 'import.uploaded',
    entityType: 'import',
    entityId: id,
    facts: { kind, fileName, sizeBytes },
  })
  return { ...toResponse(job), isNew: true }
}
