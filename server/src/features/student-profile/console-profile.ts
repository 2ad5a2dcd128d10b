import { newestOfPart, profileOperations, type Static, type StudentProfile } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { type Database, literal, type Sql, sql } from '../../database/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { implement, mayUse, type Route } from '../../http/index.ts'
import {
  addDays,
  countRecords,
  findVisible,
  getCaller,
  getReading,
  listRecords,
  mayDo,
  parseListRequest,
  type Reading,
  type RecordRegistry,
  rolesWith,
} from '../../record-engine/index.ts'
import { todayIn } from '../../tenancy/index.ts'
import { isUuid } from '../../values/index.ts'
import { type Days, sharesDays } from '../membership/index.ts'
import { readRequirements } from '../requirements/index.ts'

type Profile = Static<typeof StudentProfile>
type Part = Exclude<Profile['payments'], null>

/** What is asked of a student, for people. */
export function profileRoutes(registry: RecordRegistry): Route[] {
  return implement(profileOperations, {
    readStudentProfile: async (database, { context, query }) => {
      const reading = getReading(database, registry, getCaller(context))
      const name = await loadName(database, context.tenant.id, query.student)
      return { record: await readProfile(database, context, reading, name), entityTag: null }
    },
  })
}

/** The name of a student who is told by id; whatever else was told, as it is. */
async function loadName(database: Database, tenantId: string, reported: string): Promise<string> {
  if (!isUuid(reported)) return reported
  const [student] = await database.read<{ name: string }>(
    tenantId,
    sql`select student_code as name from students where tenant_id = ${tenantId} and id = ${reported}`,
  )
  return student?.name ?? reported
}

/** Throws `insufficient_role` for whoever reads no students, and `resource_not_found` for a student that the caller does not see. */
async function readProfile(
  database: Database,
  context: RequestContext,
  reading: Reading,
  name: string,
): Promise<Profile> {
  const definition = reading.registry.require('Student')
  const isOpen = mayUse(context.caller, 'students:read')
  if (!isOpen && !mayDo(reading.caller, definition.type, 'read')) {
    throw new Problem('insufficient_role', 'You may not read students. Ask for a role that may.', {
      requiredRoles: rolesWith(definition.type, 'read'),
    })
  }
  const found = await findVisible(reading, definition, name, isOpen)
  if (found === null) throw notFoundProblem('student')
  const { id } = found
  const { tenant, caller } = context
  const reads = (scope: 'payments:read' | 'vault:read' | 'students:read') => !found.isPartly && mayUse(caller, scope)
  const today = todayIn(tenant.timeZone)
  const ofStudent = (type: string, fields: string[], order: string, more: unknown[] = []) =>
    partOfRecords(reading, type, [['student', '=', name], ...more], fields, order)
  const money = reads('payments:read')
  const vault = reads('vault:read')
  const [head, groups, contacts, owed, papers, attendance, enrollments, payments, documents, requests, results] =
    await Promise.all([
      readHead(database, tenant.id, id),
      findGroups(reading, name, today),
      reads('students:read') ? findContacts(database, tenant.id, id) : null,
      money ? owedBy(database, tenant.id, id, tenant.currency) : null,
      vault ? loadDocuments(database, tenant.id, id) : null,
      findAttendance(reading, name, today),
      ofStudent('Program Enrollment', ['name', 'program', 'academic_year', 'enrollment_date'], 'enrollment_date desc', [
        ['docstatus', '!=', 2],
      ]),
      money ? findPart(database, tenant.id, getPayments(tenant.id, id)) : null,
      vault ? findPart(database, tenant.id, getDocuments(tenant.id, id)) : null,
      vault ? findPart(database, tenant.id, getRequests(tenant.id, id)) : null,
      ofStudent('Assessment Result', ['name', 'course', 'grade', 'modified'], 'modified desc', [['docstatus', '=', 1]]),
    ])
  if (head === undefined) throw notFoundProblem('student')
  const { overdueCount = 0, ...owedMoney } = owed ?? {}
  const warnings: Profile['warnings'] = [
    ...(head.status === 'active' ? [] : [{ code: 'not_active', count: 1 } as const]),
    ...(overdueCount > 0 ? [{ code: 'overdue_payments', count: overdueCount } as const] : []),
    ...(papers !== null && papers.missing.length > 0
      ? [{ code: 'missing_documents', count: papers.missing.length } as const]
      : []),
    ...(attendance?.today === 'Absent' ? [{ code: 'absent_today', count: 1 } as const] : []),
  ]
  return {
    ...head,
    // What the Resource API hides of a student from those who see only some of them.
    dateOfBirth: found.isPartly ? null : head.dateOfBirth,
    groups,
    email: contacts === null ? null : head.email,
    phone: contacts === null ? null : head.phone,
    address: contacts === null ? null : head.address,
    contacts,
    money: owed === null ? null : (owedMoney as Profile['money']),
    documents: papers,
    attendance,
    enrollments,
    payments,
    papers: documents,
    requests,
    results,
    warnings,
    readAt: new Date().toISOString(),
  }
}

type Head = Pick<
  Profile,
  | 'id'
  | 'name'
  | 'fullName'
  | 'status'
  | 'photoUrl'
  | 'program'
  | 'academicYear'
  | 'dateOfBirth'
  | 'email'
  | 'phone'
  | 'address'
>

async function readHead(database: Database, tenantId: string, id: string): Promise<Head | undefined> {
  const [head] = await database.read<Head>(
    tenantId,
    sql`
    select s.id, s.student_code as name, s.full_name as "fullName", s.status, s.photo_url as "photoUrl",
           coalesce(p.name, s.program) as program, s.academic_year as "academicYear", s.date_of_birth as "dateOfBirth",
           s.email, s.phone,
           nullif(concat_ws(', ', nullif(s.address, ''), nullif(concat_ws(' ', s.postal_code, s.city), ''), s.state_province, s.country), '') as address
      from students s left join programs p on p.tenant_id = s.tenant_id and p.id = s.program_id
     where s.tenant_id = ${tenantId} and s.id = ${id}`,
  )
  return head
}

/** The groups that the student is in on a day, by the days of the membership. */
async function findGroups(reading: Reading, student: string, day: string): Promise<string[] | null> {
  const filters = [
    ['Student Group Student', 'student', '=', student],
    ['Student Group Student', 'active', '=', 1],
    ['disabled', '=', 0],
  ]
  const fields = ['name', 'students.from_date', 'students.to_date']
  const rows = await findList(reading, 'Student Group', filters, fields, 'name asc', 100)
  if (rows === null) return null
  const current = rows.filter(([, from_date, to_date]) =>
    sharesDays({ from_date, to_date } as Days, { from_date: day, to_date: day }),
  )
  return [...new Set(current.map(([name]) => name as string))].slice(0, 20)
}

function findContacts(database: Database, tenantId: string, id: string): Promise<Exclude<Profile['contacts'], null>> {
  return database.read(
    tenantId,
    sql`
    select c.display_name as name, c.code as guardian, l.relationship_label as relationship, c.phone, c.email, l.is_primary as "isPrimary"
      from student_contacts l join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id
     where l.tenant_id = ${tenantId} and l.student_id = ${id}
     order by l.is_primary desc, l.created_at, l.id limit 20`,
  )
}

interface Owed {
  readonly currency: string
  readonly outstanding: number
  readonly overdue: number
}

/** What a student owes, a currency each, and how many payments are overdue. `currency` is the institution's. */
async function owedBy(database: Database, tenantId: string, id: string, currency: string) {
  const isOver = sql`(p.status = 'overdue' or p.due_date < now())`
  const rows = await database.readSlowly<Owed & { overdueCount: number }>(
    tenantId,
    sql`
    select p.currency, coalesce(sum(p.amount), 0)::float8 as outstanding, coalesce(sum(p.amount) filter (where ${isOver}), 0)::float8 as overdue,
           (count(*) filter (where ${isOver}))::integer as "overdueCount"
      from payments p
     where p.tenant_id = ${tenantId} and p.student_id = ${id} and p.status in ('pending', 'overdue')
     group by p.currency
     order by p.currency <> ${currency}, p.currency`,
  )
  const byCurrency = rows.map(({ overdueCount: _, ...owed }) => owed).filter(({ outstanding }) => outstanding !== 0)
  const own = byCurrency.find((owed) => owed.currency === currency) ?? { currency, outstanding: 0, overdue: 0 }
  return { ...own, byCurrency, overdueCount: rows.reduce((sum, row) => sum + row.overdueCount, 0) }
}

async function loadDocuments(
  database: Database,
  tenantId: string,
  id: string,
): Promise<Exclude<Profile['documents'], null>> {
  const { record } = await readRequirements(database, tenantId, { studentId: id })
  const required = record.requirements.filter(({ isRequired }) => isRequired)
  const missing = required.filter(({ status }) => status !== 'satisfied' && status !== 'waived')
  return {
    required: required.length,
    complete: required.length - missing.length,
    missing: missing.map(({ label }) => label),
  }
}

const daysBack = 30

async function findAttendance(reading: Reading, student: string, today: string): Promise<Profile['attendance']> {
  const ofStudent = [
    ['student', '=', student],
    ['docstatus', '=', 1],
  ]
  const marked = await findList(
    reading,
    'Student Attendance',
    [...ofStudent, ['date', '=', today]],
    ['status'],
    'modified desc',
    1,
  )
  if (marked === null) return null
  const { reader, registry, caller } = reading
  const filters = [...ofStudent, ['status', '=', 'Absent'], ['date', '>', addDays(today, -daysBack)]]
  const absences = await countRecords(reader, registry, caller, 'Student Attendance', { filters })
  return { today: (marked[0]?.[0] as string | undefined) ?? null, absences }
}

/** The first values of records that meet filters; null where the caller may not read the type. */
async function findList(
  { reader, registry, caller }: Reading,
  type: string,
  filters: readonly unknown[],
  fields: readonly string[],
  order: string,
  limit: number,
): Promise<(readonly unknown[])[] | null> {
  if (!mayDo(caller, registry.require(type).type, 'read')) return null
  const asked = { fields, filters, order_by: order, limit_page_length: limit, as_dict: 0 }
  return (await listRecords(reader, parseListRequest(registry, caller, type, asked))) as (readonly unknown[])[]
}

/** The newest records of a type and how many there are; of the fields the first is the name and the last the day. */
async function partOfRecords(
  reading: Reading,
  type: string,
  filters: readonly unknown[],
  fields: readonly string[],
  order: string,
): Promise<Part | null> {
  const rows = await findList(reading, type, filters, fields, order, newestOfPart)
  if (rows === null) return null
  const { reader, registry, caller } = reading
  const total =
    rows.length < newestOfPart ? rows.length : await countRecords(reader, registry, caller, type, { filters })
  const newest = rows.map(([name, title, status, at]) => ({
    id: null,
    name: name as string,
    title: (title as string | null) ?? (name as string),
    status: status as string | null,
    at: at as string | null,
  }))
  return { total, newest }
}

/** The newest of a statement that returns id, title, status and moment. */
async function findPart(database: Database, tenantId: string, statement: Sql): Promise<Part> {
  const rows = await database.readSlowly<{ id: string; title: string; status: string; at: string; total: number }>(
    tenantId,
    sql`select found.*, (count(*) over ())::integer as total from (${statement}) found
         order by found.at desc, found.id limit ${literal(newestOfPart)}`,
  )
  return {
    total: rows[0]?.total ?? 0,
    newest: rows.map(({ id, title, status, at }) => ({ id, name: null, title, status, at })),
  }
}

function getPayments(tenantId: string, id: string): Sql {
  return sql`select p.id, p.description as title, p.status, p.due_date as at from payments p
              where p.tenant_id = ${tenantId} and p.student_id = ${id}`
}

function getDocuments(tenantId: string, id: string): Sql {
  return sql`select d.id, d.title, d.status, d.created_at as at
               from document_links l join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id
              where l.tenant_id = ${tenantId} and l.student_id = ${id} and d.status <> 'archived'`
}

function getRequests(tenantId: string, id: string): Sql {
  return sql`select q.id, q.title, q.status, q.created_at as at from document_requests q
              where q.tenant_id = ${tenantId} and q.student_id = ${id}`
}
