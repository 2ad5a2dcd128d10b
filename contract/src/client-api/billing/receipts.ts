import { Type } from 'typebox'
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
import {
  Allocation,
  AllocationInput,
  AmountInput,
  BillingActor,
  billing,
  Currency,
  CurrencyInput,
  maxParts,
} from './amounts.ts'

export const receiptMethods = ['cash', 'transfer', 'card', 'cheque', 'direct_debit', 'credit', 'other'] as const
export type ReceiptMethod = (typeof receiptMethods)[number]
export const receiptStatuses = ['posted', 'reversed'] as const

const ReceivedOn = described(CalendarDate, 'The day on which the money came in; not in the future.')

export const Receipt = record(
  'Receipt',
  'Money that came in for an account.',
  {
    id: Uuid,
    receiptNumber: label('Number of the receipt.'),
    accountId: described(Uuid, 'The account that paid.'),
    receivedOn: ReceivedOn,
    method: oneOf(receiptMethods, 'How it was paid.'),
    reference: nullable(label('Reference of the payer or of the bank.')),
    amount: decimal('What came in.'),
    currency: Currency,
    allocations: Type.Unsafe<Allocation[]>({ type: 'array', items: Allocation, description: 'What it pays.' }),
    unallocated: decimal('What became credit of the account.'),
    status: oneOf(receiptStatuses, 'Whether it counts or was reversed.'),
    reversedBy: nullable(BillingActor),
    createdBy: BillingActor,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000401',
    receiptNumber: 'REC-2026-00001',
    accountId: '01985b2e-5a00-7000-8000-000000000301',
    receivedOn: '2026-02-01',
    method: 'cash',
    reference: null,
    amount: 250.5,
    currency: 'USD',
    allocations: [{ paymentId: '01985b2e-5a00-7000-8000-000000000101', amount: 250.5 }],
    unallocated: 0,
    status: 'posted',
    reversedBy: null,
    createdBy: { type: 'api_key', id: '01985b2e-5a00-7000-8000-000000000901', name: 'front desk' },
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:00.000Z',
  },
)

/** How what a receipt pays is said: by allocations, or by the order of due dates. */
export const allocating = {
  allocations: optional(
    Type.Unsafe<Allocation[]>({
      type: 'array',
      maxItems: maxParts,
      items: AllocationInput,
      description: 'What it pays, each obligation once; an empty list pays nothing yet.',
    }),
  ),
  allocate: optional(
    oneOf(['oldest'], 'Pays what is open by due date, then creation: the default. Not together with `allocations`.'),
  ),
}

const CreateReceiptBody = body(
  'CreateReceiptBody',
  'Money that came in.',
  {
    accountId: described(Uuid, 'The account that paid.'),
    receivedOn: ReceivedOn,
    method: oneOf(receiptMethods, 'How it was paid; `credit` takes from the credit of the account.'),
    amount: AmountInput,
    reference: optional(nullable(text('Reference of the payer or of the bank.', 140))),
    currency: optional(described(CurrencyInput, 'The currency of the account, by default.')),
    ...allocating,
  },
  Receipt,
  { accountId: '01985b2e-5a00-7000-8000-000000000301', receivedOn: '2026-02-01', method: 'cash', amount: 250.5 },
)

const ReverseReceiptBody = body(
  'ReverseReceiptBody',
  'Why and on which day.',
  {
    reason: optional(text('Why, for the books.', 500)),
    on: optional(described(CalendarDate, 'The day of the reversal; today by default.')),
  },
  null,
  { reason: 'Cheque returned' },
)

export const receiptOperations = {
  listReceipts: operation(billing, {
    method: 'GET',
    path: '/billing/receipts',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List receipts',
    query: pagedQuery({
      status: optional(oneOf(receiptStatuses, 'Only receipts in this status.')),
      accountId: optional(described(Uuid, 'Only receipts of this account.')),
      method: optional(oneOf(receiptMethods, 'Only receipts paid in this way.')),
      from: optional(described(CalendarDate, 'Received on or after this day.')),
      to: optional(described(CalendarDate, 'Received on or before this day.')),
    }),
    shape: 'page',
    record: Receipt,
    status: 200,
    errors: [],
    events: [],
  }),
  getReceipt: operation(billing, {
    method: 'GET',
    path: '/billing/receipts/{id}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read one receipt',
    shape: 'record',
    record: Receipt,
    media: { types: ['application/pdf'] },
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  createReceipt: operation(billing, {
    method: 'POST',
    path: '/billing/receipts',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Post a receipt',
    body: CreateReceiptBody,
    shape: 'record',
    record: Receipt,
    status: 201,
    location: '/billing/receipts/{id}',
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated'],
    events: ['receipt.posted', 'payment.status_changed'],
  }),
  reverseReceipt: operation(billing, {
    method: 'POST',
    path: '/billing/receipts/{id}/reverse',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Reverse a receipt',
    description: 'Posts the opposite. Nothing is deleted.',
    body: ReverseReceiptBody,
    bodyRequired: false,
    shape: 'record',
    record: Receipt,
    status: 200,
    hasEntityTag: true,
    errors: ['rule_violated', 'state_conflict'],
    events: ['receipt.reversed', 'payment.status_changed'],
  }),
}
