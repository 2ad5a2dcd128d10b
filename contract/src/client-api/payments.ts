import { Type } from 'typebox'
import { operation, pagedQuery } from '../operation.ts'
import {
  body,
  CreatedAt,
  decimal,
  described,
  ExternalId,
  label,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  StampOrDateInput,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'
import { batchOperation } from './batches.ts'
import { CustomFieldsInput, CustomFieldValues } from './custom-fields.ts'
import { deletedRecordsOperation } from './deleted-records.ts'

export const paymentStatuses = ['pending', 'paid', 'overdue', 'cancelled', 'refunded'] as const
const PaymentStatus = oneOf(paymentStatuses, 'Where the payment stands.')

export const Payment = record(
  'Payment',
  'A payment or an obligation of a student.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    studentId: described(Uuid, 'Id of the student who pays.'),
    studentName: label('Full name of the student.'),
    studentCode: label('Code of the student.'),
    amount: decimal('Amount, as it was sent.'),
    currency: label('Currency, three capital letters (ISO 4217).'),
    status: PaymentStatus,
    description: label('What it is for.'),
    processorPaymentIntentId: nullable(label('Identifier of the payment in an external card processor.')),
    dueDate: described(Stamp, 'When it is due; the moment of creation when the body said null.'),
    paidAt: nullable(described(Stamp, 'When it was paid.')),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    customFields: optional(CustomFieldValues),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000101',
    externalId: 'T-604821-2021F',
    studentId: '01985b2e-5a00-7000-8000-000000000001',
    studentName: 'Tyrone Dyer',
    studentCode: 'EDU-STU-2026-00001',
    amount: 1250.5,
    currency: 'USD',
    status: 'pending',
    description: 'Tuition, 2021-2022 Fall Semester',
    processorPaymentIntentId: null,
    dueDate: '2026-09-01T00:00:00.000Z',
    paidAt: null,
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:00.000Z',
  },
)

const Amount = Type.Unsafe<number>({
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 1_000_000_000_000,
  description: 'Amount, in units of the currency.',
})
const Currency = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  description: 'Three letters (ISO 4217), stored in upper case.',
})
const Description = text('What it is for.', 2000, 1)
const DueDate = nullable(described(StampOrDateInput, 'When it is due; null means on creation.'))
const PaidAt = nullable(
  described(StampOrDateInput, 'When it was paid; set to now when absent and status becomes paid.'),
)

const CreatePaymentBody = body(
  'CreatePaymentBody',
  'A new payment or obligation.',
  {
    studentId: described(Uuid, 'The student who pays.'),
    amount: Amount,
    description: Description,
    dueDate: DueDate,
    externalId: optional(ExternalId),
    currency: optional(Type.Unsafe<string>({ ...Currency, default: 'USD' })),
    status: optional(Type.Unsafe<(typeof paymentStatuses)[number]>({ ...PaymentStatus, default: 'pending' })),
    paidAt: optional(PaidAt),
    customFields: optional(CustomFieldsInput),
  },
  Payment,
  {
    studentId: '01985b2e-5a00-7000-8000-000000000001',
    amount: 1250.5,
    description: 'Tuition, 2021-2022 Fall Semester',
    dueDate: '2026-09-01',
    externalId: 'T-604821-2021F',
  },
)

const changes = {
  amount: optional(Amount),
  currency: optional(Currency),
  status: optional(PaymentStatus),
  description: optional(Description),
  dueDate: optional(DueDate),
  paidAt: optional(PaidAt),
  customFields: optional(CustomFieldsInput),
}

const UpdatePaymentBody = body(
  'UpdatePaymentBody',
  'Fields of a payment. An absent field stays as it is.',
  changes,
  Payment,
  { status: 'paid', paidAt: '2026-08-28T14:05:00Z' },
)

const UpsertPaymentBody = body(
  'UpsertPaymentBody',
  'Fields of a payment. `studentId`, `amount`, `description` and `dueDate` are required only when it is created.',
  { studentId: optional(described(Uuid, 'The student who pays; fixed once created.')), ...changes },
  Payment,
  {
    studentId: '01985b2e-5a00-7000-8000-000000000001',
    amount: 1250.5,
    description: 'Tuition, 2021-2022 Fall Semester',
    dueDate: '2026-09-01',
  },
)

const payments = {
  tag: 'Payments',
  modules: ['platform_integrations', 'staff_payments'],
  domain: 'payments',
} as const

export const paymentOperations = {
  listPayments: operation(payments, {
    method: 'GET',
    path: '/payments',
    scope: 'payments:read',
    idempotency: 'none',
    summary: 'List payments and obligations',
    query: pagedQuery({
      status: optional(described(PaymentStatus, 'Only payments in this status.')),
      studentId: optional(described(Uuid, 'Only payments of this student.')),
      externalId: optional(described(ExternalId, 'Only the payment with this externalId.')),
      currency: optional(described(Currency, 'Only payments in this currency, three letters (ISO 4217).')),
      dueFrom: optional(described(StampOrDateInput, 'Due at or after this stamp.')),
      dueTo: optional(described(StampOrDateInput, 'Due at or before this stamp.')),
    }),
    shape: 'page',
    record: Payment,
    status: 200,
    errors: [],
    events: [],
  }),
  listDeletedPayments: deletedRecordsOperation(payments, '/payments', 'payments:read', 'payments'),
  batchPayments: batchOperation(payments, {
    path: '/payments',
    scope: 'payments:write',
    title: 'BatchPaymentsBody',
    nouns: 'payments',
    item: UpsertPaymentBody,
    example: {
      externalId: 'T-604821-2021F',
      studentId: '01985b2e-5a00-7000-8000-000000000001',
      amount: 1250.5,
      description: 'Tuition, 2021-2022 Fall Semester',
      dueDate: '2026-09-01',
    },
    events: ['payment.created', 'payment.updated', 'payment.status_changed'],
  }),
  getPayment: operation(payments, {
    method: 'GET',
    path: '/payments/{id}',
    scope: 'payments:read',
    idempotency: 'none',
    summary: 'Read one payment',
    shape: 'record',
    record: Payment,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  createPayment: operation(payments, {
    method: 'POST',
    path: '/payments',
    scope: 'payments:write',
    idempotency: 'required',
    summary: 'Create a payment or obligation',
    body: CreatePaymentBody,
    shape: 'record',
    record: Payment,
    status: 201,
    location: '/payments/{id}',
    hasEntityTag: true,
    errors: ['external_id_taken', 'reference_not_found', 'rule_violated'],
    events: ['payment.created'],
  }),
  updatePayment: operation(payments, {
    method: 'PATCH',
    path: '/payments/{id}',
    scope: 'payments:write',
    idempotency: 'none',
    summary: 'Update fields of a payment',
    body: UpdatePaymentBody,
    shape: 'record',
    record: Payment,
    status: 200,
    hasEntityTag: true,
    errors: ['rule_violated', 'state_conflict'],
    events: ['payment.updated', 'payment.status_changed'],
  }),
  upsertPaymentByExternalId: operation(payments, {
    method: 'PUT',
    path: '/payments/external/{externalId}',
    scope: 'payments:write',
    idempotency: 'natural',
    summary: 'Create or update a payment by externalId',
    body: UpsertPaymentBody,
    shape: 'record',
    record: Payment,
    status: 200,
    mayCreate: true,
    location: '/payments/{id}',
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated', 'state_conflict'],
    events: ['payment.created', 'payment.updated', 'payment.status_changed'],
  }),
}
