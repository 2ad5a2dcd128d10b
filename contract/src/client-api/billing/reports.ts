import { Type } from 'typebox'
import { operation } from '../../operation.ts'
import { CalendarDate, decimal, described, label, nullable, oneOf, optional, record, Uuid } from '../../schema.ts'
import { billing, Currency } from './amounts.ts'

/** What stands on a statement. */
const statementKinds = [
  'invoice',
  'receipt',
  'reversal',
  'credit_note',
  'write_off',
  'cancellation',
  'payout',
  'payout_reversal',
] as const

const StatementLine = record('StatementLine', 'A document on an account.', {
  date: described(CalendarDate, 'The day on which it was posted.'),
  kind: oneOf(statementKinds, 'What kind of document it is.'),
  number: label('Its number.'),
  debit: decimal('What it adds to the debt.'),
  credit: decimal('What it takes off.'),
  balance: decimal('The balance after it.'),
})

export const Statement = record(
  'Statement',
  'What happened on an account between two days, both included.',
  {
    openingBalance: decimal('The balance before the first day.'),
    lines: Type.Unsafe<
      {
        date: string
        kind: (typeof statementKinds)[number]
        number: string
        debit: number
        credit: number
        balance: number
      }[]
    >({ type: 'array', items: StatementLine, description: 'A line for each document, oldest first.' }),
    closingBalance: decimal('The balance after the last day.'),
  },
  {
    openingBalance: 0,
    lines: [
      { date: '2026-02-01', kind: 'invoice', number: 'EDU-FEE-2026-00001', debit: 100, credit: 0, balance: 100 },
      { date: '2026-02-03', kind: 'receipt', number: 'REC-2026-00001', debit: 0, credit: 40, balance: 60 },
    ],
    closingBalance: 60,
  },
)

export const AgeingRow = record(
  'AgeingRow',
  'What is open by the days since it was due, in one currency.',
  {
    id: described(Uuid, 'Id of the account, the student, the group, the program or the academic year.'),
    name: label('Its name.'),
    currency: Currency,
    notDue: decimal('Not due yet.'),
    days1To30: decimal('Due for 1 to 30 days.'),
    days31To60: decimal('Due for 31 to 60 days.'),
    days61To90: decimal('Due for 61 to 90 days.'),
    over90: decimal('Due for more than 90 days.'),
    total: decimal('All together.'),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000301',
    name: 'Family Dyer',
    currency: 'USD',
    notDue: 60,
    days1To30: 0,
    days31To60: 0,
    days61To90: 0,
    over90: 0,
    total: 60,
  },
)

const JournalEntry = record('JournalEntry', 'A line of the ledger.', {
  date: described(CalendarDate, 'The day on which it was posted.'),
  document: label('Number of the document.'),
  account: label('Account of the chart.'),
  party: nullable(label('Number of the billing account, or the student.')),
  debit: decimal('Debit.'),
  credit: decimal('Credit.'),
  currency: Currency,
  text: label('What it is for.'),
})

export const Journal = record(
  'Journal',
  'The ledger between two days, both included.',
  {
    entries: Type.Unsafe<
      {
        date: string
        document: string
        account: string
        party: string | null
        debit: number
        credit: number
        currency: string
        text: string
      }[]
    >({ type: 'array', items: JournalEntry, description: 'Its lines, by day and document.' }),
  },
  { entries: [] },
)

const From = described({ ...CalendarDate, examples: ['2026-08-01'] }, 'The first day.')
const To = described({ ...CalendarDate, examples: ['2026-08-31'] }, 'The last day, included.')

export const billingReportOperations = {
  getStatement: operation(billing, {
    method: 'GET',
    path: '/billing/accounts/{id}/statement',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read or print the statement of an account',
    query: Type.Object(
      {
        from: optional(described(CalendarDate, 'The first day; from the beginning by default.')),
        to: optional(described(CalendarDate, 'The last day, included; today by default.')),
      },
      { additionalProperties: false },
    ),
    shape: 'record',
    record: Statement,
    media: { types: ['application/pdf'] },
    status: 200,
    errors: [],
    events: [],
  }),
  listAgeing: operation(billing, {
    method: 'GET',
    path: '/billing/ageing',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'What is open, by the days since it was due',
    description:
      'By group: a student in several active groups counts in each, so that sums may exceed what is open. By program: an amount belongs to the program of its fee; without a fee, to that of the student. By year: an amount belongs to the academic year that had begun last when it was due.',
    query: Type.Object(
      {
        asOf: optional(described(CalendarDate, 'As it stood at the end of this day; today by default.')),
        by: optional(
          oneOf(['account', 'student', 'group', 'program', 'year'], 'What the rows are; accounts by default.'),
        ),
      },
      { additionalProperties: false },
    ),
    shape: 'list',
    record: AgeingRow,
    status: 200,
    errors: [],
    events: [],
  }),
  getJournal: operation(billing, {
    method: 'GET',
    path: '/billing/journal',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Export the ledger',
    query: Type.Object({ from: From, to: To }, { additionalProperties: false }),
    shape: 'record',
    record: Journal,
    media: { types: ['text/csv', 'text/x-hledger', 'text/x-beancount'], isDefault: true },
    status: 200,
    errors: [],
    events: [],
  }),
}
