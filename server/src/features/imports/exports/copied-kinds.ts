import type { ImportKindName } from '@matricula/contract'
import { identifier, join, type Sql, sql } from '../../../database/index.ts'

/** How PostgreSQL itself writes the records of a kind: each field as the text of a cell, but for moments, which are in its own form. */
interface CopiedKind {
  readonly alias: string
  /** The tables; without those that only fields read which are not exported. */
  readonly from: (tenantId: string) => Sql
  readonly fields: Readonly<Record<string, Sql>>
  readonly moments: Readonly<Record<string, Sql>>
  readonly customFields: Sql
}

/** The kinds that may have very many records and no field that is a list. */
const copiedKinds: Readonly<Partial<Record<ImportKindName, CopiedKind>>> = {
  students: {
    alias: 's',
    from: (tenantId) => sql`
      students s left join programs p on p.tenant_id = ${tenantId} and p.id = s.program_id`,
    fields: {
      id: sql`s.id`,
      externalId: sql`s.external_id`,
      studentCode: sql`s.student_code`,
      fullName: sql`s.full_name`,
      givenNames: sql`s.given_names`,
      familyNames: sql`s.family_names`,
      preferredName: sql`s.preferred_name`,
      status: sql`s.status`,
      email: sql`s.email`,
      phone: sql`s.phone`,
      dateOfBirth: sql`s.date_of_birth`,
      gender: sql`s.gender`,
      nationality: sql`s.nationality`,
      documentType: sql`s.document_type`,
      documentNumber: sql`s.document_number`,
      country: sql`s.country`,
      stateProvince: sql`s.state_province`,
      city: sql`s.city`,
      address: sql`s.address`,
      postalCode: sql`s.postal_code`,
      photoUrl: sql`s.photo_url`,
      programId: sql`s.program_id`,
      program: sql`coalesce(p.name, s.program)`,
      academicYear: sql`s.academic_year`,
      academicPeriod: sql`s.academic_period`,
    },
    moments: { enrolledAt: sql`s.enrolled_at`, withdrawnAt: sql`s.withdrawn_at` },
    customFields: sql`s.custom_fields`,
  },
  payments: {
    alias: 'p',
    from: (tenantId) => sql`payments p join students s on s.tenant_id = ${tenantId} and s.id = p.student_id`,
    fields: {
      id: sql`p.id`,
      externalId: sql`p.external_id`,
      studentId: sql`p.student_id`,
      amount: sql`trim_scale(p.amount)`,
      currency: sql`p.currency`,
      status: sql`p.status`,
      description: sql`p.description`,
      studentCode: sql`s.student_code`,
    },
    moments: { dueDate: sql`p.due_date`, paidAt: sql`p.paid_at` },
    customFields: sql`p.custom_fields`,
  },
}

const customPrefix = 'customFields.'

/** A statement by which PostgreSQL writes records as CSV, and which of its columns are moments. */
export interface CopiedStatement {
  readonly statement: Sql
  readonly moments: readonly number[]
}

/**
 * The statement by which PostgreSQL writes records of a kind as CSV, in the order in which they were created; null where it
 * cannot.
 *
 * @param condition On the alias of the kind's list
 */
export function copiedStatement(
  kind: ImportKindName,
  columns: readonly string[],
  tenantId: string,
  condition: Sql,
): CopiedStatement | null {
  const copied = copiedKinds[kind]
  if (copied === undefined) return null
  const cells = columns.map((column) =>
    column.startsWith(customPrefix)
      ? sql`${copied.customFields} ->> ${column.slice(customPrefix.length)}::text`
      : (copied.fields[column] ?? copied.moments[column]),
  )
  // A field that was added to the contract and not here.
  if (cells.some((cell) => cell === undefined)) return null
  const record = identifier(copied.alias)
  return {
    statement: sql`
      select ${join(cells as Sql[])} from ${copied.from(tenantId)}
       where ${record}.tenant_id = ${tenantId} and ${condition} order by ${record}.created_at, ${record}.id`,
    moments: columns.flatMap((column, index) => (Object.hasOwn(copied.moments, column) ? [index] : [])),
  }
}
