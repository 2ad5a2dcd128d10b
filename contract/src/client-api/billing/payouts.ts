import { operation, pagedQuery } from '../../operation.ts'
import {
  body,
  CalendarDate,
  CreatedAt,
  decimal,
  described,
  label,
  nullable,
  oneOf,
  optional,
  record,
  text,
  UpdatedAt,
  Uuid,
} from '../../schema.ts'
import { AmountInput, BillingActor, billing, Currency } from './amounts.ts'
import { receiptStatuses } from './receipts.ts'

/** How credit is paid out. */
const payoutMethods = ['cash', 'transfer', 'card', 'cheque', 'other'] as const

const PaidOn = described(CalendarDate, 'The day on which the money went out; not in the future.')

export const Payout = record(
  'Payout',
  'Credit of an account that was paid out.',
  {
    id: Uuid,
    payoutNumber: label('Number of the payout.'),
    accountId: described(Uuid, 'The account whose credit it was.'),
    paidOn: PaidOn,
    method: oneOf(payoutMethods, 'How it was paid.'),
    reference: nullable(label('Reference of the transfer or the cheque.')),
    reason: nullable(label('Why.')),
    amount: decimal('What went out.'),
    currency: Currency,
    status: oneOf(receiptStatuses, 'Whether it counts or was reversed.'),
    reversedBy: nullable(BillingActor),
    createdBy: BillingActor,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000801',
    payoutNumber: 'PAY-2026-00001',
    accountId: '01985b2e-5a00-7000-8000-000000000301',
    paidOn: '2026-02-01',
    method: 'transfer',
    reference: null,
    reason: 'Left the school',
    amount: 40.5,
    currency: 'USD',
    status: 'posted',
    reversedBy: null,
    createdBy: { type: 'api_key', id: '01985b2e-5a00-7000-8000-000000000901', name: 'front desk' },
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:00.000Z',
  },
)

const CreatePayoutBody = body(
  'CreatePayoutBody',
  'Credit that is paid out.',
  {
    accountId: described(Uuid, 'The account whose credit it is.'),
    paidOn: PaidOn,
    method: oneOf(payoutMethods, 'How it is paid.'),
    amount: AmountInput,
    reference: optional(nullable(text('Reference of the transfer or the cheque.', 140))),
    reason: optional(nullable(text('Why, for the books.', 500))),
  },
  Payout,
  { accountId: '01985b2e-5a00-7000-8000-000000000301', paidOn: '2026-02-01', method: 'transfer', amount: 0.5 },
)

const ReversePayoutBody = body(
  'ReversePayoutBody',
  'Why and on which day.',
  {
    reason: optional(text('Why, for the books.', 500)),
    on: optional(described(CalendarDate, 'The day of the reversal; today by default.')),
  },
  null,
  { reason: 'Transfer came back' },
)

export const payoutOperations = {
  listPayouts: operation(billing, {
    method: 'GET',
    path: '/billing/payouts',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List payouts of credit',
    query: pagedQuery({
      status: optional(oneOf(receiptStatuses, 'Only payouts in this status.')),
      accountId: optional(described(Uuid, 'Only payouts of this account.')),
      from: optional(described(CalendarDate, 'Paid on or after this day.')),
      to: optional(described(CalendarDate, 'Paid on or before this day.')),
    }),
    shape: 'page',
    record: Payout,
    status: 200,
    errors: [],
    events: [],
  }),
  getPayout: operation(billing, {
    method: 'GET',
    path: '/billing/payouts/{id}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read one payout of credit',
    shape: 'record',
    record: Payout,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  createPayout: operation(billing, {
    method: 'POST',
    path: '/billing/payouts',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Pay out credit of an account',
    description: 'Takes from the credit of the account what is given back to the payer in money.',
    body: CreatePayoutBody,
    shape: 'record',
    record: Payout,
    status: 201,
    location: '/billing/payouts/{id}',
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated'],
    events: ['payout.posted'],
  }),
  reversePayout: operation(billing, {
    method: 'POST',
    path: '/billing/payouts/{id}/reverse',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Reverse a payout of credit',
    description: 'Posts the opposite: the money is credit of the account again. Nothing is deleted.',
    body: ReversePayoutBody,
    bodyRequired: false,
    shape: 'record',
    record: Payout,
    status: 200,
    hasEntityTag: true,
    errors: ['rule_violated', 'state_conflict'],
    events: ['payout.reversed'],
  }),
}
