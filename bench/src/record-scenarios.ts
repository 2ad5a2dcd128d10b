import { type Sql, sql } from '../../server/dist/database/index.js'

/** A list, or a count, as a client asks for it and as a person writes it in SQL. */
export interface RecordScenario {
  readonly name: string
  /** What both servers are asked. */
  readonly path: string
  /** What answers it, with the columns named as the fields. */
  readonly handWritten: Sql
  /** Where the rows stand in the body; the count is the body's `message` itself. */
  readonly member: 'data' | 'message'
  /** How deep in the list the page begins. */
  readonly isCount?: true
}

/** The lists that are measured, of a tenant with as many records of each type. */
export function recordScenarios(tenantId: string, count: number): RecordScenario[] {
  const first20 = sql`limit 20`
  const entryFields = ['name', 'account', 'posting_date', 'debit', 'credit']
  const entry = sql`g.name, g.account, g.posting_date, g.debit, g.credit`
  const entries = sql`gl_entries g where g.tenant_id = ${tenantId}`
  const studentFields = ['name', 'student_name', 'enabled']
  const student = sql`s.student_code as name, s.full_name as student_name, (s.status = 'active')::integer as enabled`
  const students = sql`students s where s.tenant_id = ${tenantId}`
  const stamp = (column: Sql) => sql`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS.US') as modified`
  return [
    {
      name: 'GL Entry, newest first',
      ...list('GL Entry', { fields: [...entryFields, 'modified'], order_by: 'modified desc' }),
      handWritten: sql`select ${entry}, ${stamp(sql`g.updated_at`)} from ${entries} order by g.updated_at desc ${first20}`,
    },
    {
      name: 'GL Entry, by name',
      ...list('GL Entry', { fields: entryFields }),
      handWritten: sql`select ${entry} from ${entries} order by g.name ${first20}`,
    },
    {
      name: 'GL Entry of an account, latest posting first',
      ...list('GL Entry', { fields: entryFields, filters: { account: 'Account 7' }, order_by: 'posting_date desc' }),
      handWritten: sql`
        select ${entry} from ${entries} and g.account = ${'Account 7'} order by g.posting_date desc ${first20}`,
    },
    {
      name: 'GL Entry of a voucher type, largest debit first',
      ...list('GL Entry', { fields: entryFields, filters: { voucher_type: 'Fees' }, order_by: 'debit desc' }),
      handWritten: sql`
        select ${entry} from ${entries} and g.voucher_type = ${'Fees'} order by g.debit desc ${first20}`,
    },
    {
      name: 'Student with a name like, newest first',
      ...list('Student', {
        fields: studentFields,
        filters: { student_name: ['like', 'abc%'] },
        order_by: 'modified desc',
      }),
      handWritten: sql`
        select ${student} from ${students} and s.full_name ilike ${'abc%'} order by s.updated_at desc ${first20}`,
    },
    {
      name: 'Student not enabled, newest first',
      ...list('Student', { fields: studentFields, filters: { enabled: 0 }, order_by: 'modified desc' }),
      handWritten: sql`
        select ${student} from ${students} and s.status <> 'active' order by s.updated_at desc ${first20}`,
    },
    {
      name: 'Student of a last name, by name',
      ...list('Student', { fields: studentFields, filters: { last_name: 'c4ca4238' }, order_by: 'student_name' }),
      handWritten: sql`
        select ${student} from ${students} and s.family_names = ${'c4ca4238'} order by s.full_name ${first20}`,
    },
    {
      name: 'Student Applicant of a program, newest first',
      ...list('Student Applicant', {
        fields: ['name', 'title', 'program', 'application_status'],
        filters: { program: 'Bench program 7' },
        order_by: 'modified desc',
      }),
      handWritten: sql`
        select a.application_code as name, a.full_name as title, p.name as program,
               case t.category when 'open' then 'Applied' when 'accepted' then 'Approved' when 'enrolled' then 'Admitted'
                               else 'Rejected' end as application_status
          from admission_applications a
          join programs p on p.tenant_id = a.tenant_id and p.id = a.program_id
          join pipeline_statuses t on t.tenant_id = a.tenant_id and t.key = a.status
         where a.tenant_id = ${tenantId}
           and a.program_id = (select id from programs where tenant_id = ${tenantId} and name = ${'Bench program 7'})
         order by a.updated_at desc ${first20}`,
    },
    {
      name: 'Student Applicant of a status, newest first',
      ...list('Student Applicant', {
        fields: ['name', 'title'],
        filters: { application_status: 'Approved' },
        order_by: 'modified desc',
      }),
      handWritten: sql`
        select a.application_code as name, a.full_name as title from admission_applications a
         where a.tenant_id = ${tenantId}
           and a.status in (select key from pipeline_statuses where tenant_id = ${tenantId} and category = 'accepted')
         order by a.updated_at desc ${first20}`,
    },
    {
      name: 'Student Attendance of a student and days',
      ...list('Student Attendance', {
        fields: ['name', 'date', 'status'],
        filters: { student: 'BENCH-00000042', date: ['between', ['2026-02-01', '2026-02-28']] },
        order_by: 'date desc',
      }),
      handWritten: sql`
        select d.name, d.date, d.status from student_attendances d
         where d.tenant_id = ${tenantId} and d.student = ${'BENCH-00000042'}
           and d.date between ${'2026-02-01'} and ${'2026-02-28'}
         order by d.date desc ${first20}`,
    },
    {
      name: 'Fees of a student, latest due first',
      ...list('Fees', {
        fields: ['name', 'due_date', 'grand_total', 'outstanding_amount'],
        filters: { student: 'BENCH-00000042' },
        order_by: 'due_date desc',
      }),
      handWritten: sql`
        select f.name, f.due_date, f.grand_total, f.outstanding_amount from fees f
         where f.tenant_id = ${tenantId} and f.student = ${'BENCH-00000042'} order by f.due_date desc ${first20}`,
    },
    {
      name: 'GL Entry, a page in the middle',
      ...list('GL Entry', { fields: entryFields, order_by: 'modified desc', limit_start: count / 2 }),
      handWritten: sql`
        select ${entry} from ${entries} order by g.updated_at desc ${first20} offset ${count / 2}`,
    },
    {
      name: 'count of GL Entry of an account',
      ...counted('GL Entry', { account: 'Account 7' }),
      handWritten: sql`select count(*) from ${entries} and g.account = ${'Account 7'}`,
    },
    {
      name: 'count of GL Entry of an account, to 1001',
      ...counted('GL Entry', { account: 'Account 7' }, 1001),
      handWritten: sql`select count(*) from (select from ${entries} and g.account = ${'Account 7'} limit 1001) met`,
    },
    {
      name: 'count of GL Entry',
      ...counted('GL Entry', {}),
      handWritten: sql`select count(*) from ${entries}`,
    },
  ]
}

function list(type: string, { fields, filters, ...others }: Readonly<Record<string, unknown>>) {
  const query = new URLSearchParams({
    fields: JSON.stringify(fields),
    ...(filters !== undefined && { filters: JSON.stringify(filters) }),
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
  })
  return { path: `/api/resource/${encodeURIComponent(type)}?${query}`, member: 'data' as const }
}

function counted(type: string, filters: object, limit = 0) {
  const query = new URLSearchParams({ doctype: type, filters: JSON.stringify(filters), limit: String(limit) })
  const path = `/api/method/frappe.desk.reportview.get_count?${query}`
  return { path, member: 'message' as const, isCount: true as const }
}
