import { wrongTotals } from '../../../server/dist/commands/diagnostics/wrong-totals.js'
import type { StressTarget } from './stress-caller.ts'

/** What must hold of the rows of a tenant whatever was asked for at once: each query finds the rows for which it does not. */
const invariants = {
  'the ledger is balanced': `
    select voucher_no from gl_entries where tenant_id = $1 group by voucher_no having sum(debit - credit) <> 0`,
  'what is owed of a submitted fee is what the ledger says': `
    select f.name from fees f
     where f.tenant_id = $1 and f.docstatus = 1
       and f.outstanding_amount <> (select coalesce(sum(g.debit - g.credit), 0) from gl_entries g
                                     where g.tenant_id = $1 and g.against_voucher = f.name
                                       and g.against_voucher_type = 'Fees' and g.account = f.receivable_account)`,
  'a submitted fee has one payment, and a cancelled fee none that is asked for': `
    select f.name from fees f
     where f.tenant_id = $1 and f.docstatus > 0
       and (select count(*) filter (where f.docstatus = 1 or p.status not in ('cancelled', 'refunded'))
              from payments p where p.tenant_id = $1 and p.fee = f.name)
           <> case when f.docstatus = 1 then 1 else 0 end`,
  'a fee is paid when its payment is': `
    select f.name from fees f join payments p on p.tenant_id = f.tenant_id and p.fee = f.name
     where f.tenant_id = $1 and f.docstatus = 1 and (p.status = 'paid') <> (f.outstanding_amount = 0)`,
  'at most one contact of an application is primary': `
    select application_id from application_contacts where tenant_id = $1 and is_primary
     group by application_id having count(*) > 1`,
  'at most one contact of a student is primary': `
    select student_id from student_contacts where tenant_id = $1 and is_primary group by student_id having count(*) > 1`,
  'a student is enrolled once in a program, year and term': `
    select student from program_enrollments where tenant_id = $1 and docstatus < 2
     group by student, program, academic_year, academic_term having count(*) > 1`,
  'a student is marked once on a day in a group': `
    select student from student_attendances where tenant_id = $1 and docstatus < 2
     group by student, student_group, date, course_schedule having count(*) > 1`,
  'no two students have an e-mail address on the Resource API': `
    select email from students where tenant_id = $1 and email is not null group by email having count(*) > 1`,
  'no two people have an e-mail address of whom nothing tells them apart': `
    select lower(email) from contacts where tenant_id = $1 and email is not null
     group by lower(email), display_name, phone having count(*) > 1`,
  'the ledger names students that there are': `
    select g.party from gl_entries g
     where g.tenant_id = $1 and g.party_type = 'Student'
       and not exists (select from students s where s.tenant_id = $1 and s.student_code = g.party)`,
} as const

/** The invariants that do not hold, with the first row that breaks each; and the lists whose totals are not their rows'. */
export async function brokenInvariants({ tenantId, query }: StressTarget): Promise<string[]> {
  const broken: string[] = []
  for (const [rule, text] of Object.entries(invariants)) {
    const [row] = await query(text, [tenantId])
    if (row !== undefined) broken.push(`not true that ${rule}: ${JSON.stringify(row)}`)
  }
  broken.push(...(await orphans({ tenantId, query })))
  const totals = await wrongTotals((text, values) => query(text, values))
  return [...broken, ...totals.map((table) => `the totals of ${table} are not those of its rows`)]
}

/** The rows of record tables whose record is not there: no foreign key is on all of them. */
async function orphans({ tenantId, query }: Pick<StressTarget, 'tenantId' | 'query'>): Promise<string[]> {
  const tables = await query<{ rows: string; parent: string }>(`
    select child.table_name as rows, parent.table_name as parent
      from information_schema.columns child
      join information_schema.tables parent
        on parent.table_schema = child.table_schema and parent.table_type = 'BASE TABLE'
       and child.table_name like parent.table_name || '\\_%'
     where child.table_schema = 'public' and child.column_name = 'parent_id'
       and not exists (select from information_schema.tables nearer
                        where nearer.table_schema = 'public' and nearer.table_name <> parent.table_name
                          and nearer.table_type = 'BASE TABLE' and nearer.table_name like parent.table_name || '%'
                          and child.table_name like nearer.table_name || '\\_%')
       and exists (select from information_schema.tables t
                    where t.table_name = child.table_name and t.table_type = 'BASE TABLE')`)
  const orphaned: string[] = []
  for (const { rows, parent } of tables) {
    const found = await query(
      `select 1 as orphan from ${rows} c where c.tenant_id = $1
          and not exists (select from ${parent} p where p.tenant_id = $1 and p.id = c.parent_id) limit 1`,
      [tenantId],
    )
    if (found.length > 0) orphaned.push(`${rows} has orphaned rows`)
  }
  return orphaned
}
