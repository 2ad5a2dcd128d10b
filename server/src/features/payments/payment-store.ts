import { type JsonObject, Payment, type paymentOperations, type Static } from '@matricula/contract'
import { getUpdates, moment, type Sql, type Statement, sql, table } from '../../database/index.ts'
import { type StoredRow, storedFields } from '../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../listing/index.ts'

export type PaymentRecord = Static<typeof Payment>

/** The fields that a payment's row keeps, by column. */
const paymentColumns = {
  externalId: 'external_id',
  studentId: 'student_id',
  amount: 'amount',
  currency: 'currency',
  status: 'status',
  description: 'description',
  processorPaymentIntentId: 'processor_payment_intent_id',
  dueDate: 'due_date',
  paidAt: 'paid_at',
} as const

const paymentTable = table('payments', { ...paymentColumns, customFields: 'custom_fields' })

const paymentFields = storedFields(Payment, 'p', paymentColumns)

export interface PaymentRow extends StoredRow<PaymentRecord, typeof paymentColumns> {
  readonly student_name: string
  readonly student_code: string
  readonly student_version: number
  readonly custom_fields: JsonObject | null
}

/** A payment `p` with its student `s`. */
const withStudent = sql`
  ${paymentFields.selected}, s.full_name as student_name, s.student_code, s.version as student_version,
  nullif(p.custom_fields, '{}') as custom_fields, greatest(p.updated_at, s.shown_at) as updated_at`

/** The payments of a tenant that meet a condition on `p`, with their student. */
function selectPayments(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${withStudent}
      from payments p
      join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
     where p.tenant_id = ${tenantId} and ${condition}`
}

/** The values of a payment that is to be made. */
export interface NewPayment {
  readonly id: string
  readonly externalId: string | null
  /** The student, by id or by code. */
  readonly student: { readonly id: string } | { readonly code: string }
  readonly amount: number
  readonly currency: string
  readonly status: PaymentRecord['status']
  readonly description: string
  /** Null means due on creation. */
  readonly dueDate: string | null
  readonly paidAt: string | null
  readonly isPaidNow: boolean
  readonly customFields?: JsonObject
  /** The fee that it is the payment of. */
  readonly fee?: string
}

/**
 * Makes a payment and answers it as it reads, in one statement. No row when the student does not exist or the externalId
 * is taken.
 */
export function insertPayment(tenantId: string, payment: NewPayment): Sql {
  const { student } = payment
  const isStudent = 'id' in student ? sql`id = ${student.id}` : sql`student_code = ${student.code}`
  return sql`
    with s as materialized (
      select full_name, student_code, version, shown_at from students where tenant_id = ${tenantId} and ${isStudent}
    ), p as (
      insert into payments (tenant_id, id, external_id, student_id, amount, currency, status, description,
                            due_date, paid_at, fee, custom_fields, created_at, updated_at)
      select tenant_id, ${payment.id}, ${payment.externalId}, students.id, ${payment.amount}, ${payment.currency},
             ${payment.status}, ${payment.description}, coalesce(${payment.dueDate}::timestamptz, stamp),
             case when ${payment.isPaidNow}::boolean then stamp else ${payment.paidAt}::timestamptz end,
             ${payment.fee ?? null}, ${payment.customFields ?? null}::jsonb, stamp, stamp
        from students, ${moment}
       where tenant_id = ${tenantId} and ${isStudent}
      on conflict do nothing
      returning *
    )
    select ${withStudent} from p, s`
}

/**
 * Makes many payments and answers them as they read, in one statement: those of students who exist, whose externalId is not
 * taken. Each student is looked up by itself: under row-level security PostgreSQL asks no index for an equality with a subquery or `coalesce`
 * in it, and read all students of the tenant.
 */
export function insertPayments(tenantId: string, made: readonly NewPayment[]): Sql {
  const items = JSON.stringify(
    made.map(({ student, ...payment }) => ({ ...payment, student: findId(student), studentCode: findCode(student) })),
  )
  return sql`
    with s as materialized (
      select item.*, s.id as student_id, s.full_name, s.student_code, s.version, s.shown_at
        from jsonb_to_recordset(${items}::jsonb) as item (
               id uuid, "externalId" text, student uuid, "studentCode" text, fee text, amount numeric, currency text, status text, description text,
               "dueDate" timestamptz, "paidAt" timestamptz, "isPaidNow" boolean, "customFields" jsonb)
       cross join lateral (
               select coalesce(item.student, (select id from students
                                               where tenant_id = ${tenantId} and student_code = item."studentCode")) as id
               offset 0) as named
       cross join lateral (
               select id, full_name, student_code, version, shown_at from students where tenant_id = ${tenantId} and id = named.id
               limit 1) as s
    ), p as (
      insert into payments (tenant_id, id, external_id, student_id, amount, currency, status, description,
                            due_date, paid_at, fee, custom_fields, created_at, updated_at)
      select ${tenantId}, id, "externalId", student_id, amount, currency, status, description,
             coalesce("dueDate", stamp), case when "isPaidNow" then stamp else "paidAt" end, fee, "customFields", stamp, stamp
        from s, ${moment}
      on conflict do nothing
      returning *
    )
    select ${withStudent} from p join s on s.id = p.id`
}

function findId(student: NewPayment['student']): string | null {
  return 'id' in student ? student.id : null
}

function findCode(student: NewPayment['student']): string | null {
  return 'code' in student ? student.code : null
}

/** What a payment was and what it is to be. */
export interface ChangedPayment {
  readonly before: PaymentRecord
  readonly after: PaymentRecord
}

const updating = getUpdates('payments', paymentColumns, {
  externalId: 'text',
  studentId: 'uuid',
  amount: 'numeric',
  currency: 'text',
  status: 'text',
  description: 'text',
  processorPaymentIntentId: 'text',
  dueDate: 'timestamptz',
  paidAt: 'timestamptz',
})

/** Changes payments, each with the stamp of its record; their custom fields stay as they are. */
export function writePayments(tenantId: string, changed: readonly ChangedPayment[]): Statement {
  return updating(
    tenantId,
    changed.map(({ before, after }) => ({ id: after.id, before, after, stamp: after.updatedAt })),
  )
}

/** Changes a payment and answers it as it reads, with its fee, in one statement. */
export function changePaymentRow(tenantId: string, id: string, values: PaymentRecord): Sql {
  const stored = { ...values, customFields: values.customFields ?? null }
  return sql`
    with p as (
      ${paymentTable.update(tenantId, id, stored)} returning *
    )
    select ${withStudent}, p.fee from p join students s on s.tenant_id = ${tenantId} and s.id = p.student_id`
}

export const payments: ListDefinition<PaymentRow, PaymentRecord> = {
  entityType: 'payment',
  noun: 'payment',
  table: 'payments',
  isCountedByStatus: true,
  tellsDeletions: true,
  alias: 'p',
  select: selectPayments,
  toRecord: paymentFields.reader<PaymentRow>({
    studentName: (row) => row.student_name,
    studentCode: (row) => row.student_code,
    customFields: (row) => row.custom_fields ?? undefined,
  }),
  versions: (row) => [row.version, row.student_version],
  shows: [sql`join students shown on shown.tenant_id = p.tenant_id and shown.id = p.student_id`],
  watched: { status: 'status', currency: 'currency', dueFrom: 'dueDate', dueTo: 'dueDate' },
  inOrder: ['currency'],
  filters: {
    studentId: (studentId) => sql`p.student_id = ${studentId}`,
    externalId: (externalId) => sql`p.external_id = ${externalId}`,
    currency: (currency) => sql`p.currency = upper(${currency})`,
    dueFrom: (dueFrom) => sql`p.due_date >= ${dueFrom}`,
    dueTo: (dueTo) => sql`p.due_date <= ${dueTo}`,
  } satisfies FiltersOf<(typeof paymentOperations)['listPayments']>,
}
