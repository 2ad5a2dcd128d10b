import { currencyFields, minorDigits } from '@matricula/contract/amounts'
import type { RecordType } from '@matricula/contract/record-types'

const formats = new Map<string, (amount: number) => string>()

/** An amount may have more digits than its currency; so many of them are shown. */
const maxDigits = 9

/**
 * An amount with its currency, to the minor unit of ISO 4217 and further where it has more digits; only as a number where the
 * currency is not known (null). `Intl` by itself would round to what shops use.
 */
export function moneyText(language: string, amount: number, currency: string | null): string {
  const key = `${language} ${currency}`
  const format = formats.get(key) ?? getFormat(language, currency)
  formats.set(key, format)
  return format(amount)
}

/** An amount to the minor unit of its currency, without it: for tables whose heading names the currency. */
export function amountText(language: string, amount: number, currency: string): string {
  return getNumbers(language, minorDigits(currency))(amount)
}

function getFormat(language: string, currency: string | null): (amount: number) => string {
  if (currency === null) return getNumbers(language, 0)
  const digits = minorDigits(currency)
  if (!/^[A-Z]{3}$/.test(currency)) {
    const numbers = getNumbers(language, digits)
    return (amount) => `${currency} ${numbers(amount)}`
  }
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: maxDigits,
  })
  return (amount) => format.format(amount)
}

function getNumbers(language: string, digits: number): (amount: number) => string {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: maxDigits })
  return (amount) => format.format(amount)
}

/** The field by which records of a type name the currency of their amounts; null where they are in the institution's. */
export function findCurrencyField(type: RecordType): string | null {
  return currencyFields.find((name) => Object.hasOwn(type.fields, name)) ?? null
}
