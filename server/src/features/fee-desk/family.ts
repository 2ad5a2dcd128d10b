import { type Family, type FamilyMember, feeDeskBounds, type Static } from '@matricula/contract'
import { type Database, type Sql, sql } from '../../database/index.ts'
import { notFoundProblem } from '../../errors/index.ts'
import { todayIn } from '../../tenancy/index.ts'
import { receipts } from '../billing-accounts/index.ts'

type FamilyRecord = Static<typeof Family>

/** Of how many children a family is shown at most: a guardian that many have in common is none. */
const maxStudents = 30

/** Of how many accounts a family is shown at most. */
const maxAccounts = 50

/**
 * Who pays for whom in a family, and what is open.
 *
 * @param id Of the account, the student or the contact, in lower case
 * @param showsSiblings Whether children are shown who have a guardian in common
 * @throws Problem `resource_not_found` where nobody is found by it
 */
export async function readFamily(
  database: Database,
  tenant: { readonly id: string; readonly timeZone: string },
  { of, id }: { readonly of: FamilyMember; readonly id: string },
  showsSiblings: boolean,
): Promise<FamilyRecord> {
  const accountId = of === 'account' ? id : null
  const students = await database.readSlowly<FamilyRecord['students'][number]>(
    tenant.id,
    selectStudents(tenant.id, { of, id, showsSiblings }),
  )
  const studentIds = students.map((student) => student.id)
  const accounts = await database.readSlowly<FamilyRecord['accounts'][number]>(
    tenant.id,
    selectAccounts(tenant.id, accountId, studentIds, todayIn(tenant.timeZone)),
  )
  if (accounts.length === 0 && students.length === 0) throw notFoundProblem(nouns[of])
  const accountIds = accounts.map((account) => account.id)
  const [obligations, newest] = await Promise.all([
    database.readSlowly<FamilyRecord['obligations'][number]>(
      tenant.id,
      selectOpen(tenant.id, accountId, accountIds, studentIds),
    ),
    database.readSlowly<Parameters<typeof receipts.toRecord>[0]>(
      tenant.id,
      sql`
      select * from (${receipts.select(tenant.id, sql`r.account_id = any(${accountIds}::uuid[])`)}) found
       order by found.created_at desc, found.id desc limit 10`,
    ),
  ])
  return {
    today: todayIn(tenant.timeZone),
    accounts,
    students,
    obligations,
    receipts: newest.map((row) => receipts.toRecord(row)),
  }
}

const nouns = { account: 'billing account', student: 'student', guardian: 'guardian' } as const

/** Those whom an anchor names: what an account pays for, a student, or those for whom a guardian is responsible. */
function selectNamed(tenantId: string, of: FamilyMember, id: string): Sql {
  switch (of) {
    case 'student':
      return sql`select ${id}::uuid as student_id`
    case 'guardian':
      return sql`
        select l.student_id from student_contacts l where l.tenant_id = ${tenantId} and l.contact_id = ${id}::uuid`
    case 'account':
      return sql`
        select a.student_id from billing_accounts a
         where a.tenant_id = ${tenantId} and a.id = ${id}::uuid and a.student_id is not null
         union
        select h.student_id from billing_shares h where h.tenant_id = ${tenantId} and h.account_id = ${id}::uuid
         union
        select p.student_id
          from obligations o join payments p on p.tenant_id = ${tenantId} and p.id = o.payment_id
         where o.tenant_id = ${tenantId} and o.account_id = ${id}::uuid and o.open_amount <> 0`
  }
}

/** The children: those who are named, and those who have a guardian in common with them, unless a company pays for them. */
function selectStudents(
  tenantId: string,
  { of, id, showsSiblings }: { readonly of: FamilyMember; readonly id: string; readonly showsSiblings: boolean },
): Sql {
  return sql`
    with named as (
      select n.student_id from (${selectNamed(tenantId, of, id)}) n limit ${maxStudents}
    ), related as (
      select other.student_id
        from named n
        join student_contacts l on l.tenant_id = ${tenantId} and l.student_id = n.student_id
        join student_contacts other on other.tenant_id = ${tenantId} and other.contact_id = l.contact_id
       where ${showsSiblings}::boolean and not exists (
               select from billing_accounts a
                where a.tenant_id = ${tenantId} and a.id = ${of === 'account' ? id : null}::uuid
                  and a.kind in ('company', 'sponsor'))
       limit ${maxStudents}
    )
    select s.id, s.student_code as name, s.full_name as "fullName", s.status
      from (select student_id from named union select student_id from related) f
      join students s on s.tenant_id = ${tenantId} and s.id = f.student_id
     order by s.full_name, s.id limit ${maxStudents}`
}

/** The accounts that pay for students, with the one by which the family was found. */
function selectAccounts(tenantId: string, accountId: string | null, students: readonly string[], today: string): Sql {
  return sql`
    with payers as (
      select a.id from billing_accounts a where a.tenant_id = ${tenantId} and a.id = ${accountId}::uuid
       union
      select a.id from billing_accounts a
       where a.tenant_id = ${tenantId} and a.student_id = any(${[...students]}::uuid[])
       union
      select h.account_id from billing_shares h
       where h.tenant_id = ${tenantId} and h.student_id = any(${[...students]}::uuid[])
    )
    select a.id, a.account_number as "accountNumber", coalesce(a.name, s.full_name) as name, a.kind, a.currency,
           sums.open, sums.overdue, a.credit
      from payers
      join billing_accounts a on a.tenant_id = ${tenantId} and a.id = payers.id
      left join students s on s.tenant_id = ${tenantId} and s.id = a.student_id
     cross join lateral (
       select coalesce(sum(o.open_amount), 0) as open,
              coalesce(sum(o.open_amount) filter (where o.due_on < ${today}::date), 0) as overdue
         from obligations o
        where o.tenant_id = ${tenantId} and o.account_id = a.id and o.open_amount <> 0) as sums
     order by a.number limit ${maxAccounts}`
}

/** What is open of the accounts, of others than the one that was named only for these students. */
function selectOpen(
  tenantId: string,
  accountId: string | null,
  accounts: readonly string[],
  students: readonly string[],
): Sql {
  return sql`
    select o.payment_id as "paymentId", o.account_id as "accountId", p.student_id as "studentId",
           s.full_name as "studentName", p.description, p.due_date as "dueDate", p.amount,
           o.open_amount as "openAmount", p.currency, p.status
      from obligations o
      join payments p on p.tenant_id = ${tenantId} and p.id = o.payment_id
      join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
     where o.tenant_id = ${tenantId} and o.open_amount <> 0 and o.account_id = any(${[...accounts]}::uuid[])
       and (o.account_id = ${accountId}::uuid or p.student_id = any(${[...students]}::uuid[]))
     order by o.due_on, p.created_at, o.payment_id limit ${feeDeskBounds.obligations}`
}
