import { Type } from 'typebox'
import { operation, pagedQuery } from '../../operation.ts'
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
  Uuid,
} from '../../schema.ts'
import { paymentStatuses } from '../payments.ts'
import { AmountInput, billing, Currency, maxParts, ReasonInput } from './amounts.ts'

const obligationExample = {
  paymentId: '01985b2e-5a00-7000-8000-000000000101',
  externalId: null,
  studentId: '01985b2e-5a00-7000-8000-000000000001',
  studentName: 'Tyrone Dyer',
  description: 'EDU-FEE-2026-00001: Tuition',
  fee: 'EDU-FEE-2026-00001',
  dueDate: '2026-09-01T00:00:00.000Z',
  amount: 1250.5,
  currency: 'USD',
  status: 'pending',
  paidAmount: 250.5,
  openAmount: 1000,
  adjustedAmount: 0,
  paymentReference: 'RF4118263744519000001',
} as const

export const Obligation = record(
  'Obligation',
  'What an account owes for one payment: the payment itself is read by its own operation.',
  {
    paymentId: described(Uuid, 'Id of the payment.'),
    externalId: nullable(ExternalId),
    studentId: described(Uuid, 'Id of the student.'),
    studentName: label('Full name of the student.'),
    description: label('What it is for.'),
    fee: nullable(label('Name of the fee that it is of.')),
    dueDate: described(Stamp, 'When it is due.'),
    amount: decimal('What was charged.'),
    currency: Currency,
    status: oneOf(paymentStatuses, 'Where the payment stands.'),
    paidAmount: decimal('What receipts have paid.'),
    openAmount: decimal('What is still to be paid.'),
    adjustedAmount: decimal('What was written off or credited.'),
    paymentReference: label('Reference to be named in a transfer (ISO 11649), unique.'),
  },
  obligationExample,
)

const SplitBody = body(
  'SplitBody',
  'The parts, which together are what is open.',
  {
    parts: Type.Unsafe<{ amount: number; dueDate: string }[]>({
      type: 'array',
      minItems: 2,
      maxItems: maxParts,
      items: body(
        'SplitPart',
        'One part.',
        { amount: AmountInput, dueDate: described(StampOrDateInput, 'When the part is due.') },
        null,
      ),
      description: 'Two or more parts. The payment keeps its id with the first one.',
    }),
  },
  null,
  {
    parts: [
      { amount: 500, dueDate: '2026-09-01' },
      { amount: 500, dueDate: '2026-10-01' },
    ],
  },
)

const AdjustmentBody = body(
  'AdjustmentBody',
  'An amount and why.',
  { amount: AmountInput, reason: ReasonInput },
  null,
  { amount: 50, reason: 'Hardship' },
)

export const Adjustment = record(
  'Adjustment',
  'A write-off or a credit note.',
  {
    id: Uuid,
    number: label('Its number.'),
    paymentId: described(Uuid, 'The obligation.'),
    amount: decimal('Its amount.'),
    reason: label('Why.'),
    createdAt: CreatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000501',
    number: 'CRN-2026-00001',
    paymentId: obligationExample.paymentId,
    amount: 50,
    reason: 'Hardship',
    createdAt: '2026-02-01T08:00:00.000Z',
  },
)

export const obligationOperations = {
  listObligations: operation(billing, {
    method: 'GET',
    path: '/billing/accounts/{id}/obligations',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List the obligations of an account',
    description: 'What is open comes first, by due date; then what is settled.',
    query: pagedQuery({
      status: optional(oneOf(paymentStatuses, 'Only obligations in this status.')),
      dueTo: optional(described(StampOrDateInput, 'Due at or before this stamp; a bare day is included.')),
    }),
    shape: 'page',
    record: Obligation,
    status: 200,
    errors: [],
    events: [],
  }),
  splitObligation: operation(billing, {
    method: 'POST',
    path: '/billing/obligations/{paymentId}/split',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Split an obligation into parts with due dates of their own',
    body: SplitBody,
    shape: 'record',
    record: Type.Array(Obligation, { examples: [[obligationExample]] }),
    status: 200,
    errors: ['rule_violated', 'state_conflict'],
    events: ['obligation.split', 'payment.created', 'payment.updated'],
  }),
  writeOffObligation: operation(billing, {
    method: 'POST',
    path: '/billing/obligations/{paymentId}/write-off',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Write off what will not be paid',
    body: AdjustmentBody,
    shape: 'record',
    record: Adjustment,
    status: 201,
    errors: ['rule_violated', 'state_conflict'],
    events: ['obligation.written_off', 'payment.status_changed'],
  }),
  creditObligation: operation(billing, {
    method: 'POST',
    path: '/billing/obligations/{paymentId}/credit',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Issue a credit note',
    description: 'What exceeds the open amount becomes credit of the account.',
    body: AdjustmentBody,
    shape: 'record',
    record: Adjustment,
    status: 201,
    errors: ['rule_violated', 'state_conflict'],
    events: ['obligation.credited', 'payment.status_changed'],
  }),
}
