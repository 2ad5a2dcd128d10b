import { Type } from 'typebox'
import { billingAccountKinds } from '../client-api/billing/accounts.ts'
import { AllocationInput, AmountInput, Currency } from '../client-api/billing/amounts.ts'
import { Receipt, receiptMethods } from '../client-api/billing/receipts.ts'
import { paymentStatuses } from '../client-api/payments.ts'
import { operation } from '../operation.ts'
import {
  body,
  CalendarDate,
  decimal,
  described,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  type Static,
  text,
  Uuid,
} from '../schema.ts'

const feeDesk = { tag: 'Fee desk', modules: ['staff_payments'], domain: 'payments' } as const

/** By what a family is found: one who pays, one who is paid for, or one who is responsible. */
export const familyMembers = ['account', 'student', 'guardian'] as const
export type FamilyMember = (typeof familyMembers)[number]

/** Bounds of the fee desk: hits of a search, obligations that are shown, and accounts that one payment is for. */
export const feeDeskBounds = { hits: 12, obligations: 500, parts: 20 } as const

const ids = {
  account: '01985b2e-5a00-7000-8000-000000000301',
  student: '01985b2e-5a00-7000-8000-000000000001',
  payment: '01985b2e-5a00-7000-8000-000000000101',
  receipt: '01985b2e-5a00-7000-8000-000000000401',
} as const

/** Somebody by whom a family is found. */
export const FamilyHit = record(
  'FamilyHit',
  'Somebody by whom a family is found.',
  {
    of: oneOf(familyMembers, 'Whether it is an account, a student or a guardian.'),
    id: described(Uuid, 'Id of the account, the student or the contact.'),
    name: label('Name.'),
    detail: label('What tells it from others: its number, and the children.'),
  },
  { of: 'student', id: ids.student, name: 'Tyrone Dyer', detail: 'EDU-STU-2026-00042 · Nursing' },
)

const PayerAccount = Type.Object(
  {
    id: Uuid,
    accountNumber: label('Number of the account.'),
    name: label('Name of the payer.'),
    kind: oneOf(billingAccountKinds, 'What the payer is.'),
    currency: Currency,
    open: decimal('What is open.'),
    overdue: decimal('What was due before today.'),
    credit: decimal('Money received that is not allocated.'),
  },
  { additionalProperties: false, description: 'An account that pays for the family.' },
)

const FamilyStudent = Type.Object(
  {
    id: Uuid,
    name: label('Name on the Resource API.'),
    fullName: label('Full name.'),
    status: label('Status.'),
  },
  { additionalProperties: false, description: 'A child of the family.' },
)

const OpenObligation = Type.Object(
  {
    paymentId: described(Uuid, 'Id of the payment.'),
    accountId: described(Uuid, 'The account that owes it.'),
    studentId: described(Uuid, 'The student.'),
    studentName: label('Full name of the student.'),
    description: label('What it is for.'),
    dueDate: described(Stamp, 'When it is due.'),
    amount: decimal('What was charged.'),
    openAmount: decimal('What is still to be paid.'),
    currency: Currency,
    status: oneOf(paymentStatuses, 'Where the payment stands.'),
  },
  { additionalProperties: false, description: 'What is open.' },
)

/** What the fee desk shows of a family. */
export const Family = record(
  'Family',
  'Who pays for whom in a family, and what is open.',
  {
    today: described(CalendarDate, 'Today in the institution’s time zone.'),
    accounts: listOf(PayerAccount, 'The accounts that pay, by number.'),
    students: listOf(FamilyStudent, 'The children, by name.'),
    obligations: listOf(
      OpenObligation,
      `What is open, by due date, then creation; at most ${feeDeskBounds.obligations}.`,
    ),
    receipts: Type.Unsafe<Static<typeof Receipt>[]>({
      type: 'array',
      items: Receipt,
      description: 'The last ten receipts of the accounts, the newest first.',
    }),
  },
  {
    today: '2026-02-01',
    accounts: [
      {
        id: ids.account,
        accountNumber: 'BA-000017',
        name: 'Family Dyer',
        kind: 'family',
        currency: 'USD',
        open: 1000,
        overdue: 0,
        credit: 0,
      },
    ],
    students: [{ id: ids.student, name: 'EDU-STU-2026-00042', fullName: 'Tyrone Dyer', status: 'active' }],
    obligations: [
      {
        paymentId: ids.payment,
        accountId: ids.account,
        studentId: ids.student,
        studentName: 'Tyrone Dyer',
        description: 'Tuition',
        dueDate: '2026-09-01T00:00:00.000Z',
        amount: 1250.5,
        openAmount: 1000,
        currency: 'USD',
        status: 'pending',
      },
    ],
    receipts: [],
  },
)

/** The receipts of a payment. */
export const FamilyPayment = record(
  'FamilyPayment',
  'The receipts that a payment posted, one for each account.',
  {
    receipts: Type.Unsafe<Static<typeof Receipt>[]>({
      type: 'array',
      items: Receipt,
      description: 'The receipts, in the order of the accounts that were sent.',
    }),
  },
  { receipts: [] },
)

const PaymentPart = body(
  'FamilyPaymentPart',
  'What one account pays.',
  {
    accountId: described(Uuid, 'The account that pays.'),
    amount: AmountInput,
    allocations: Type.Unsafe<{ paymentId: string; amount: number }[]>({
      type: 'array',
      maxItems: feeDeskBounds.obligations,
      items: AllocationInput,
      description: 'What it pays, each obligation once; what is over becomes credit of the account.',
    }),
  },
  null,
)

const TakePaymentBody = body(
  'TakePaymentBody',
  'Money that a family brought.',
  {
    receivedOn: described(CalendarDate, 'The day on which the money came in; not in the future.'),
    method: oneOf(receiptMethods, 'How it was paid; `credit` takes from the credit of the accounts.'),
    reference: optional(nullable(text('Reference of the payer or of the bank.', 140))),
    parts: Type.Unsafe<Static<typeof PaymentPart>[]>({
      type: 'array',
      minItems: 1,
      maxItems: feeDeskBounds.parts,
      items: PaymentPart,
      description: 'A part for each account, each account once.',
    }),
  },
  null,
  {
    receivedOn: '2026-02-01',
    method: 'cash',
    parts: [{ accountId: ids.account, amount: 250.5, allocations: [{ paymentId: ids.payment, amount: 250.5 }] }],
  },
)

export const feeDeskOperations = {
  findFamilies: operation(feeDesk, {
    method: 'GET',
    path: '/fee-desk/families',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Find a family by what is typed',
    description:
      'Students, guardians and payers, the nearest first. Each word begins a word of a name, code, address or number, in any order; accents and case do not matter, and where nothing is found so, words that are spelt alike will do. The number of an account or an invoice, and the reference of a payment, are found as they stand.',
    query: Type.Object({ q: text('What was typed.', 200, 1) }, { additionalProperties: false }),
    shape: 'list',
    record: FamilyHit,
    status: 200,
    errors: [],
    events: [],
  }),
  readFamily: operation(feeDesk, {
    method: 'GET',
    path: '/fee-desk/family',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read who pays for whom in a family, and what is open',
    description:
      'The children are those who have a guardian in common. What a company or a sponsor owes is shown as far as it is for the children, unless the family is found by its account.',
    query: Type.Object(
      {
        of: oneOf(familyMembers, 'By whom the family is found.'),
        id: described(Uuid, 'Id of the account, the student or the contact.'),
      },
      { additionalProperties: false },
    ),
    shape: 'record',
    record: Family,
    status: 200,
    errors: ['resource_not_found'],
    events: [],
  }),
  readJointReceipt: operation(feeDesk, {
    method: 'GET',
    path: '/fee-desk/receipt',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read or print several receipts as one',
    description:
      'What a family brought for several accounts, on one paper as `application/pdf`, in the language of the first account: ' +
      'each receipt with its number and what it pays, and the sum.',
    query: Type.Object(
      {
        ids: text(
          `Ids of receipts, separated by commas; at most ${feeDeskBounds.parts}.`,
          37 * feeDeskBounds.parts,
          36,
        ),
      },
      { additionalProperties: false },
    ),
    shape: 'record',
    record: FamilyPayment,
    media: { types: ['application/pdf'] },
    status: 200,
    errors: ['resource_not_found', 'state_conflict'],
    events: [],
  }),
  takePayment: operation(feeDesk, {
    method: 'POST',
    path: '/fee-desk/payments',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Take the money that a family brought',
    description: 'Posts a receipt for each account, all of them or none.',
    body: TakePaymentBody,
    shape: 'record',
    record: FamilyPayment,
    status: 201,
    errors: ['reference_not_found', 'rule_violated'],
    events: ['receipt.posted', 'payment.status_changed'],
  }),
}
