import { Type } from 'typebox'
import { operation, pagedQuery } from '../../operation.ts'
import {
  body,
  CalendarDate,
  CreatedAt,
  decimal,
  described,
  EmailInput,
  ExternalId,
  label,
  nullable,
  oneOf,
  optional,
  record,
  type Static,
  text,
  UpdatedAt,
  Uuid,
} from '../../schema.ts'
import { publicLocales } from '../document-requests.ts'
import { billing, Currency, CurrencyInput, maxParts, OptionalDay } from './amounts.ts'

export const billingAccountKinds = ['family', 'company', 'sponsor', 'student'] as const
export const deliveryWays = ['mail', 'print', 'none'] as const
export const mandateSequences = ['FRST', 'RCUR'] as const

const Percent = Type.Unsafe<number>({
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 100,
  description: 'Percent of what is charged.',
})
const Categories = nullable(
  Type.Unsafe<string[]>({
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: text('Name of a fee category.', 140, 1),
    description: 'Fee categories for which the share is; null: all that no other share of the student names.',
  }),
)
const validity = {
  validFrom: described(OptionalDay, 'First day, by the day on which a fee is posted; null: always.'),
  validTo: described(OptionalDay, 'Last day; null: always.'),
}

export const Share = record('Share', 'What an account pays of a student’s fees.', {
  id: Uuid,
  accountId: described(Uuid, 'The account that pays.'),
  studentId: described(Uuid, 'The student whose fees it pays.'),
  categories: Categories,
  percent: Percent,
  ...validity,
})

const Mandate = record('Mandate', 'A mandate for direct debits.', {
  id: label('Reference of the mandate.'),
  iban: label('The last four characters of the account number.'),
  signedAt: described(CalendarDate, 'The day on which it was signed.'),
  sequence: oneOf(mandateSequences, 'Whether the next collection is the first one.'),
})

const example = {
  id: '01985b2e-5a00-7000-8000-000000000301',
  externalId: 'FAM-17',
  accountNumber: 'BA-000017',
  name: 'Family Dyer',
  kind: 'family',
  currency: 'USD',
  language: 'en',
  email: 'dyer@example.org',
  phone: null,
  country: null,
  stateProvince: null,
  city: null,
  address: null,
  postalCode: null,
  taxId: null,
  deliverBy: 'mail',
  paymentTerms: null,
  mandate: null,
  shares: [],
  balance: 1250.5,
  overdue: 0,
  credit: 0,
  createdAt: '2026-02-01T08:00:00.000Z',
  updatedAt: '2026-02-01T08:00:00.000Z',
} as const

export const BillingAccount = record(
  'BillingAccount',
  'A payer: a family, a company, a sponsor or a student.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    accountNumber: label('Number of the account.'),
    name: label('Name of the payer.'),
    kind: oneOf(billingAccountKinds, 'What the payer is.'),
    currency: Currency,
    language: oneOf(publicLocales, 'Language of what is sent to the payer.'),
    email: nullable(label('E-mail address.')),
    phone: nullable(label('Telephone number.')),
    country: nullable(label('Country.')),
    stateProvince: nullable(label('State or province.')),
    city: nullable(label('City.')),
    address: nullable(label('Street and number.')),
    postalCode: nullable(label('Postal code.')),
    taxId: nullable(label('Tax number.')),
    deliverBy: oneOf(deliveryWays, 'How invoices and reminders are delivered.'),
    paymentTerms: nullable(label('Name of the Payment Terms Template that cuts fees into instalments.')),
    mandate: nullable(Mandate),
    shares: Type.Unsafe<Static<typeof Share>[]>({ type: 'array', items: Share, description: 'What it pays.' }),
    balance: decimal('What is open, less the credit.'),
    overdue: decimal('What was due before today.'),
    credit: decimal('Money received that is not allocated.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { ...example, shares: [] },
)

const MandateInput = body(
  'MandateInput',
  'A mandate for direct debits.',
  {
    id: Type.Unsafe<string>({
      ...text('Reference of the mandate.', 35, 1),
      pattern: "^[A-Za-z0-9/?:().,'+ -]+$",
    }),
    iban: text('The account number (IBAN), with its check digits; the last four characters leave it as it is.', 42, 4),
    signedAt: described(CalendarDate, 'The day on which it was signed.'),
    sequence: optional(oneOf(mandateSequences, 'Whether the next collection is the first one; `FRST` by default.')),
  },
  null,
)

/** A share of an account's own body. */
const ShareOfAccount = body(
  'ShareOfAccount',
  'What the account pays of a student’s fees.',
  {
    studentId: described(Uuid, 'The student whose fees it pays.'),
    categories: optional(Categories),
    percent: Percent,
    validFrom: optional(validity.validFrom),
    validTo: optional(validity.validTo),
  },
  Share,
)

/** A share of a student's own body. */
const ShareOfStudent = body(
  'ShareOfStudent',
  'What an account pays of the student’s fees.',
  {
    accountId: described(Uuid, 'The account that pays.'),
    categories: optional(Categories),
    percent: Percent,
    validFrom: optional(validity.validFrom),
    validTo: optional(validity.validTo),
  },
  Share,
)

export const StudentShares = record(
  'StudentShares',
  'Who pays a student’s fees.',
  {
    shares: Type.Unsafe<Static<typeof Share>[]>({ type: 'array', items: Share, description: 'All shares.' }),
  },
  { shares: [] },
)

const Name = Type.Unsafe<string>({ ...text('Name of the payer.', 255, 1), pattern: '\\S' })

const changes = {
  externalId: optional(ExternalId),
  name: optional(Name),
  kind: optional(oneOf(billingAccountKinds, 'What the payer is; `family` by default.')),
  currency: optional(described(CurrencyInput, 'Currency; the institution’s by default, fixed once posted.')),
  language: optional(oneOf(publicLocales, 'Language; the institution’s by default.')),
  email: optional(EmailInput),
  phone: optional(nullable(text('Telephone number.', 64))),
  country: optional(nullable(text('Country.', 140))),
  stateProvince: optional(nullable(text('State or province.', 140))),
  city: optional(nullable(text('City.', 140))),
  address: optional(nullable(text('Street and number.', 500))),
  postalCode: optional(nullable(text('Postal code.', 32))),
  taxId: optional(nullable(text('Tax number.', 64))),
  deliverBy: optional(oneOf(deliveryWays, 'How invoices and reminders are delivered; `none` by default.')),
  paymentTerms: optional(nullable(text('Name of a Payment Terms Template.', 140, 1))),
  mandate: optional(nullable(MandateInput)),
  shares: optional(
    Type.Unsafe<Static<typeof ShareOfAccount>[]>({
      type: 'array',
      maxItems: maxParts,
      items: ShareOfAccount,
      description: 'Replaces what the account pays.',
    }),
  ),
}

const CreateBillingAccountBody = body(
  'CreateBillingAccountBody',
  'A new account. `name` is required.',
  { ...changes, name: Name },
  BillingAccount,
  { name: 'Family Dyer', email: 'dyer@example.org' },
)
const UpdateBillingAccountBody = body(
  'UpdateBillingAccountBody',
  'Fields of an account. An absent field stays as it is.',
  changes,
  BillingAccount,
  { deliverBy: 'mail' },
)
const UpsertBillingAccountBody = body(
  'UpsertBillingAccountBody',
  'Fields of an account. `name` is required only when it is created.',
  changes,
  BillingAccount,
  { name: 'Family Dyer' },
)
const ReplaceSharesBody = body(
  'ReplaceSharesBody',
  'All shares of the student.',
  {
    shares: Type.Unsafe<Static<typeof ShareOfStudent>[]>({
      type: 'array',
      maxItems: maxParts,
      items: ShareOfStudent,
      description: 'Replaces all shares of the student; without any the student’s own account pays.',
    }),
  },
  null,
  { shares: [{ accountId: '01985b2e-5a00-7000-8000-000000000301', percent: 100 }] },
)

export const billingAccountOperations = {
  listBillingAccounts: operation(billing, {
    method: 'GET',
    path: '/billing/accounts',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'List billing accounts',
    query: pagedQuery({
      studentId: optional(described(Uuid, 'Only accounts that pay for this student.')),
      kind: optional(oneOf(billingAccountKinds, 'Only accounts of this kind.')),
      externalId: optional(described(ExternalId, 'Only the account with this externalId.')),
      search: optional(text('A part of the name, the number or the e-mail address.', 255, 1)),
    }),
    shape: 'page',
    record: BillingAccount,
    status: 200,
    errors: [],
    events: [],
  }),
  getBillingAccount: operation(billing, {
    method: 'GET',
    path: '/billing/accounts/{id}',
    scope: 'billing:read',
    idempotency: 'none',
    summary: 'Read one billing account',
    shape: 'record',
    record: BillingAccount,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  createBillingAccount: operation(billing, {
    method: 'POST',
    path: '/billing/accounts',
    scope: 'billing:write',
    idempotency: 'required',
    summary: 'Create a billing account',
    body: CreateBillingAccountBody,
    shape: 'record',
    record: BillingAccount,
    status: 201,
    location: '/billing/accounts/{id}',
    hasEntityTag: true,
    errors: ['external_id_taken', 'reference_not_found', 'rule_violated'],
    events: ['billing_account.created'],
  }),
  upsertBillingAccountByExternalId: operation(billing, {
    method: 'PUT',
    path: '/billing/accounts/external/{externalId}',
    scope: 'billing:write',
    idempotency: 'natural',
    summary: 'Create or update a billing account by externalId',
    body: UpsertBillingAccountBody,
    shape: 'record',
    record: BillingAccount,
    status: 200,
    mayCreate: true,
    location: '/billing/accounts/{id}',
    hasEntityTag: true,
    errors: ['reference_not_found', 'rule_violated', 'state_conflict'],
    events: ['billing_account.created', 'billing_account.updated'],
  }),
  updateBillingAccount: operation(billing, {
    method: 'PATCH',
    path: '/billing/accounts/{id}',
    scope: 'billing:write',
    idempotency: 'none',
    summary: 'Update fields of a billing account',
    body: UpdateBillingAccountBody,
    shape: 'record',
    record: BillingAccount,
    status: 200,
    hasEntityTag: true,
    errors: ['external_id_taken', 'reference_not_found', 'rule_violated', 'state_conflict'],
    events: ['billing_account.updated'],
  }),
  replaceStudentShares: operation(billing, {
    method: 'PUT',
    path: '/billing/students/{studentId}/shares',
    scope: 'billing:write',
    idempotency: 'natural',
    summary: 'Replace who pays the fees of a student',
    body: ReplaceSharesBody,
    shape: 'record',
    record: StudentShares,
    status: 200,
    errors: ['reference_not_found', 'rule_violated'],
    events: ['billing_account.updated'],
  }),
}
