import { Type } from 'typebox'
import { operation, pagedQuery } from '../../operation.ts'
import {
  body,
  CalendarDate,
  decimal,
  described,
  label,
  nullable,
  oneOf,
  optional,
  record,
  type Static,
  text,
  Uuid,
} from '../../schema.ts'
import { mandateSequences } from './accounts.ts'
import { billing, maxParts } from './amounts.ts'

export const debitStatuses = ['collected', 'returned'] as const
export const directDebitStatuses = ['collected', 'partially_returned', 'returned'] as const

/** At most so many returns of one request. */
const maxReturns = 1000

const EndToEndId = described(
  text('', 35, 1),
  'What the bank names the debit by, in the file and in its returns: unique, at most 35 characters.',
)

const Debit = record('Debit', 'What is collected from one account.', {
  endToEndId: EndToEndId,
  accountId: described(Uuid, 'The account that pays.'),
  mandateId: label('Reference of the mandate.'),
  sequence: oneOf(mandateSequences, 'Whether it is the first collection of the mandate.'),
  amount: decimal('What is collected.'),
  receiptId: described(Uuid, 'The receipt that it posted.'),
  status: oneOf(debitStatuses, 'Whether it was returned.'),
  reasonCode: nullable(label('Why it was returned.')),
})

const example = {
  id: '01985b2e-5a00-7000-8000-000000000501',
  collectionDate: '2026-03-02',
  status: 'partially_returned',
  debits: [
    {
      endToEndId: 'DD-01985b2e5a0070008000000000000502',
      accountId: '01985b2e-5a00-7000-8000-000000000301',
      mandateId: 'M-17',
      sequence: 'FRST',
      amount: 250.5,
      receiptId: '01985b2e-5a00-7000-8000-000000000401',
      status: 'returned',
      reasonCode: 'AM04',
    },
  ],
} as const

export const DirectDebit = record(
  'DirectDebit',
  'A run of direct debits: what is collected on one day.',
  {
    id: Uuid,
    collectionDate: described(CalendarDate, 'The day on which the payers’ banks are asked for the money.'),
    status: oneOf(directDebitStatuses, 'Whether debits were returned: none, some or all of them.'),
    debits: Type.Unsafe<Static<typeof Debit>[]>({
      type: 'array',
      items: Debit,
      description: 'A debit for each account, by account number.',
    }),
  },
  { ...example, status: 'returned', debits: [...example.debits] },
)

const CreateDirectDebitBody = body(
  'CreateDirectDebitBody',
  'What is to be collected.',
  {
    collectionDate: described(
      CalendarDate,
      'The day of collection: at least the days of notice ahead that the institution has set (`preNotificationDays`).',
    ),
    dueTo: described(CalendarDate, 'Only what is due on or before this day.'),
    accountIds: optional(
      Type.Unsafe<string[]>({
        type: 'array',
        maxItems: maxParts,
        items: Uuid,
        description: 'Only from these accounts; by default from all that have a mandate.',
      }),
    ),
  },
  DirectDebit,
  { collectionDate: '2026-03-02', dueTo: '2026-03-31' },
)

const ReturnInput = body(
  'ReturnInput',
  'A debit that the bank gave back.',
  {
    endToEndId: EndToEndId,
    reasonCode: text('Why, as the bank says: a code of ISO 20022 such as `AM04`.', 35, 1),
    returnedOn: described(CalendarDate, 'The day on which the bank gave it back.'),
  },
  null,
)

const ReturnDebitsBody = body(
  'ReturnDebitsBody',
  'Debits that the bank gave back.',
  {
    returns: Type.Unsafe<Static<typeof ReturnInput>[]>({
      type: 'array',
      minItems: 1,
      maxItems: maxReturns,
      items: ReturnInput,
      description: 'All of them are taken, or none. What is returned already stays as it is.',
    }),
  },
  null,
  { returns: [{ endToEndId: example.debits[0].endToEndId, reasonCode: 'AM04', returnedOn: '2026-03-04' }] },
)

export const directDebitOperations = {
  listDirectDebits: operation(billing, {
    method: 'GET',
    path: '/billing/direct-debits',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List runs of direct debits',
    query: pagedQuery({}),
    shape: 'page',
    record: DirectDebit,
    status: 200,
    errors: [],
    events: [],
  }),
  getDirectDebit: operation(billing, {
    method: 'GET',
    path: '/billing/direct-debits/{id}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read a run of direct debits, or the file for the bank',
    description:
      'As `application/xml` it is the direct debit initiation (ISO 20022, pain.008) in the version that the creditor ' +
      'of the institution had when the run was made; a run without debits has none (`state_conflict`).',
    shape: 'record',
    record: DirectDebit,
    media: { types: ['application/xml'] },
    status: 200,
    hasEntityTag: true,
    errors: ['state_conflict'],
    events: [],
  }),
  createDirectDebit: operation(billing, {
    method: 'POST',
    path: '/billing/direct-debits',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Collect what is due by direct debit',
    description:
      'Collects what accounts with a mandate owe, each in one debit, and posts the receipts on the collection date to a ' +
      'clearing account, which the credit of the bank clears.',
    body: CreateDirectDebitBody,
    shape: 'record',
    record: DirectDebit,
    status: 201,
    location: '/billing/direct-debits/{id}',
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated'],
    events: ['direct_debit.created', 'receipt.posted', 'payment.status_changed', 'billing_account.updated'],
  }),
  returnDirectDebits: operation(billing, {
    method: 'POST',
    path: '/billing/direct-debits/{id}/returns',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Return debits of a run',
    description: 'Reverses their receipts, so that what they paid is open again.',
    body: ReturnDebitsBody,
    shape: 'record',
    record: DirectDebit,
    status: 200,
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated'],
    events: ['direct_debit.returned', 'receipt.reversed', 'payment.status_changed'],
  }),
}
