import { type Figures, figureBounds, figureOperations, type Static } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { type Database, sql } from '../../database/index.ts'
import { implement, mayUse, type Route } from '../../http/index.ts'
import { getCaller, mayDo, type RecordRegistry, seesOnlySome } from '../../record-engine/index.ts'
import { todayIn } from '../../tenancy/index.ts'

type Record = Static<typeof Figures>

/** The figures of an institution, for people. */
export function figureRoutes(registry: RecordRegistry): Route[] {
  return implement(figureOperations, {
    readFigures: async (database, { context }) => ({
      record: await readFigures(database, context, registry),
      entityTag: null,
    }),
  })
}

async function readFigures(database: Database, context: RequestContext, registry: RecordRegistry): Promise<Record> {
  const { tenant } = context
  const caller = getCaller(context)
  /** Whether the caller reads all records of a type: a figure of some would be taken for that of all. */
  const readsAll = (name: string) => {
    const definition = registry.require(name)
    return mayDo(caller, definition.type, 'read') && !seesOnlySome(registry, caller, definition)
  }
  const today = todayIn(tenant.timeZone)
  const readsEnrollment = readsAll('Program Enrollment')
  const [attendance, collections, academicYear] = await Promise.all([
    readsAll('Student Attendance') ? readAttendance(database, tenant.id, today) : null,
    mayUse(context.caller, 'billing:read') ? readCollections(database, tenant.id, tenant.currency, today) : null,
    readsEnrollment ? readYear(database, tenant.id, today) : null,
  ])
  const enrollment = readsEnrollment ? await readEnrollment(database, tenant.id, academicYear) : null
  return { attendance, currency: tenant.currency, collections, academicYear, enrollment }
}

/** Students who are present or not, by week; weeks without any are there as well. */
function readAttendance(database: Database, tenantId: string, today: string): Promise<Record['attendance'] & object> {
  return database.readSlowly(
    tenantId,
    sql`
    with weeks as (
      select (date_trunc('week', ${today}::date) - n * interval '7 days')::date as week
        from generate_series(0, ${figureBounds.weeks}::integer - 1) n
    ), marked as (
      select date_trunc('week', a.date)::date as week, count(*) filter (where a.status = 'Present') as present,
             count(*) filter (where a.status <> 'Present') as absent
        from student_attendances a
       where a.tenant_id = ${tenantId} and a.docstatus = 1
         and a.date between date_trunc('week', ${today}::date) - (${figureBounds.weeks}::integer - 1) * interval '7 days'
                        and ${today}::date
       group by 1
    )
    select w.week::text as week, coalesce(m.present, 0)::integer as present, coalesce(m.absent, 0)::integer as absent
      from weeks w left join marked m on m.week = w.week
     order by w.week`,
  )
}

/** What came due and what was received by month, in one currency. What was cancelled is not due. */
function readCollections(
  database: Database,
  tenantId: string,
  currency: string,
  today: string,
): Promise<Record['collections'] & object> {
  return database.readSlowly(
    tenantId,
    sql`
    with months as (
      select (date_trunc('month', ${today}::date) - n * interval '1 month')::date as month
        from generate_series(0, ${figureBounds.months}::integer - 1) n
    ), due as (
      select date_trunc('month', o.due_on)::date as month, sum(p.amount - o.adjusted_amount) as amount
        from obligations o join payments p on p.tenant_id = ${tenantId} and p.id = o.payment_id
       where o.tenant_id = ${tenantId} and p.currency = ${currency} and p.status <> 'cancelled'
         and o.due_on >= date_trunc('month', ${today}::date) - (${figureBounds.months}::integer - 1) * interval '1 month'
         and o.due_on < date_trunc('month', ${today}::date) + interval '1 month'
       group by 1
    ), received as (
      select date_trunc('month', r.received_on)::date as month, sum(r.amount) as amount
        from billing_receipts r
       where r.tenant_id = ${tenantId} and r.currency = ${currency} and r.status = 'posted' and r.method <> 'credit'
         and r.received_on >= date_trunc('month', ${today}::date) - (${figureBounds.months}::integer - 1) * interval '1 month'
       group by 1
    )
    select m.month::text as month, coalesce(d.amount, 0)::float8 as due, coalesce(r.amount, 0)::float8 as received
      from months m
      left join due d on d.month = m.month
      left join received r on r.month = m.month
     order by m.month`,
  )
}

/** The year that is set, else the one that today is in. */
async function readYear(database: Database, tenantId: string, today: string): Promise<string | null> {
  const [row] = await database.readSlowly<{ year: string }>(
    tenantId,
    sql`
    select y.name as year
      from academic_years y
      left join education_settings s on s.tenant_id = ${tenantId} and s.current_academic_year = y.name
     where y.tenant_id = ${tenantId}
       and (s.current_academic_year is not null or ${today}::date between y.year_start_date and y.year_end_date)
     order by s.current_academic_year is null, y.year_start_date desc
     limit 1`,
  )
  return row?.year ?? null
}

function readEnrollment(
  database: Database,
  tenantId: string,
  year: string | null,
): Promise<Record['enrollment'] & object> {
  return database.readSlowly(
    tenantId,
    sql`
    select e.program, count(distinct e.student)::integer as students
      from program_enrollments e
     where e.tenant_id = ${tenantId} and e.docstatus = 1 and e.academic_year = ${year}::text and e.program is not null
     group by e.program
     order by 2 desc, 1
     limit ${figureBounds.programs}`,
  )
}
