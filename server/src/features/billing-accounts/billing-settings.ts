import type {
  BankAccountEntry,
  BankMatchingEntry,
  BillingEntry,
  CreditorEntry,
  DiscountEntry,
  DunningEntry,
  PrintEntry,
  PublicLocale,
  Static,
} from '@matricula/contract'
import { type ChangeContext, recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { findCurrency } from '../../money/index.ts'
import { isIban, normalIban } from './accounts/iban.ts'

/** Every member of an entry; what may be absent there is null here. */
type Whole<Entry> = {
  readonly [Name in keyof Entry]-?: undefined extends Entry[Name] ? Exclude<Entry[Name], undefined> | null : Entry[Name]
}

/** A discount. Either `percent` or `amount` is null. */
export type Discount = Whole<Static<typeof DiscountEntry>> & {
  readonly orderBy: 'age' | 'entry'
  readonly fromChild: number
  readonly order: number
}

/** A level of reminders. At most one of `fee` and `percent` is not null. */
export type DunningLevel = Whole<Static<typeof DunningEntry>>

/** A bank account, its IBAN without spaces, its currency in upper case. */
export type BankAccount = Whole<Static<typeof BankAccountEntry>>

/** As whom direct debits are collected, the IBAN without spaces. */
export type Creditor = Whole<Static<typeof CreditorEntry>> & {
  readonly preNotificationDays: number
  readonly painVersion: 'pain.008.001.02' | 'pain.008.001.08'
}

type PrintSetting = Static<typeof PrintEntry>

/** How documents for payers look. */
export interface PrintStyle extends Whole<Omit<PrintSetting, 'notes'>> {
  readonly notes: NonNullable<PrintSetting['notes']>
}

/** How an institution bills. */
export interface BillingSettings {
  readonly numbering: { readonly gapless: boolean }
  /** In the order in which they are given. */
  readonly discounts: readonly Discount[]
  /** By level. */
  readonly dunning: readonly DunningLevel[]
  readonly bankAccounts: readonly BankAccount[]
  readonly bankMatching: Required<Static<typeof BankMatchingEntry>>
  /** Null where no direct debits are collected. */
  readonly creditor: Creditor | null
  readonly print: PrintStyle
}

const usual: BillingSettings = {
  numbering: { gapless: false },
  discounts: [],
  dunning: [],
  bankAccounts: [],
  bankMatching: { bookExact: false },
  creditor: null,
  print: { logo: null, address: null, footer: null, notes: {} },
}

/** How the institution bills, with the defaults of what it has not said. */
export async function loadBillingSettings(tx: Transaction): Promise<BillingSettings> {
  const [row] = await tx.query<{ settings: Partial<BillingSettings> }>(
    sql`select settings from billing_settings where tenant_id = ${tx.tenantId}`,
  )
  return { ...usual, ...row?.settings }
}

/** How an institution bills, and the language that it speaks itself. */
export interface BillingOfTenant {
  readonly settings: BillingSettings
  readonly language: PublicLocale
}

/** The settings for what is printed of an institution. */
export async function readBillingOfTenant(database: Database, tenantId: string): Promise<BillingOfTenant> {
  const [row] = await database.read<{ settings: Partial<BillingSettings> | null; language: PublicLocale }>(
    tenantId,
    sql`
      select t.language, (select settings from billing_settings where tenant_id = ${tenantId}) as settings
        from tenants t where t.id = ${tenantId}`,
  )
  return { settings: { ...usual, ...row?.settings }, language: row?.language ?? 'en' }
}

/** The settings after an entry of a configuration file: members that it leaves out stay, lists are replaced. */
export function billingSettings(entry: BillingEntry, current: BillingSettings): BillingSettings {
  const { numbering, discounts, dunning, bankAccounts, bankMatching, creditor, print } = entry
  return {
    numbering: { ...current.numbering, ...numbering },
    discounts: discounts?.map(wholeDiscount).sort((one, other) => one.order - other.order) ?? current.discounts,
    dunning: dunning?.map(wholeLevel).sort((one, other) => one.level - other.level) ?? current.dunning,
    bankAccounts: bankAccounts?.map(wholeBankAccount) ?? current.bankAccounts,
    bankMatching: { ...current.bankMatching, ...bankMatching },
    creditor: creditor === undefined ? current.creditor : creditor === null ? null : wholeCreditor(creditor),
    print: { ...current.print, ...print, notes: { ...current.print.notes, ...print?.notes } },
  }
}

function wholeDiscount(entry: Static<typeof DiscountEntry>, index: number): Discount {
  const absent = { studentCategories: null, percent: null, amount: null, categories: null, cap: null }
  return { orderBy: 'age', fromChild: 2, order: index + 1, ...absent, ...entry }
}

function wholeLevel(entry: Static<typeof DunningEntry>): DunningLevel {
  return { fee: null, percent: null, texts: null, ...entry }
}

function wholeBankAccount({ iban, currency, ...entry }: Static<typeof BankAccountEntry>): BankAccount {
  return { csvColumns: null, ...entry, iban: normalIban(iban), currency: currency.toUpperCase() }
}

function wholeCreditor({ iban, ...entry }: Static<typeof CreditorEntry>): Creditor {
  const absent = { bic: null, preNotificationDays: 14, painVersion: 'pain.008.001.08' } as const
  return { ...absent, ...entry, iban: normalIban(iban) }
}

/** What is wrong with well-formed settings, and where. */
export interface BillingSettingError {
  readonly path: readonly (string | number)[]
  readonly detail: string
}

/** Everything that is wrong with an entry of a configuration file. */
export function billingSettingErrors(entry: BillingEntry): BillingSettingError[] {
  const { discounts = [], dunning = [], bankAccounts = [], creditor, print } = entry
  return [
    ...repeated(discounts, 'discounts', 'key', ({ key }) => key),
    ...repeated(dunning, 'dunning', 'level', ({ level }) => level),
    ...repeated(bankAccounts, 'bankAccounts', 'key', ({ key }) => key),
    ...repeated(bankAccounts, 'bankAccounts', 'iban', ({ iban }) => normalIban(iban)),
    ...discounts.flatMap(({ percent, amount }, index): BillingSettingError[] => {
      if ((percent === undefined) !== (amount === undefined)) return []
      return [{ path: ['discounts', index], detail: 'needs either percent or amount' }]
    }),
    ...dunning.flatMap(({ fee, percent }, index): BillingSettingError[] => {
      if ((fee ?? null) === null || (percent ?? null) === null) return []
      return [{ path: ['dunning', index], detail: 'costs either a fee or a percent; leave out one of them' }]
    }),
    ...daysErrors(dunning),
    ...bankAccounts.flatMap(({ iban, currency }, index) => [
      ...ibanErrors(iban, ['bankAccounts', index, 'iban']),
      ...currencyErrors(currency, ['bankAccounts', index, 'currency']),
    ]),
    ...(creditor ? ibanErrors(creditor.iban, ['creditor', 'iban']) : []),
    ...(isPicture(print?.logo ?? null) ? [] : [{ path: ['print', 'logo'], detail: 'must be a PNG or JPEG' }]),
  ]
}

/** Whether a data URL has what begins as PNG (RFC 2083 §3.1) or JPEG (ISO 10918-1 B.1); none at all is fine. */
function isPicture(logo: string | null): boolean {
  if (logo === null) return true
  const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64').toString('latin1')
  return bytes.startsWith('\x89PNG\r\n\x1a\n') || bytes.startsWith('\xff\xd8\xff')
}

function repeated<Entry>(
  entries: readonly Entry[],
  list: string,
  member: string,
  of: (entry: Entry) => string | number,
): BillingSettingError[] {
  const seen = new Set<string | number>()
  return entries.flatMap((entry, index) => {
    const value = of(entry)
    if (!seen.has(value)) {
      seen.add(value)
      return []
    }
    return [{ path: [list, index, member], detail: `${value} appears twice; give each its own` }]
  })
}

/** A later level comes later, so that nobody gets two of them on one day. */
function daysErrors(levels: readonly Static<typeof DunningEntry>[]): BillingSettingError[] {
  return levels.flatMap(({ level, daysOverdue }, index) => {
    const earlier = levels.find((each) => each.level < level && each.daysOverdue >= daysOverdue)
    if (earlier === undefined) return []
    const detail = `must be more than the ${earlier.daysOverdue} days of level ${earlier.level}`
    return [{ path: ['dunning', index, 'daysOverdue'], detail }]
  })
}

function ibanErrors(iban: string, path: BillingSettingError['path']): BillingSettingError[] {
  return isIban(normalIban(iban)) ? [] : [{ path, detail: 'must be an IBAN with right check digits' }]
}

function currencyErrors(currency: string, path: BillingSettingError['path']): BillingSettingError[] {
  return findCurrency(currency.toUpperCase()) === null
    ? [{ path, detail: `${currency} is no currency of ISO 4217` }]
    : []
}

/** Stores settings that differ, with audit. */
export async function saveBillingSettings(
  tx: Transaction,
  context: ChangeContext,
  before: BillingSettings,
  after: BillingSettings,
): Promise<void> {
  await tx.query(sql`
    insert into billing_settings as s (tenant_id, settings) values (${tx.tenantId}, ${JSON.stringify(after)}::jsonb)
    on conflict (tenant_id) do update set settings = excluded.settings`)
  const facts = { before, after }
  recordAccess(tx, context, { action: 'tenant.billing_changed', entityType: 'tenant', entityId: tx.tenantId, facts })
}
