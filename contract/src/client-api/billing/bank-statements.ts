import { Type } from 'typebox'
import { statementColumns } from '../../billing-file.ts'
import { operation, pagedQuery } from '../../operation.ts'
import {
  body,
  CalendarDate,
  CreatedAt,
  count,
  decimal,
  described,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  type Static,
  text,
  Uuid,
} from '../../schema.ts'
import { AmountInput, billing, Currency, maxParts } from './amounts.ts'
import { allocating } from './receipts.ts'

export const lineStatuses = ['open', 'booked', 'ignored'] as const

/** The media types in which files of bank statements are taken. */
export const statementMediaTypes = ['application/xml', 'text/plain', 'application/x-ofx', 'text/csv'] as const

const LineCounts = record('StatementLineCounts', 'How many lines a file has.', {
  total: count('All lines.'),
  new: count('Lines that no earlier file had.'),
  known: count('Lines that an earlier file had.'),
})

const StatementWarning = record('StatementWarning', 'What was accepted and is to be looked at.', {
  code: label('`gap`: statements are missing before this one or within it.'),
  detail: label('What it is.'),
})

export const BankStatement = record(
  'BankStatement',
  'A file of bank statements.',
  {
    id: Uuid,
    format: label('`camt.053.001.02`, `camt.053.001.04`, `camt.053.001.08`, `camt.054.…`, `mt940`, `ofx` or `csv`.'),
    account: label('The bank account (IBAN).'),
    currency: Currency,
    number: nullable(label('Number of the statement.')),
    from: nullable(described(CalendarDate, 'The first day.')),
    to: nullable(described(CalendarDate, 'The last day.')),
    openingBalance: nullable(decimal('The balance before its lines; null in formats without one.')),
    closingBalance: nullable(decimal('The balance after its lines; null in formats without one.')),
    lines: described(LineCounts, 'How many lines it has.'),
    warnings: listOf(StatementWarning, 'What was accepted and is to be looked at.'),
    createdAt: CreatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000601',
    format: 'camt.053.001.08',
    account: 'DE89370400440532013000',
    currency: 'EUR',
    number: '7',
    from: '2026-02-01',
    to: '2026-02-03',
    openingBalance: 100,
    closingBalance: 350.5,
    lines: { total: 1, new: 1, known: 0 },
    warnings: [],
    createdAt: '2026-02-04T08:00:00.000Z',
  },
)

const partMembers = {
  amount: decimal('What came in; negative for what went out.'),
  endToEndId: nullable(label('End-to-end identification.')),
  reference: nullable(label('Structured reference of the payer.')),
  name: nullable(label('Name of the other side.')),
  iban: nullable(label('Account of the other side (IBAN).')),
  text: nullable(label('What the payer wrote.')),
  returnReason: nullable(label('Why it came back (ISO 20022); null for what is no return.')),
} as const

const LinePart = record('BankStatementLinePart', 'One transaction of a batch.', partMembers)

const Proposal = record('BankStatementProposal', 'What a line may pay.', {
  accountId: described(Uuid, 'The billing account.'),
  paymentId: described(Uuid, 'The obligation: id of the payment.'),
  amount: decimal('What it would pay of it.'),
})

export type BankStatementProposal = Static<typeof Proposal>

export const BankStatementLine = record(
  'BankStatementLine',
  'An entry of a bank statement.',
  {
    id: Uuid,
    bookedOn: described(CalendarDate, 'The day on which the bank booked it.'),
    valueOn: nullable(described(CalendarDate, 'The day from which it counts.')),
    amount: partMembers.amount,
    currency: Currency,
    bankReference: nullable(label('Reference of the bank.')),
    endToEndId: partMembers.endToEndId,
    reference: partMembers.reference,
    name: partMembers.name,
    iban: partMembers.iban,
    text: partMembers.text,
    returnReason: partMembers.returnReason,
    details: listOf(LinePart, 'The transactions of a batch; empty for a single one.'),
    status: oneOf(lineStatuses, 'Whether it is still to be booked; `ignored`: nothing of it is to be booked here.'),
    receiptIds: listOf(described(Uuid, 'A receipt.'), 'The receipts that it posted, or reversed.'),
    proposals: listOf(Proposal, 'What it may pay, the likeliest first.'),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000611',
    bookedOn: '2026-02-02',
    valueOn: '2026-02-03',
    amount: 250.5,
    currency: 'EUR',
    bankReference: 'BANK-1',
    endToEndId: 'E2E-1',
    reference: 'RF18539007547034',
    name: 'Ada Dyer',
    iban: 'FR1420041010050500013M02606',
    text: 'Fees of February',
    returnReason: null,
    details: [],
    status: 'open',
    receiptIds: [],
    proposals: [],
  },
)

const accountId = optional(described(Uuid, 'The account that paid. Either this or `parts`.'))

const MatchPart = body(
  'MatchBankStatementLinePart',
  'A part of a batch.',
  {
    accountId: described(Uuid, 'The account that paid.'),
    amount: optional(
      described(AmountInput, 'By default the sum of its allocations, or the amount of the detail at the same place.'),
    ),
    ...allocating,
  },
  null,
)

const MatchBody = body(
  'MatchBankStatementLineBody',
  'Who paid, and what.',
  {
    accountId,
    ...allocating,
    parts: optional(
      Type.Unsafe<Static<typeof MatchPart>[]>({
        type: 'array',
        minItems: 1,
        maxItems: maxParts,
        items: MatchPart,
        description: 'The parts of a batch, at most what came in.',
      }),
    ),
  },
  null,
  { accountId: '01985b2e-5a00-7000-8000-000000000301', allocate: 'oldest' },
)

export const bankStatementOperations = {
  importBankStatement: operation(billing, {
    method: 'POST',
    path: '/billing/bank-statements',
    scope: 'billing:write',
    idempotency: 'natural',
    summary: 'Import a file of bank statements',
    description:
      'The file is the body: camt.053 or camt.054, MT940, OFX or CSV. The same bytes again answer the record that is ' +
      `there (200). Headings of CSV: ${statementColumns.map((name) => `\`${name}\``).join(', ')}, or those of the ` +
      'bank account’s `csvColumns`. A returned debit reverses its receipt.',
    query: Type.Object(
      { account: optional(text('IBAN of the bank account; for CSV, which does not say it.', 42, 1)) },
      { additionalProperties: false },
    ),
    file: {
      types: statementMediaTypes,
      maxBytes: 25 * 1024 * 1024,
      description: 'The file as the bank made it, at most 25 MiB.',
    },
    shape: 'record',
    record: BankStatement,
    status: 200,
    mayCreate: true,
    location: '/billing/bank-statements/{id}',
    errors: ['statement_rejected'],
    events: ['bank_statement.imported', 'receipt.posted', 'receipt.reversed', 'payment.status_changed'],
  }),
  listBankStatements: operation(billing, {
    method: 'GET',
    path: '/billing/bank-statements',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List files of bank statements',
    query: pagedQuery({ account: optional(text('Only statements of this bank account (IBAN).', 42, 1)) }),
    shape: 'page',
    record: BankStatement,
    status: 200,
    errors: [],
    events: [],
  }),
  getBankStatement: operation(billing, {
    method: 'GET',
    path: '/billing/bank-statements/{id}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read one file of bank statements',
    shape: 'record',
    record: BankStatement,
    status: 200,
    errors: [],
    events: [],
  }),
  listBankStatementLines: operation(billing, {
    method: 'GET',
    path: '/billing/bank-statements/{id}/lines',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List the lines of a file of bank statements',
    description: 'In the order of the file, those that an earlier file had with the id that they have there.',
    query: pagedQuery({ status: optional(oneOf(lineStatuses, 'Only lines in this status.')) }),
    shape: 'page',
    record: BankStatementLine,
    status: 200,
    errors: [],
    events: [],
  }),
  matchBankStatementLine: operation(billing, {
    method: 'POST',
    path: '/billing/bank-statements/{id}/lines/{lineId}/match',
    scope: 'billing:write',
    idempotency: 'none',
    summary: 'Book a line of a bank statement',
    description: 'Posts a receipt for the account, or one for each part. What is not allocated becomes credit.',
    body: MatchBody,
    shape: 'record',
    record: BankStatementLine,
    status: 200,
    errors: ['reference_not_found', 'rule_violated', 'state_conflict'],
    events: ['receipt.posted', 'payment.status_changed'],
  }),
  unmatchBankStatementLine: operation(billing, {
    method: 'POST',
    path: '/billing/bank-statements/{id}/lines/{lineId}/unmatch',
    scope: 'billing:write',
    idempotency: 'none',
    summary: 'Take back the booking of a line',
    description: 'Reverses its receipts. Nothing is deleted.',
    shape: 'record',
    record: BankStatementLine,
    status: 200,
    errors: ['rule_violated', 'state_conflict'],
    events: ['receipt.reversed', 'payment.status_changed'],
  }),
}
