import { Type } from 'typebox'
import {
  body,
  CalendarDate,
  decimal,
  described,
  label,
  nullable,
  record,
  type Static,
  text,
  Uuid,
} from '../../schema.ts'

/** What the operations of billing have in common. */
export const billing = {
  tag: 'Billing',
  modules: ['platform_integrations', 'staff_payments'],
  domain: 'payments',
} as const

/** An amount of money as it is sent. */
export const AmountInput = Type.Unsafe<number>({
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 1_000_000_000_000,
  description: 'Amount, in units of the currency.',
})

export const CurrencyInput = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  description: 'Three letters (ISO 4217), stored in upper case.',
})

export const Currency = label('Currency, three capital letters (ISO 4217).')

/** A day as it is sent and returned, or null. */
export const OptionalDay = nullable(CalendarDate)

/** Why something is done. */
export const ReasonInput = text('Why, for the books.', 500, 1)

/** Who did something. */
export const BillingActor = record('BillingActor', 'Who did it.', {
  type: label('`api_key`, `user`, `operator`, `system` or `link`.'),
  id: nullable(described(Uuid, 'Id of the key or the user.')),
  name: label('Name of the key or the user.'),
})

/** A part of an amount that is applied to an obligation. */
export const Allocation = record('Allocation', 'What is applied to one obligation.', {
  paymentId: described(Uuid, 'The obligation: id of the payment.'),
  amount: decimal('What is applied.'),
})

export const AllocationInput = body(
  'AllocationInput',
  'What is applied to one obligation.',
  { paymentId: described(Uuid, 'The obligation: id of the payment.'), amount: AmountInput },
  null,
)

export type Allocation = Static<typeof Allocation>

/** At most so many parts of one document. */
export const maxParts = 500
