import { countedLists } from '@matricula/server/app/counted-lists'
import { recount } from '@matricula/server/changes/index'
import {
  type Connection,
  clientOptions,
  prepared,
  type Statement,
  sql,
  type Transaction,
} from '@matricula/server/database/index'
import { passInSeries } from '@matricula/server/entities/index'
import { applications } from '@matricula/server/features/admissions/index'
import { courses } from '@matricula/server/features/courses/index'
import { payments } from '@matricula/server/features/payments/index'
import { programs } from '@matricula/server/features/programs/index'
import { students } from '@matricula/server/features/students/index'
import type { FileStore } from '@matricula/server/storage/index'
import pg from 'pg'
import { readInstitution } from './academics/institution.ts'
import { recordFacts } from './academics/record-facts.ts'
import { catalogueCourses, cataloguePrograms } from './catalogue/index.ts'
import { copyRows, type Load } from './copy.ts'
import { type DemoCounts, loadPlan } from './load.ts'
import { type DemoSize, type DemoTenant, makePlan, type Plan } from './plan.ts'
import type { PipelineStep } from './records/pipeline-paths.ts'
import type { DemoDocumentType } from './vault/demo-documents.ts'
import { loadVault } from './vault/load-vault.ts'

/** Only a tenant without records can be filled. */
export class TenantNotEmptyError extends Error {}

/** The tables of large lists. Their rows are what the progress counts, and they stand in the way of the demo's. */
const largeTables: readonly string[] = [programs, courses, students, applications, payments].map(({ table }) => table)

/** Tables of the Resource and Method API whose records would stand in the way of the demo's. */
const academicTables = [
  'academic_years',
  'academic_terms',
  'student_categories',
  'student_languages',
  'student_batch_names',
  'school_houses',
  'departments',
  'designations',
  'employees',
  'instructors',
  'rooms',
  'student_groups',
  'grading_scales',
  'assessment_criteria_groups',
  'assessment_criteria',
  'fee_categories',
  'topics',
  'articles',
  'student_admissions',
  'program_enrollments',
] as const

const loadedTables = [
  ...academicTables,
  'course_enrollments',
  'course_schedules',
  'student_groups_students',
  'student_attendances',
  'assessment_plans',
  'assessment_results',
  'assessment_results_details',
  'fees',
  'gl_entries',
  ...countedLists.map(({ table }) => table),
  'program_courses',
  'contacts',
  'student_contacts',
  'application_contacts',
  'application_moves',
]

/**
 * Fills an empty tenant with linked records in one transaction, as the owner of the tables: all of them are there, or,
 * when it fails or is killed, none. `onProgress(done, total)` counts the programs, courses, students, applications and
 * payments; what hangs on them comes along with them.
 *
 * The same seed makes the same records, and the same ids where the slug is the same too; every date follows from the
 * last midnight in UTC. The applications are two for every five students, and without students there are no payments.
 * A bulk load is not a change that somebody made: it writes neither audit rows nor events. The planner's statistics of the
 * tables are brought up to date afterwards.
 *
 * Throws `TenantNotEmptyError`.
 */
export async function fillDemoTenant(
  connection: Connection,
  tenant: DemoTenant,
  size: DemoSize,
  store: FileStore,
  onProgress: (done: number, total: number) => void,
): Promise<DemoCounts> {
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula demo'))
  client.on('error', () => {}) // the statement under way tells of a broken connection
  await client.connect()
  try {
    await client.query('begin')
    const counts = await fill(client, tenant, size, store, onProgress)
    await client.query('commit')
    await client.query(`analyze ${loadedTables.join(', ')}`)
    return counts
  } finally {
    await client.end() // a transaction that did not come to its commit is rolled back
  }
}

/** Whether a tenant has no records yet. */
export async function isTenantEmpty(connection: Connection, tenantId: string): Promise<boolean> {
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula demo'))
  await client.connect()
  try {
    return await hasNoRecords(client, tenantId)
  } finally {
    await client.end()
  }
}

async function hasNoRecords(client: pg.Client, tenantId: string): Promise<boolean> {
  const tables = [...largeTables, 'contacts', ...academicTables]
  const conditions = tables.map((table) => `exists (select from ${table} where tenant_id = $1)`)
  const { rows } = await client.query(`select not (${conditions.join(' or ')}) as empty`, [tenantId])
  return rows[0].empty
}

async function fill(
  client: pg.Client,
  tenant: DemoTenant,
  size: DemoSize,
  store: FileStore,
  onProgress: (done: number, total: number) => void,
): Promise<DemoCounts> {
  const { tx, finish } = getTransaction(client, tenant.id)
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`matricula demo ${tenant.id}`}, 0)) is null as held`,
  )
  if (!(await hasNoRecords(client, tenant.id))) {
    throw new TenantNotEmptyError('The tenant has records already. Only an empty one can be filled.')
  }
  const pipeline = await readPipeline(tx)
  const [{ slug }] = (await tx.query<{ slug: string }>(sql`select slug from tenants where id = ${tenant.id}`)) as [
    { slug: string },
  ]
  const plan = makePlan({ ...tenant, slug }, size, pipeline, new Date())
  const types = await readDocumentTypes(tx)
  const institution = await readInstitution(tx)
  if (institution === null) {
    throw new TenantNotEmptyError(
      'The company of the tenant lacks its accounts. Only a tenant as it was made can be filled.',
    )
  }
  const load = getLoader(client, tenant.id, plan, onProgress)
  const loaded = await loadPlan(plan, pipeline, institution, load, (owners) =>
    loadVault(plan, tenant.id, owners, types, load, store),
  )
  const { counts, studentCodes, applicationCodes, contactCodes, facts } = loaded
  for (const code of studentCodes) await passInSeries(tx, 'EDU-STU', code)
  for (const code of applicationCodes) await passInSeries(tx, 'EDU-APP', code)
  for (const code of contactCodes) await passInSeries(tx, 'EDU-GRD', code)
  recordFacts(tx, facts)
  for (const list of countedLists) await recount(tx, list)
  await finish()
  return counts
}

function getLoader(
  client: pg.Client,
  tenantId: string,
  plan: Plan,
  onProgress: (done: number, total: number) => void,
): Load {
  const total = cataloguePrograms.length + catalogueCourses.length + plan.students + plan.applications + plan.payments
  let done = 0
  const advance = (count: number) => {
    done += count
    onProgress(done, total)
  }
  return (table, rows) =>
    copyRows(client, tenantId, table, rows, largeTables.includes(table.name) ? advance : undefined)
}

/** The active statuses of the tenant's pipeline, in order. */
async function readPipeline(tx: Transaction): Promise<PipelineStep[]> {
  return tx.query<PipelineStep>(sql`
    select key, category, is_initial as "isInitial", allowed_next as "allowedNext" from pipeline_statuses
     where tenant_id = ${tx.tenantId} and is_active
     order by position, key`)
}

/** The tenant's document types, by key. */
async function readDocumentTypes(tx: Transaction): Promise<Map<string, DemoDocumentType>> {
  const types = await tx.query<DemoDocumentType & { key: string }>(sql`
    select id, key, name, coalesce(translations -> 'name', '{}') as names
      from document_types where tenant_id = ${tx.tenantId} and is_active`)
  return new Map(types.map(({ key, ...type }) => [key, type]))
}

/** The client's transaction for what the platform writes; `finish` waits for the statements that nobody waited for. */
function getTransaction(client: pg.Client, tenantId: string): { tx: Transaction; finish: () => Promise<void> } {
  const sent: Promise<unknown>[] = []
  const lasts: (() => void)[] = []
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Row extends object>(statement: Statement): Promise<Row[]> => {
    const response = last.then(() => client.query<Row>(prepared(statement))).then(({ rows }) => rows)
    last = response.catch(() => {}) // whoever waits for the answer, or for what was sent, hears of it
    return response
  }
  const tx: Transaction = {
    tenantId,
    query: inTurn,
    send: (statement) => void sent.push(inTurn(statement)),
    sendExpression: (expression) => void sent.push(inTurn(sql`select ${expression}`)),
    atEnd: (end) => void lasts.push(end),
    kept: new Map(),
  }
  const finish = async () => {
    for (const end of lasts) end()
    await Promise.all(sent)
  }
  return { tx, finish }
}
