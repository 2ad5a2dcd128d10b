import type { Scope, SearchKind } from '@matricula/contract'
import { identifier, join, type Sql, sql } from '../../database/index.ts'

/** What is found by the right to its record type. */
export const kindsByType = {
  student: 'Student',
  applicant: 'Student Applicant',
  guardian: 'Guardian',
  employee: 'Employee',
  instructor: 'Instructor',
} as const

/** The scopes of which each lets somebody read whole records of a kind, with their numbers and addresses. */
export const kindsByScope = {
  student: ['students:read'],
  applicant: ['admissions:read'],
  guardian: ['students:read', 'admissions:read'],
  payment: ['payments:read'],
  document: ['vault:read'],
} as const satisfies Partial<Record<SearchKind, readonly Scope[]>> as Readonly<
  Partial<Record<SearchKind, readonly Scope[]>>
> & { readonly payment: readonly Scope[]; readonly document: readonly Scope[] }

/** The kinds that a scope lets somebody find all records of, whatever the right to the type. */
export const scopesOfRecords: ReadonlySet<SearchKind> = new Set(['student', 'applicant'])

type Rows = (tenantId: string, ids: readonly string[]) => Sql

/** What tells a record of each kind from others; nothing in it is more than any reader of the kind may see. */
const rowsOf: Readonly<Record<SearchKind, Rows>> = {
  student: (tenantId, ids) => sql`
    select 'student' as kind, s.id, 'Student' as type, s.student_code as name, s.full_name as title,
           concat_ws(' · ', s.student_code, coalesce(p.name, nullif(s.program, ''))) as detail, s.status
      from students s left join programs p on p.tenant_id = s.tenant_id and p.id = s.program_id
     where s.tenant_id = ${tenantId} and s.id = any (${[...ids]}::uuid[])`,
  applicant: (tenantId, ids) => sql`
    select 'applicant', a.id, 'Student Applicant', a.application_code, a.full_name,
           concat_ws(' · ', a.application_code, coalesce(p.name, nullif(a.program, ''))), a.status
      from admission_applications a left join programs p on p.tenant_id = a.tenant_id and p.id = a.program_id
     where a.tenant_id = ${tenantId} and a.id = any (${[...ids]}::uuid[])`,
  guardian: (tenantId, ids) => sql`
    select 'guardian', c.id, 'Guardian', c.code, c.display_name,
           concat_ws(' · ', c.code, (
             select string_agg(s.full_name, ', ' order by s.full_name)
               from student_contacts l join students s on s.tenant_id = l.tenant_id and s.id = l.student_id
              where l.tenant_id = c.tenant_id and l.contact_id = c.id)), null
      from contacts c where c.tenant_id = ${tenantId} and c.id = any (${[...ids]}::uuid[])`,
  employee: (tenantId, ids) => sql`
    select 'employee', m.id, 'Employee', m.name, coalesce(m.employee_name, m.name),
           concat_ws(' · ', m.name, m.designation, m.department), m.status
      from employees m where m.tenant_id = ${tenantId} and m.id = any (${[...ids]}::uuid[])`,
  instructor: (tenantId, ids) => sql`
    select 'instructor', i.id, 'Instructor', i.name, coalesce(i.instructor_name, i.name),
           concat_ws(' · ', i.name, i.department), i.status
      from instructors i where i.tenant_id = ${tenantId} and i.id = any (${[...ids]}::uuid[])`,
  payment: (tenantId, ids) => sql`
    select 'payment', p.id, null, null, p.description,
           concat_ws(' · ', s.full_name, p.amount || ' ' || p.currency, to_char(p.due_date at time zone 'UTC', 'YYYY-MM-DD')),
           p.status
      from payments p join students s on s.tenant_id = p.tenant_id and s.id = p.student_id
     where p.tenant_id = ${tenantId} and p.id = any (${[...ids]}::uuid[])`,
  document: (tenantId, ids) => sql`
    select 'document', d.id, null, null, d.title, concat_ws(' · ', t.name, d.external_id), d.status
      from documents d join document_types t on t.tenant_id = d.tenant_id and t.id = d.document_type_id
     where d.tenant_id = ${tenantId} and d.id = any (${[...ids]}::uuid[])`,
}

/** The statement that reads what was found, of each kind by its ids; null where nothing was. */
export function foundRows(
  tenantId: string,
  found: readonly { readonly kind: SearchKind; readonly record_id: string }[],
): Sql | null {
  const ids = new Map<SearchKind, string[]>()
  for (const { kind, record_id } of found) ids.set(kind, [...(ids.get(kind) ?? []), record_id])
  if (ids.size === 0) return null
  const parts = [...ids].map(([kind, ofKind]) => sql`(${rowsOf[kind](tenantId, ofKind)})`)
  const [first, ...others] = parts
  return sql`
    select kind, id, type, name, title, detail, status
      from (${join([first as Sql, ...others], ' union all ')}) found (kind, id, type, name, title, detail, status)`
}

/** The statement that reads the ids of records that another statement names as its first field. */
export function idsOfNames(tenantId: string, relation: string, names: Sql): Sql {
  return sql`
    select r.id from ${identifier(relation)} r where r.tenant_id = ${tenantId} and r.name in (select own.f0 from (${names}) own)`
}
