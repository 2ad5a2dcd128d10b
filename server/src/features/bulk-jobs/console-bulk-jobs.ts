import {
  type Body,
  type BulkFault,
  type BulkPreview,
  bulkBounds,
  bulkOperations,
  type Fault,
  pageBounds,
  type Static,
} from '@matricula/contract'
import type { RecordType, Right } from '@matricula/contract/record-types'
import type { ChangeContext, RequestContext } from '../../changes/index.ts'
import { type Database, literal, type Sql, sql, type Transaction } from '../../database/index.ts'
import { notFoundProblem, Problem, validationProblem } from '../../errors/index.ts'
import { implement, type Route, type Write } from '../../http/index.ts'
import type { WalkPage } from '../../listing/index.ts'
import { getCursor, isPage, partsOfCursor } from '../../listing/index.ts'
import {
  type Caller,
  countRecords,
  getCaller,
  getReading,
  isManager,
  listRecords,
  mayDo,
  parseListRequest,
  type Reading,
  type RecordRegistry,
  rolesWith,
} from '../../record-engine/index.ts'
import { asRecordError } from '../../resource-api/index.ts'
import { newId } from '../../values/index.ts'
import { type BulkJobRecord, type BulkJobRow, requireJob, saveJob, selectJobs, toJob } from './bulk-job-store.ts'
import type { BulkRunner } from './bulk-runner.ts'

type Operations = typeof bulkOperations
type Asked = Body<Operations['previewBulkJob']>

/** The right that each action requires. */
const rightByAction = {
  update: 'write',
  submit: 'submit',
  cancel: 'cancel',
  delete: 'delete',
} as const satisfies Record<Asked['action'], Right>

/** The operations of bulk jobs in the console. */
export function bulkRoutes(registry: RecordRegistry, runner: BulkRunner): Route[] {
  return implement(bulkOperations, {
    previewBulkJob: {
      prepare: async (database, { context, body }) => {
        const record = await preview(getReading(database, registry, getCaller(context)), body)
        return { response: { record, entityTag: null } }
      },
    },
    createBulkJob: {
      prepare: async (database, { context, body }) => {
        const reading = getReading(database, registry, getCaller(context))
        const { type } = requireAllowed(reading, body)
        const names = getSelection(reading, type, body)
        return (tx) => createJob(tx, context, body, names, runner)
      },
    },
    listBulkJobs: async (database, { context }) => {
      const caller = getCaller(context)
      const rows = await database.readSlowly<BulkJobRow>(
        context.tenant.id,
        sql`${selectJobs(context.tenant.id, visibleTo(caller))} order by j.created_at desc, j.id desc limit 100`,
      )
      return rows.map(toJob)
    },
    getBulkJob: async (database, { context, params }) => ({
      record: toJob(await findJob(database, context, params.id)),
      entityTag: null,
    }),
    listBulkFaults: async (database, { context, params, query }) => {
      const { id } = await findJob(database, context, params.id)
      return listItems(database, context.tenant.id, id, 'refused', query)
    },
    listBulkChanges: async (database, { context, params, query }) => {
      const { id } = await findJob(database, context, params.id)
      const { records, ...page } = await listItems(database, context.tenant.id, id, 'done', query)
      return { ...page, records: records.map(({ name }) => ({ name })) }
    },
    cancelBulkJob: async (tx, { context, params }) => {
      const before = await requireJob(tx, sql`j.id = ${params.id} and ${visibleTo(getCaller(context))}`)
      const cancelled = await tx.query(sql`
        update bulk_jobs set status = 'cancelled', updated_at = current_stamp(), finished_at = current_stamp()
         where tenant_id = ${tx.tenantId} and id = ${before.id} and status in ('queued', 'running')
        returning id`)
      const after = await requireJob(tx, sql`j.id = ${before.id}`)
      if (cancelled.length > 0) saveJob(tx, context, 'bulk_job.cancelled', toJob(before), toJob(after))
      return { record: toJob(after), entityTag: null }
    },
    undoBulkJob: (tx, { context, params }) => undoJob(tx, context, params.id, runner),
  })
}

/** The condition on jobs `j` that a caller sees: its own, or all for a System Manager. */
function visibleTo(caller: Caller): Sql {
  return isManager(caller) ? sql`true` : sql`j.user_id = ${caller.actor.id}`
}

async function findJob(database: Database, context: RequestContext, id: string): Promise<BulkJobRow> {
  const condition = sql`j.id = ${id} and ${visibleTo(getCaller(context))}`
  const [row] = await database.read<BulkJobRow>(context.tenant.id, selectJobs(context.tenant.id, condition))
  if (row === undefined) throw notFoundProblem('bulk job')
  return row
}

/** Throws when the caller lacks the right, or the action is invalid for the type. */
function requireAllowed(
  { registry, caller }: Reading,
  { type: typeName, action, names, filters, orFilters, changes }: Asked,
) {
  const definition = registry.find(typeName)
  if (definition === null || definition.computed !== null || definition.type.kind === 'single') {
    throw notFoundProblem('record type with many records')
  }
  const { type } = definition
  const right = rightByAction[action]
  for (const each of ['read', right] as const) {
    if (mayDo(caller, type, each)) continue
    const detail = `You may not ${each} records of the type ${type.name}. Ask for a role that may.`
    throw new Problem('insufficient_role', detail, { requiredRoles: rolesWith(type, each) })
  }
  const validationErrors: Fault[] = []
  const fault = (field: string, code: Fault['code'], detail: string) =>
    validationErrors.push({ in: 'body', pointer: `#/${field}`, code, detail })
  if ((names === undefined) === (filters === undefined))
    fault('names', 'inconsistent', 'name the records, or filters that they meet')
  if (orFilters !== undefined && filters === undefined) fault('orFilters', 'inconsistent', 'stands beside filters')
  const fields = Object.keys(changes ?? {})
  if (action === 'update' && fields.length === 0) fault('changes', 'required', 'says which fields become what')
  if (action !== 'update' && fields.length > 0) fault('changes', 'inconsistent', 'belongs to an update')
  if (fields.length > bulkBounds.fields) fault('changes', 'too_long', `names more than ${bulkBounds.fields} fields`)
  for (const field of fields) {
    if (!isChangeable(type, field))
      fault(`changes/${field}`, 'unknown_field', `is no field of ${type.name} that can be changed so`)
  }
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  return definition
}

function isChangeable({ fields }: RecordType, field: string): boolean {
  const declared = Object.hasOwn(fields, field) ? fields[field] : undefined
  return (
    declared !== undefined && declared.type !== 'Table' && declared.type !== 'Password' && declared.readOnly !== true
  )
}

/** The statement that selects the names of the chosen records as `f0`. Throws `validation_failed`. */
export function getSelection(
  reading: Reading,
  type: RecordType,
  { names, filters, orFilters }: Pick<Asked, 'names' | 'filters' | 'orFilters'>,
): Sql {
  if (names !== undefined) {
    return sql`select distinct on (named.name) named.name as f0 from unnest(${names}::text[]) with ordinality as named (name, place)`
  }
  return withFilterErrors(() => {
    const list = { fields: ['name'], filters, or_filters: orFilters, order_by: 'name asc' }
    const max = { limit_page_length: bulkBounds.records + 1 }
    return parseListRequest(reading.registry, reading.caller, type.name, { ...list, ...max }).statement
  })
}

/** Converts an error of the list into a validation error of the filters. */
function withFilterErrors<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) throw error
    const { message } = asRecordError(error)
    throw validationProblem([{ in: 'body', pointer: '#/filters', code: 'format', detail: message }])
  }
}

async function preview(reading: Reading, body: Asked): Promise<Static<typeof BulkPreview>> {
  const { type } = requireAllowed(reading, body)
  const { names, filters, orFilters, action } = body
  if (names !== undefined) {
    const distinct = [...new Set(names)]
    return { type: type.name, action, total: distinct.length, first: distinct.slice(0, 10) }
  }
  getSelection(reading, type, body)
  const { reader, registry, caller } = reading
  const met = { filters, or_filters: orFilters }
  const list = { ...met, fields: ['name'], limit_page_length: 10, order_by: 'name asc', as_dict: 0 }
  const [total, first] = await Promise.all([
    countRecords(reader, registry, caller, type.name, met),
    listRecords(reader, parseListRequest(registry, caller, type.name, list)),
  ])
  requireBounded(total)
  return { type: type.name, action, total, first: first.map((row) => (row as readonly string[])[0] as string) }
}

/** Throws `rule_violated` for more records than a job may have. */
export function requireBounded(total: number): void {
  if (total <= bulkBounds.records) return
  const detail = `At most ${bulkBounds.records} records are changed at once. Filter them further.`
  throw new Problem('rule_violated', detail, { rule: 'bulk_job_size' })
}

/**
 * Creates a job that runs a long method of a record with the rights of the caller, and starts it after the commit. A method
 * that was begun and not committed is run again.
 */
export async function runInJob(
  tx: Transaction,
  context: Caller,
  { type, name, method }: { readonly type: string; readonly name: string; readonly method: string },
  runner: Pick<BulkRunner, 'wakeSoon'>,
): Promise<void> {
  const id = newId()
  insertJob(tx, context, {
    id,
    type,
    action: 'run',
    changes: { method, by: context.actor.type },
    undoes: null,
    total: 1,
  })
  tx.send(sql`
    insert into bulk_job_items (tenant_id, job_id, place, type, name) values (${tx.tenantId}, ${id}, 1, ${type}, ${name})`)
  saveJob(tx, context, 'bulk_job.created', null, toJob(await requireJob(tx, sql`j.id = ${id}`)))
  runner.wakeSoon(context.tenant, id)
}

/** The action of a job, and the expected number of records. */
type Work = Pick<NewJob, 'type' | 'action'> & Partial<Pick<NewJob, 'changes'>> & { readonly expectedTotal?: number }

/**
 * Creates a job for the records that a statement selects as `f0`, and starts it. Throws `rule_violated` for too many,
 * and `state_conflict` when the number differs from the expected one.
 */
export async function createJob(
  tx: Transaction,
  context: RequestContext,
  { type, action, changes = {}, expectedTotal }: Work,
  names: Sql,
  runner: BulkRunner,
): ReturnType<Write<Operations['createBulkJob']>> {
  const id = newId()
  const found = await tx.query<{ name: string }>(sql`select chosen.f0 as name from (${names}) chosen order by 1`)
  const total = found.length
  requireBounded(total)
  if (expectedTotal !== undefined && expectedTotal !== total) {
    const detail = `There are ${total} such records by now, not ${expectedTotal}. Look at the preview again.`
    throw new Problem('state_conflict', detail, { currentState: String(total) })
  }
  insertJob(tx, context, { id, type, action, changes, undoes: null, total })
  tx.send(sql`
    insert into bulk_job_items (tenant_id, job_id, place, type, name)
    select ${tx.tenantId}, ${id}, named.place, ${type}, named.name
      from unnest(${found.map(({ name }) => name)}::text[]) with ordinality as named (name, place)`)
  return toStartedJob(tx, context, id, runner)
}

interface NewJob {
  readonly id: string
  readonly type: string
  readonly action: BulkJobRecord['action']
  readonly changes: BulkJobRecord['changes']
  readonly undoes: string | null
  readonly total: number
}

function insertJob(tx: Transaction, { actor, address }: Pick<ChangeContext, 'actor' | 'address'>, job: NewJob): void {
  tx.send(sql`
    insert into bulk_jobs (tenant_id, id, type, action, changes, undoes, user_id, user_name, address, total)
    values (${tx.tenantId}, ${job.id}, ${job.type}, ${job.action}, ${job.changes}, ${job.undoes}, ${actor.id}, ${actor.name},
            ${address}, ${job.total})`)
}

/** The response with a new job, which starts after the commit. */
async function toStartedJob(tx: Transaction, context: RequestContext, id: string, runner: BulkRunner) {
  const job = toJob(await requireJob(tx, sql`j.id = ${id}`))
  saveJob(tx, context, 'bulk_job.created', null, job)
  runner.wakeSoon(context.tenant, id)
  return { record: job, entityTag: null }
}

/** Creates the job that restores former values, last record first. Throws `resource_not_found` and `state_conflict`. */
async function undoJob(tx: Transaction, context: RequestContext, id: string, runner: BulkRunner) {
  const row = await requireJob(tx, sql`j.id = ${id} and ${visibleTo(getCaller(context))}`)
  const job = toJob(row)
  if (!job.canUndo) {
    const why = row.is_undone ? 'It was undone already.' : 'Only changes of fields are undone, once they are over.'
    throw new Problem('state_conflict', why, { currentState: job.status })
  }
  const undoId = newId()
  insertJob(tx, context, { id: undoId, type: job.type, action: 'undo', changes: {}, undoes: job.id, total: job.done })
  tx.send(sql`
    insert into bulk_job_items (tenant_id, job_id, place, type, name, before, made_version)
    select i.tenant_id, ${undoId}, row_number() over (order by i.place desc), i.type, i.name, i.before, i.made_version
      from bulk_job_items i
     where i.tenant_id = ${tx.tenantId} and i.job_id = ${job.id} and i.status = 'done'`)
  return toStartedJob(tx, context, undoId, runner)
}

async function listItems(
  database: Database,
  tenantId: string,
  jobId: string,
  status: 'done' | 'refused',
  { limit = pageBounds.limit.default, cursor = '*' }: { readonly limit?: number; readonly cursor?: string },
): Promise<WalkPage<Static<typeof BulkFault>>> {
  const [page = '1', location = '0'] =
    cursor === '*' ? [] : partsOfCursor(cursor, [isPage, (part) => /^\d{1,9}$/.test(part)])
  const rows = await database.read<Static<typeof BulkFault> & { place: number }>(
    tenantId,
    sql`
    select place, name, fault_code as code, fault as detail from bulk_job_items
     where tenant_id = ${tenantId} and job_id = ${jobId} and status = ${status} and place > ${Number(location)}::integer
     order by place limit ${literal(limit + 1)}`,
  )
  const shown = rows.slice(0, limit)
  return {
    records: shown.map(({ name, code, detail }) => ({ name, code, detail })),
    page: Number(page),
    limit,
    nextCursor: rows.length > limit ? getCursor(Number(page) + 1, shown.at(-1)?.place ?? 0) : null,
  }
}
