import type { ImportKindName, Json } from '@matricula/contract'
import { type Database, identifier, join, quotedName, type Sql, sql } from '../../../database/index.ts'
import type { ListDefinition } from '../../../listing/index.ts'
import { addedTo } from '../../../tenancy/custom-fields/index.ts'
import type { Tenant } from '../../../tenancy/index.ts'
import { applications } from '../../admissions/index.ts'
import { courses } from '../../courses/index.ts'
import { payments } from '../../payments/index.ts'
import { programs } from '../../programs/index.ts'
import { students } from '../../students/index.ts'
import { getImportKind } from '../kinds/index.ts'
import { copiedStatement } from './copied-kinds.ts'

/** Records on their way into a file: the columns, and the values of each record in batches. */
export interface ExportedRecords {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>
  /** The same as CSV that PostgreSQL writes, where it can: see `copyRows`. */
  readonly copied?: () => AsyncIterable<Buffer>
  /** The columns of `copied` that are moments in the form of PostgreSQL. */
  readonly moments?: readonly number[]
  /** The columns of `copied` that say whom a row is about. */
  readonly watched?: readonly number[]
  /** Told of the values of each of these columns, and how many rows they are of, before the rows are written. */
  readonly shown?: (ids: readonly (readonly string[])[], count: number) => Promise<void>
}

const lists: Readonly<Partial<Record<ImportKindName, ListDefinition<never, object>>>> = {
  students: students as never,
  applications: applications as never,
  payments: payments as never,
  programs: programs as never,
  courses: courses as never,
}

const customTypes: Readonly<Partial<Record<ImportKindName, string>>> = {
  students: 'Student',
  applications: 'Student Applicant',
  payments: 'Payment',
}

/** Fields that change by themselves, and other keys of what is named by its id. */
const leftOut: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'courseCount',
  'contactId',
  'contacts',
  'customFields',
  'departmentExternalId',
  'programExternalId',
  'studentExternalId',
])

/** The records of a kind in the order in which they were created; only those that changed since a moment, if one is given. */
export function exportedKind(
  database: Database,
  tenant: Tenant,
  kind: ImportKindName,
  since: string | null,
): ExportedRecords {
  const list = lists[kind]
  if (list === undefined) return exportedRecords(database, tenant, kind, since)
  const custom = addedTo(tenant.customFields, customTypes[kind] ?? '').defined.map(({ name }) => `customFields.${name}`)
  const names = getImportKind(kind).fields.map(({ name }) => name)
  const columns = [...names.filter((name) => !leftOut.has(name)), ...custom]
  const record = identifier(list.alias)
  const condition = since === null ? sql`true` : sql`${record}.updated_at >= ${since}`
  const statement = sql`${list.select(tenant.id, condition)} order by ${record}.created_at, ${record}.id`
  const rows = database.readRows<never>(tenant.id, statement)
  const copied = copiedStatement(kind, columns, tenant.id, condition)
  return {
    columns,
    rows: mapped(rows, (row) => withCustomFields(list.toRecord(row) as Record<string, Json>)),
    ...(copied !== null && {
      copied: () => database.copyRows(tenant.id, copied.statement, 'csv'),
      moments: copied.moments,
    }),
  }
}

function withCustomFields(record: Record<string, Json>): Record<string, unknown> {
  const flat: Record<string, unknown> = { ...record }
  for (const [name, value] of Object.entries((record.customFields ?? {}) as Record<string, Json>)) {
    flat[`customFields.${name}`] = value
  }
  if (Array.isArray(record.programs)) {
    flat.programs = record.programs.map((each) => (each as { name: string }).name)
  }
  return flat
}

/** What is read of the records that the record engine keeps, by column of a file. */
const recordColumns: Readonly<Partial<Record<ImportKindName, Readonly<Record<string, Sql>>>>> = {
  contacts: {
    displayName: sql`e.display_name`,
    email: sql`e.email`,
    phone: sql`e.phone`,
    alternatePhone: sql`e.alternate_number`,
    dateOfBirth: sql`e.date_of_birth`,
    education: sql`e.education`,
    occupation: sql`e.occupation`,
    workAddress: sql`e.work_address`,
  },
  enrollments: {
    student: sql`e.student`,
    program: sql`e.program`,
    academic_year: sql`e.academic_year`,
    academic_term: sql`e.academic_term`,
    enrollment_date: sql`e.enrollment_date`,
    student_category: sql`e.student_category`,
    student_batch_name: sql`e.student_batch_name`,
    school_house: sql`e.school_house`,
    boarding_student: sql`e.boarding_student`,
    courses: sql`(
      select coalesce(jsonb_agg(r.course order by r.idx), '[]') from program_enrollments_courses r
       where r.tenant_id = e.tenant_id and r.parent_id = e.id)`,
    docstatus: sql`e.docstatus`,
  },
  attendance: {
    student: sql`e.student`,
    date: sql`e.date`,
    status: sql`e.status`,
    student_group: sql`e.student_group`,
    course_schedule: sql`e.course_schedule`,
    docstatus: sql`e.docstatus`,
  },
  'assessment-results': {
    assessment_plan: sql`e.assessment_plan`,
    student: sql`e.student`,
    comment: sql`e.comment`,
    scores: sql`(
      select jsonb_object_agg(r.assessment_criteria, r.score) from assessment_results_details r
       where r.tenant_id = e.tenant_id and r.parent_id = e.id)`,
    docstatus: sql`e.docstatus`,
  },
}

/** Kinds whose columns are texts, dates and whole numbers. */
const isPlain: ReadonlySet<ImportKindName> = new Set(['contacts', 'attendance'])

function exportedRecords(
  database: Database,
  tenant: Tenant,
  kind: ImportKindName,
  since: string | null,
): ExportedRecords {
  const { table } = getImportKind(kind)
  const columns = Object.entries(recordColumns[kind] ?? {})
  const selected = [
    sql`i.external_id as ${quotedName('externalId')}`,
    ...columns.map(([name, value]) => sql`${value} as ${name.includes('_') ? identifier(name) : quotedName(name)}`),
  ]
  const condition = since === null ? sql`true` : sql`e.updated_at >= ${since}`
  const statement = sql`
    select e.id, ${join(selected)}
      from ${identifier(table)} e
      left join imported_records i on i.tenant_id = ${tenant.id} and i.kind = ${kind} and i.record_id = e.id
     where e.tenant_id = ${tenant.id} and ${condition}
     order by e.created_at, e.id`
  const rows = database.readRows<Record<string, unknown>>(tenant.id, statement)
  return {
    columns: ['id', 'externalId', ...columns.map(([name]) => name)],
    rows,
    ...(isPlain.has(kind) && { copied: () => database.copyRows(tenant.id, statement, 'csv') }),
  }
}

async function* mapped<From, To>(
  batches: AsyncIterable<readonly From[]>,
  change: (row: From) => To,
): AsyncGenerator<To[]> {
  for await (const batch of batches) yield batch.map(change)
}
