import { normalIban } from '../accounts/iban.ts'
import type { BillingSettings } from '../billing-settings.ts'

type BankAccount = BillingSettings['bankAccounts'][number]

/**
 * The bank account of the institution that a file names: by its IBAN, or by the bank and the number that the IBAN is made
 * of (`37040044/532013000`). Null where it is none of them.
 */
export function findBankAccount(accounts: readonly BankAccount[], told: string): BankAccount | null {
  const plain = normalIban(told)
  const exact = accounts.find(({ iban }) => iban === plain)
  if (exact !== undefined || /^[A-Z]{2}\d{2}/.test(plain)) return exact ?? null
  const found = accounts.filter(({ iban }) => isNumberOf(iban.slice(4), plain))
  return found.length === 1 ? (found[0] as BankAccount) : null
}

/** Whether a number, with its bank or without, is the basic account number of an IBAN (ISO 13616). */
function isNumberOf(basic: string, told: string): boolean {
  const [bank, number] = told.includes('/') ? (told.split('/', 2) as [string, string]) : ['', told]
  const digits = number.replace(/[^A-Z0-9]/g, '').replace(/^0+/, '')
  if (digits.length < 4) return false
  if (bank === '') return basic === told || basic.endsWith(digits)
  const code = bank.replace(/[^A-Z0-9]/g, '')
  return basic.startsWith(code) && basic.slice(code.length).replace(/^0+/, '') === digits
}
