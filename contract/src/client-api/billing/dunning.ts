import { Type } from 'typebox'
import { operation, pagedQuery } from '../../operation.ts'
import {
  body,
  CalendarDate,
  CreatedAt,
  decimal,
  described,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  text,
  UpdatedAt,
  Uuid,
} from '../../schema.ts'
import { BillingActor, billing, Currency } from './amounts.ts'

/** Why reminders of an obligation stop. */
export const dunningHolds = ['disputed', 'agreed'] as const

const noticeStatuses = ['proposed', 'sent', 'dropped'] as const
const channels = ['mail', 'print'] as const

const DunningItem = record('DunningItem', 'An obligation that is overdue.', {
  paymentId: described(Uuid, 'The obligation: id of the payment.'),
  amount: decimal('What is open of it.'),
  daysOverdue: Type.Unsafe<number>({ type: 'integer', description: 'Days since it was due.' }),
  level: Type.Unsafe<number>({ type: 'integer', description: 'The level that it comes to.' }),
})

const noticeExample = {
  id: '01985b2e-5a00-7000-8000-000000000702',
  accountId: '01985b2e-5a00-7000-8000-000000000301',
  level: 1,
  currency: 'USD',
  items: [{ paymentId: '01985b2e-5a00-7000-8000-000000000101', amount: 1000, daysOverdue: 16, level: 1 }],
  amount: 1000,
  fee: 0,
  feePaymentId: null,
  status: 'proposed' as const,
  channel: null,
  recipient: null,
  subject: null,
  text: null,
  sentAt: null,
  sentBy: null,
}

const DunningNotice = record(
  'DunningNotice',
  'A reminder to an account.',
  {
    id: Uuid,
    accountId: described(Uuid, 'The account that owes.'),
    level: Type.Unsafe<number>({ type: 'integer', description: 'The highest level of its items.' }),
    currency: Currency,
    items: listOf(DunningItem, 'What is overdue, oldest first.'),
    amount: decimal('What is overdue together.'),
    fee: decimal('What the notice costs.'),
    feePaymentId: nullable(described(Uuid, 'The payment of what it costs, once it is sent.')),
    status: oneOf(noticeStatuses, 'Whether it waits, was sent, or is no longer needed.'),
    channel: nullable(oneOf(channels, 'How it was sent: by mail, or to be printed.')),
    recipient: nullable(label('Whom it was sent to.')),
    subject: nullable(label('Its subject, as it was sent.')),
    text: nullable(label('Its text, as it was sent.')),
    sentAt: nullable(described(Stamp, 'When it was sent.')),
    sentBy: nullable(BillingActor),
  },
  noticeExample,
)

export const DunningRun = record(
  'DunningRun',
  'The reminders that were proposed on a day.',
  {
    id: Uuid,
    asOf: described(CalendarDate, 'The day, in the institution’s time zone.'),
    notices: listOf(DunningNotice, 'A notice for each account with something overdue, by its number.'),
    createdBy: BillingActor,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000701',
    asOf: '2026-09-17',
    notices: [noticeExample],
    createdBy: { type: 'api_key', id: '01985b2e-5a00-7000-8000-000000000901', name: 'front desk' },
    createdAt: '2026-09-17T08:00:00.000Z',
    updatedAt: '2026-09-17T08:00:00.000Z',
  },
)

const DunningRunBody = body(
  'DunningRunBody',
  'Whom reminders are proposed for.',
  {
    accountIds: optional(
      Type.Unsafe<string[]>({
        ...listOf(Uuid, 'The accounts that are looked at; all when absent.'),
        minItems: 1,
        maxItems: 1000,
      }),
    ),
  },
  null,
)

const SendDunningBody = body(
  'SendDunningBody',
  'What is sent.',
  {
    noticeIds: optional(
      Type.Unsafe<string[]>({
        ...listOf(Uuid, 'The notices that are sent; all that wait when absent.'),
        minItems: 1,
        maxItems: 1000,
      }),
    ),
  },
  null,
)

const DunningHoldBody = body(
  'DunningHoldBody',
  'Why reminders stop.',
  {
    hold: nullable(
      oneOf(dunningHolds, 'The payer disputes it, or agreed to pay it otherwise; `null` lets reminders go on.'),
    ),
    note: optional(nullable(text('What was said.', 500))),
  },
  null,
  { hold: 'agreed', note: 'Pays in October.' },
)

export const DunningHold = record(
  'DunningHold',
  'Whether an obligation is reminded of.',
  {
    paymentId: described(Uuid, 'The obligation: id of the payment.'),
    hold: nullable(oneOf(dunningHolds, 'Why reminders stop; null where they go on.')),
    note: nullable(label('What was said.')),
    level: nullable(Type.Unsafe<number>({ type: 'integer', description: 'The level that was sent last.' })),
    sentOn: nullable(described(CalendarDate, 'When it was sent.')),
  },
  {
    paymentId: '01985b2e-5a00-7000-8000-000000000101',
    hold: 'agreed',
    note: 'Pays in October.',
    level: 1,
    sentOn: '2026-09-17',
  },
)

export const BillingTimelineEntry = record(
  'BillingTimelineEntry',
  'What was sent to the payer of an account.',
  {
    id: described(Uuid, 'Id of what was sent.'),
    kind: oneOf(['dunning_notice'], 'What was sent.'),
    at: described(Stamp, 'When.'),
    level: Type.Unsafe<number>({ type: 'integer', description: 'The level of the reminder.' }),
    channel: oneOf(channels, 'By mail, or to be printed.'),
    recipient: label('Whom it was sent to.'),
    subject: label('Its subject.'),
    text: label('Its text.'),
    amount: decimal('What it asks for.'),
    currency: Currency,
    by: BillingActor,
  },
  {
    id: noticeExample.id,
    kind: 'dunning_notice',
    at: '2026-09-17T08:05:00.000Z',
    level: 1,
    channel: 'mail',
    recipient: 'dyer@example.org',
    subject: 'Northfield School: reminder of USD 1,000.00',
    text: 'Family Dyer, USD 1,000.00 has been due since 2026-09-01.',
    amount: 1000,
    currency: 'USD',
    by: { type: 'api_key', id: '01985b2e-5a00-7000-8000-000000000901', name: 'front desk' },
  },
)

export const dunningOperations = {
  createDunningRun: operation(billing, {
    method: 'POST',
    path: '/billing/dunning-runs',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Propose reminders of what is overdue',
    description:
      'By the levels of the institution. Nothing is sent yet; earlier proposals for these accounts that wait are dropped.',
    body: DunningRunBody,
    bodyRequired: false,
    shape: 'record',
    record: DunningRun,
    status: 201,
    location: '/billing/dunning-runs/{id}',
    hasEntityTag: true,
    errors: ['reference_not_found'],
    events: ['dunning_run.created'],
  }),
  listDunningRuns: operation(billing, {
    method: 'GET',
    path: '/billing/dunning-runs',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List runs of reminders',
    query: pagedQuery({}),
    shape: 'page',
    record: DunningRun,
    status: 200,
    errors: [],
    events: [],
  }),
  getDunningRun: operation(billing, {
    method: 'GET',
    path: '/billing/dunning-runs/{id}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read one run of reminders, or print those that are to be delivered on paper',
    description: 'As `application/pdf`: the notices that were sent by `print`, each on a page of its own.',
    shape: 'record',
    record: DunningRun,
    media: { types: ['application/pdf'] },
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  getDunningNotice: operation(billing, {
    method: 'GET',
    path: '/billing/dunning-runs/{id}/notices/{noticeId}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read a reminder as it is, or would be, sent',
    description:
      'Of a notice that waits: what the payer would be sent now, by which way, in the language of the account; `dropped` ' +
      'where nothing is left to remind of. Of one that was sent: what was sent. As `application/pdf`: its letter.',
    shape: 'record',
    record: DunningNotice,
    media: { types: ['application/pdf'] },
    status: 200,
    errors: ['state_conflict'],
    events: [],
  }),
  sendDunningRun: operation(billing, {
    method: 'POST',
    path: '/billing/dunning-runs/{id}/send',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Send reminders that were proposed',
    description:
      'What is no longer overdue, disputed or agreed is left out; a notice of which nothing is left is dropped. What a notice costs becomes an obligation.',
    body: SendDunningBody,
    bodyRequired: false,
    shape: 'record',
    record: DunningRun,
    status: 200,
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated', 'state_conflict'],
    events: ['dunning_notice.sent', 'payment.created'],
  }),
  holdDunning: operation(billing, {
    method: 'PUT',
    path: '/billing/obligations/{paymentId}/dunning-hold',
    scope: 'billing:write',
    idempotency: 'natural',
    summary: 'Stop reminders of an obligation, or let them go on',
    body: DunningHoldBody,
    shape: 'record',
    record: DunningHold,
    status: 200,
    errors: [],
    events: ['obligation.dunning_changed'],
  }),
  getBillingTimeline: operation(billing, {
    method: 'GET',
    path: '/billing/accounts/{id}/timeline',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read what was sent to the payer of an account',
    description: 'The newest first, at most 500.',
    shape: 'list',
    record: BillingTimelineEntry,
    status: 200,
    errors: [],
    events: [],
  }),
}
