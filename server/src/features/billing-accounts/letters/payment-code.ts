import type { Data as SwissBill } from 'swissqrbill/types'
import { encode } from 'uqr'
import { amountText } from '../../../money/index.ts'
import type { AccountRecord } from '../accounts/account-store.ts'
import type { BillingSettings } from '../billing-settings.ts'

/** What a payer is asked to transfer. */
export interface Transfer {
  /** Whom to: the institution. */
  readonly name: string
  readonly iban: string
  readonly bic: string | null
  readonly amount: number
  readonly currency: string
  /** The creditor reference (ISO 11649); null where several obligations are paid at once. */
  readonly reference: string | null
  /** What the payer writes where there is no reference. */
  readonly text: string
}

/**
 * Where a payer transfers money to: the bank account of the institution in the payer's currency, else that of its direct
 * debits. Null without one.
 */
export function findTransfer(
  { bankAccounts, creditor }: BillingSettings,
  institution: string,
  { currency, accountNumber }: Pick<AccountRecord, 'currency' | 'accountNumber'>,
  { amount, reference }: Pick<Transfer, 'amount' | 'reference'>,
): Transfer | null {
  const own = bankAccounts.find((account) => account.currency === currency)
  const iban = own?.iban ?? (currency === 'EUR' ? creditor?.iban : undefined)
  if (iban === undefined || amount <= 0) return null
  const bic = iban === creditor?.iban ? creditor.bic : null
  return { name: creditor?.name ?? institution, iban, bic, amount, currency, reference, text: accountNumber }
}

const bounds = { name: 70, text: 140, amount: 999_999_999.99 } as const

/**
 * The squares of a code that banking apps read a transfer from (EPC069-12, version 2). Null for what it cannot say: it is
 * for euros.
 */
export function encodeTransfer({ name, iban, bic, amount, currency, reference, text }: Transfer): boolean[][] | null {
  if (currency !== 'EUR' || amount < 0.01 || amount > bounds.amount) return null
  const lines = [
    ...['BCD', '002', '1', 'SCT', bic ?? '', oneLine(name, bounds.name), iban, `EUR${amountText(amount, 'EUR')}`],
    ...['', reference ?? '', reference === null ? oneLine(text, bounds.text) : ''],
  ]
  const bytes = new TextEncoder().encode(lines.join('\n').trimEnd())
  return encode([...bytes], { ecc: 'M', boostEcc: false, maxVersion: 13, border: 0 }).data
}

const oneLine = (text: string, max: number) => [...text.replace(/\s+/g, ' ').trim()].slice(0, max).join('')

/**
 * A transfer as a Swiss QR bill (Swiss Implementation Guidelines QR-bill 2.3): for Swiss francs and euros to an account in
 * Switzerland or Liechtenstein of an institution whose address is set. Null for others.
 */
export function toSwissBill(
  { name, iban, amount, currency, reference, text }: Transfer,
  { print: { address } }: Pick<BillingSettings, 'print'>,
  payer: AccountRecord,
): SwissBill | null {
  if (currency !== 'CHF' && currency !== 'EUR') return null
  if (!/^(?:CH|LI)/.test(iban) || address === null || amount > bounds.amount) return null
  const { street, postalCode: zip, city, country } = address
  return {
    currency,
    amount,
    creditor: { account: iban, name: oneLine(name, bounds.name), address: street, zip, city, country },
    ...(reference === null ? { message: text } : { reference }),
    ...findDebtor(payer),
  }
}

/** The payer, where the address is whole; else the bill has an empty field to write in. */
function findDebtor({ name, address, postalCode, city, country }: AccountRecord): Pick<SwissBill, 'debtor'> {
  if (address === null || postalCode === null || city === null || !/^[A-Z]{2}$/.test(country ?? '')) return {}
  const debtor = { name: oneLine(name, 70), address: oneLine(address, 70), zip: oneLine(postalCode, 16) }
  return { debtor: { ...debtor, city: oneLine(city, 35), country: country as string } }
}
