import { type JsonObject, Payment, type paymentOperations, type Static } from '@matricula/contract'
import { identifier, moment, quotedName, type Sql, type Statement, sql } from '../../database/index.ts'
import { type NewValues, type StoredRow, storedTable, toRecordset } from '../../entities/index.ts'
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

const paymentTable = storedTable(Payment, {
  table: 'payments',
  alias: 'p',
  stored: paymentColumns,
  further: { customFields: 'custom_fields' },
})

export interface PaymentRow extends StoredRow<PaymentRecord, typeof paymentColumns> {
  readonly student_name: string
  readonly student_code: string
  readonly student_version: number
  readonly custom_fields: JsonObject | null
}

/** A payment `p` with its student `s`. */
const withStudent = sql`
  ${paymentTable.selected}, s.full_name as student_name, s.student_code, s.version as student_version,
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
export interface NewPayment extends Omit<NewValues<PaymentRecord, typeof paymentColumns>, 'studentId' | 'dueDate'> {
  readonly id: string
  /** The student, by id or by code. */
  readonly student: { readonly id: string } | { readonly code: string }
  /** Null means due on creation. */
  readonly dueDate: string | null
  readonly isPaidNow: boolean
  readonly customFields?: JsonObject
  /** The fee that it is the payment of. */
  readonly fee?: string
}

/**
 * Makes a payment, and returns it as it reads, in one statement. No row when the student does not exist or the externalId
 * is taken.
 */
export function insertPayment(tenantId: string, payment: NewPayment): Sql {
  const { student } = payment
  const isStudent = 'id' in student ? sql`id = ${student.id}` : sql`student_code = ${student.code}`
  const given: Readonly<Record<string, unknown>> = { ...payment }
  const values = paymentTable.values((field, type) => sql`${given[field] ?? null}::${identifier(type)}`, {
    studentId: sql`students.id`,
    dueDate: sql`coalesce(${payment.dueDate}::timestamptz, stamp)`,
    paidAt: sql`case when ${payment.isPaidNow}::boolean then stamp else ${payment.paidAt ?? null}::timestamptz end`,
  })
  return sql`
    with s as materialized (
      select full_name, student_code, version, shown_at from students where tenant_id = ${tenantId} and ${isStudent}
    ), p as (
      insert into payments (tenant_id, id, ${paymentTable.inserted}, fee, created_at, updated_at)
      select tenant_id, ${payment.id}, ${values}, ${payment.fee ?? null}, stamp, stamp
        from students, ${moment}
       where tenant_id = ${tenantId} and ${isStudent}
      on conflict do nothing
      returning *
    )
    select ${withStudent} from p, s`
}

/**
 * Makes many payments, and returns them as they read, in one statement: those of students who exist, whose externalId is not
 * taken. Each student is looked up by itself: under row-level security PostgreSQL asks no index for an equality with a subquery or `coalesce`
 * in it, and read all students of the tenant.
 */
export function insertPayments(tenantId: string, made: readonly NewPayment[]): Sql {
  const items = toRecordset(
    made.map(({ student, ...payment }) => ({ ...payment, student: findId(student), studentCode: findCode(student) })),
  )
  const values = paymentTable.values(quotedName, {
    studentId: sql`student_id`,
    dueDate: sql`coalesce("dueDate", stamp)`,
    paidAt: sql`case when "isPaidNow" then stamp else "paidAt" end`,
  })
  return sql`
    with s as materialized (
      select item.*, s.id as student_id, s.full_name, s.student_code, s.version, s.shown_at
        from jsonb_to_recordset(${items}::jsonb) as item (
               id uuid, ${paymentTable.recordset}, student uuid, "studentCode" text, "isPaidNow" boolean, fee text)
       cross join lateral (
               select coalesce(item.student, (select id from students
                                               where tenant_id = ${tenantId} and student_code = item."studentCode")) as id
               offset 0) as named
       cross join lateral (
               select id, full_name, student_code, version, shown_at from students where tenant_id = ${tenantId} and id = named.id
               limit 1) as s
    ), p as (
      insert into payments (tenant_id, id, ${paymentTable.inserted}, fee, created_at, updated_at)
      select ${tenantId}, id, ${values}, fee, stamp, stamp
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

/** Changes payments, each with the stamp of its record; their custom fields stay as they are. */
export function writePayments(tenantId: string, changed: readonly ChangedPayment[]): Statement {
  return paymentTable.updateMany(
    tenantId,
    changed.map(({ before, after }) => ({ id: after.id, before, after, stamp: after.updatedAt })),
  )
}

/** Changes a payment, and returns it as it reads, with its fee, in one statement. */
export function changePaymentRow(tenantId: string, id: string, values: PaymentRecord): Sql {
  const stored = { ...values, customFields: values.customFields ?? null }
  return sql`
    with p as (
      ${paymentTable.update(tenantId, id, stored)} returning *
    )
    select ${withStudent}, p.fee from p join students s on s.tenant_id = ${tenantId} and s.id = p.student_id`
}

/** Changes the statuses of payments and what goes with them, and returns the payments as they read, in one statement. */
export function changePaymentStatuses(tenantId: string, changed: readonly ChangedPayment[]): Sql {
  const rows = changed.map(({ after: { id, status, paidAt, processorPaymentIntentId } }) => {
    return { id, status, paid_at: paidAt, processor_payment_intent_id: processorPaymentIntentId }
  })
  return sql`
    with p as (
      update payments p
         set status = c.status, paid_at = c.paid_at, processor_payment_intent_id = c.processor_payment_intent_id,
             version = p.version + 1, updated_at = greatest(current_stamp(), p.updated_at)
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as c (id uuid, status text, paid_at timestamptz, processor_payment_intent_id text)
       where p.tenant_id = ${tenantId} and p.id = c.id
      returning p.*
    )
    select ${withStudent} from p join students s on s.tenant_id = ${tenantId} and s.id = p.student_id`
}

export const payments: ListDefinition<PaymentRow, PaymentRecord> = {
  entityType: 'payment',
  noun: 'payment',
  table: 'payments',
  isCountedByStatus: true,
  tellsDeletions: true,
  alias: 'p',
  select: selectPayments,
  toRecord: paymentTable.reader<PaymentRow>({
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
