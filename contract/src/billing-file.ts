import { Type } from 'typebox'
import { CurrencyInput } from './client-api/billing/amounts.ts'
import { flag, listOf, nullable, oneOf, optional, record, type Static, text } from './schema.ts'
import { translatable } from './translatable.ts'

/** What a discount is given for. */
export const discountKinds = ['sibling', 'staff', 'scholarship', 'early_payment'] as const

/** What puts the siblings of a family in order. */
export const siblingOrders = ['age', 'entry'] as const

/** The versions of ISO 20022 customer direct debit initiations that banks take. */
export const painVersions = ['pain.008.001.02', 'pain.008.001.08'] as const

/** The headings of a statement in CSV. */
export const statementColumns = [
  'bookedOn',
  'valueOn',
  'amount',
  'currency',
  'bankReference',
  'endToEndId',
  'reference',
  'name',
  'iban',
  'text',
  'returnReason',
] as const

const key = text('What it is known by in this list.', 64, 1)
const iban = text('Account number (IBAN), with its check digits.', 42, 15)
const whole = (minimum: number, maximum: number, description: string) =>
  Type.Unsafe<number>({ type: 'integer', minimum, maximum, description })
const money = (description: string) =>
  Type.Unsafe<number>({ type: 'number', exclusiveMinimum: 0, maximum: 1_000_000_000_000, description })
const percent = (description: string) =>
  Type.Unsafe<number>({ type: 'number', exclusiveMinimum: 0, maximum: 100, description })
const someOf = (items: string, description: string) =>
  optional(nullable(Type.Unsafe<string[]>({ ...listOf(text(items, 140, 1), description), minItems: 1 })))

/** A discount of fees, in a configuration file. */
export const DiscountEntry = record('DiscountEntry', 'A discount, given where a fee is made from a structure.', {
  key,
  kind: oneOf(discountKinds, 'What it is given for.'),
  orderBy: optional(
    oneOf(siblingOrders, 'What puts siblings in order: who is older, or who came first; age when absent.'),
  ),
  fromChild: optional(whole(1, 20, 'The sibling from whom on it is given; 2 when absent.')),
  studentCategories: someOf(
    'Name of a Student Category.',
    'It is for fees of these Student Categories; when absent for all, of kind staff and scholarship for that of its key.',
  ),
  percent: optional(percent('Percent of what is left of the fee. Either this or amount.')),
  amount: optional(money('Money off the fee, in its currency. Either this or percent.')),
  categories: someOf('Name of a Fee Category.', 'What it is given on; all of the fee when absent.'),
  order: optional(whole(0, 10_000, 'Lower ones are given first; by their place in the list when absent.')),
  cap: optional(nullable(money('The most that it takes off one fee.'))),
})

/** A level of reminders, in a configuration file. */
export const DunningEntry = record('DunningEntry', 'A reminder of what is overdue.', {
  level: whole(1, 20, 'Its level, counted from 1.'),
  daysOverdue: whole(1, 3650, 'How many days something must be overdue.'),
  fee: optional(nullable(money('What the reminder costs. Either this or percent.'))),
  percent: optional(nullable(percent('What the reminder costs, in percent of what is overdue. Either this or fee.'))),
  texts: optional(
    translatable(
      'What it says. {name}, {amount}, {fee}, {dueDate}, {days} and {list} stand for what is overdue.',
      4000,
      1,
    ),
  ),
})

/** An account of the institution at a bank, in a configuration file. */
export const BankAccountEntry = record('BankAccountEntry', 'A bank account whose statements are taken.', {
  key,
  iban,
  currency: CurrencyInput,
  csvColumns: optional(
    Type.Unsafe<Partial<Record<(typeof statementColumns)[number], string>>>({
      type: 'object',
      properties: Object.fromEntries(statementColumns.map((name) => [name, text(`Heading of ${name}.`, 140, 1)])),
      additionalProperties: false,
      description: 'The headings of its statements in CSV, where they are others than those of the API.',
    }),
  ),
})

/** How lines of bank statements become receipts, in a configuration file. */
export const BankMatchingEntry = record('BankMatchingEntry', 'How lines of bank statements are matched.', {
  bookExact: optional(flag('Whether exact matches are booked without being asked; false when absent.')),
})

/** As whom an institution collects direct debits, in a configuration file. */
export const CreditorEntry = record('CreditorEntry', 'As whom the institution collects direct debits.', {
  name: text('Name, as the payers read it.', 70, 1),
  creditorId: Type.Unsafe<string>({
    ...text('Creditor identifier (EPC262-08).', 35, 8),
    pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{4,31}$',
  }),
  iban,
  bic: optional(
    nullable(
      Type.Unsafe<string>({
        ...text('Bank identifier (ISO 9362).', 11, 8),
        pattern: '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$',
      }),
    ),
  ),
  preNotificationDays: optional(whole(0, 90, 'How many days ahead a debit is announced; 14 when absent.')),
  painVersion: optional(oneOf(painVersions, 'Version of the files for the bank; pain.008.001.08 when absent.')),
})

const addressPart = (description: string, maxLength: number) => text(description, maxLength, 1)

/** How documents for payers look, in a configuration file. */
export const PrintEntry = record(
  'PrintEntry',
  'How invoices, receipts, credit notes, statements and reminders look on paper.',
  {
    logo: optional(
      nullable(
        Type.Unsafe<string>({
          ...text('A picture for the head, as a data URL of PNG or JPEG (RFC 2397).', 300_000, 1),
          pattern: '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$',
        }),
      ),
    ),
    address: optional(
      nullable(
        record('SenderAddressEntry', 'Where the institution is, for letters and Swiss QR bills.', {
          street: addressPart('Street and number.', 70),
          postalCode: addressPart('Postal code.', 16),
          city: addressPart('City.', 35),
          country: Type.Unsafe<string>({ ...text('Country (ISO 3166-1 alpha-2).', 2, 2), pattern: '^[A-Z]{2}$' }),
        }),
      ),
    ),
    footer: optional(translatable('What stands at the foot of every page; empty: the number of the document.', 200)),
    notes: optional(
      record('PrintNotesEntry', 'What documents say beside their figures.', {
        invoice: optional(translatable('On invoices; empty: nothing.', 2000)),
        receipt: optional(translatable('On receipts; empty: nothing.', 2000)),
        credit_note: optional(translatable('On credit notes; empty: nothing.', 2000)),
        statement: optional(translatable('On statements of account; empty: nothing.', 2000)),
        reminder: optional(translatable('On reminders, below their text; empty: nothing.', 2000)),
      }),
    ),
  },
)

/** How an institution bills, in a configuration file. A list that is given replaces the whole list. */
export const BillingEntry = record('BillingEntry', 'How the institution bills.', {
  numbering: optional(
    record('NumberingEntry', 'How documents are numbered.', {
      gapless: optional(flag('Whether receipts, invoices and credit notes count without gaps; false when absent.')),
    }),
  ),
  discounts: optional(listOf(DiscountEntry, 'All discounts.', 500)),
  dunning: optional(listOf(DunningEntry, 'All levels of reminders.', 20)),
  bankAccounts: optional(listOf(BankAccountEntry, 'All bank accounts whose statements are taken.', 200)),
  bankMatching: optional(BankMatchingEntry),
  creditor: optional(nullable(CreditorEntry)),
  print: optional(PrintEntry),
})

export type BillingEntry = Static<typeof BillingEntry>
