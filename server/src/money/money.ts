import { minorDigits } from '@matricula/contract/amounts'
import Big from 'big.js'
import { numberText } from '../values/index.ts'

/**
 * Amounts are numbers, as JSON has them. Each stands for the shortest decimal that reads back as it, which is the one that was
 * sent, up to fifteen digits: 10^12 with three of them behind the point. Whatever is computed of amounts is computed here, in
 * decimal, and rounded half away from zero to the minor unit of the currency (ISO 4217) once per line; totals are sums of
 * rounded lines. Amounts that were sent stay as they were sent.
 */

/** An amount that a number cannot hold to the last minor unit. The message says what to do. */
export class AmountError extends Error {}

/** A decimal as a number. Throws `AmountError` where the number would stand for another decimal. */
function exactly(decimal: Big): number {
  const number = decimal.toNumber()
  if (Big(number).eq(decimal)) return number === 0 ? 0 : number // never -0
  throw new AmountError(
    `The amount ${decimal.toFixed()} is too large to be kept to the last digit. Use smaller amounts.`,
  )
}

function rounded(decimal: Big, currency: string): Big {
  return decimal.round(minorDigits(currency), Big.roundHalfUp)
}

/** The sum of amounts, each rounded to the minor unit of the currency; null adds nothing. Throws `AmountError`. */
export function getTotal(amounts: readonly (number | null)[], currency: string): number {
  return exactly(amounts.reduce((sum, amount) => sum.plus(rounded(Big(amount ?? 0), currency)), Big(0)))
}

/** Whether what lines debit is, to the last digit, what they credit. */
export function isBalanced(lines: readonly { readonly debit: number; readonly credit: number }[]): boolean {
  return lines.reduce((sum, { debit, credit }) => sum.plus(debit).minus(credit), Big(0)).eq(0)
}

/** An amount less so many percent of it, rounded. */
export function lessPercent(amount: number, percent: number, currency: string): number {
  return exactly(rounded(Big(amount).times(Big(100).minus(percent)).times('0.01'), currency))
}

/** So many times an amount, rounded. Throws `AmountError`. */
export function times(amount: number, quantity: number, currency: string): number {
  return exactly(rounded(Big(amount).times(quantity), currency))
}

/**
 * An amount in so many shares, in whole minor units, which together are the amount. They differ by one unit at most, and the
 * first is the amount divided and rounded. An amount with more digits than its currency has is shared to its last digit.
 *
 * @param count A whole number of at least 1.
 */
export function shares(amount: number, count: number, currency: string): number[] {
  const whole = Big(amount)
  const digits = Math.max(minorDigits(currency), whole.c.length - 1 - whole.e)
  const unit = Big(`1e-${digits}`).times(whole.s)
  const units = BigInt(whole.abs().times(`1e${digits}`).toFixed())
  const of = BigInt(count)
  // What the first so many shares are together, rounded: the shares are the steps from one to the next.
  const upTo = (position: number) => (2n * units * BigInt(position) + of) / (2n * of)
  return Array.from({ length: count }, (_, position) =>
    exactly(unit.times((upTo(position + 1) - upTo(position)).toString())),
  )
}

/**
 * An amount divided in proportion to weights, in whole minor units, which together are the amount: each part is its
 * proportion rounded down or up (largest remainder). An amount or a weight with more digits than its currency has is counted
 * to its last digit. Weights that sum up to 0 are all the same.
 *
 * @param weights At least one.
 */
export function apportion(amount: number, weights: readonly number[], currency: string): number[] {
  const decimals = [amount, ...weights].map((value) => Big(value))
  const digits = Math.max(minorDigits(currency), ...decimals.map(({ c, e }) => c.length - 1 - e))
  const [whole = 0n, ...units] = decimals.map((value) => BigInt(value.times(`1e${digits}`).toFixed()))
  const sum = units.reduce((total, unit) => total + unit, 0n)
  if (sum === 0n) return shares(amount, weights.length, currency)
  const sign = sum < 0n ? -1n : 1n
  const parts = units.map((unit, position) => {
    const [over, under] = [sign * whole * unit, sign * sum]
    const rest = ((over % under) + under) % under
    return { position, rest, units: (over - rest) / under }
  })
  const missing = Number(whole - parts.reduce((total, part) => total + part.units, 0n))
  const byRest = [...parts].sort((one, other) => (one.rest === other.rest ? 0 : one.rest > other.rest ? -1 : 1))
  const raised = new Set(byRest.slice(0, missing).map(({ position }) => position))
  const unit = Big(`1e-${digits}`)
  return parts.map(({ position, units: part }) =>
    exactly(unit.times((part + (raised.has(position) ? 1n : 0n)).toString())),
  )
}

/** An amount counted in the minor units of its currency, such as cents: a whole number. Throws `AmountError`. */
export function inMinorUnits(amount: number, currency: string): number {
  return exactly(rounded(Big(amount), currency).times(`1e${minorDigits(currency)}`))
}

/** The amount of so many minor units. */
export function ofMinorUnits(units: number, currency: string): number {
  return exactly(Big(units).times(`1e-${minorDigits(currency)}`))
}

/** An amount without its sign: how many whole ones, and how many of the `units` of one are left, rounded. */
export function wholeAndRest(amount: number, units: number): { readonly whole: number; readonly rest: number } {
  const total = BigInt(Big(amount).abs().times(units).toFixed(0, Big.roundHalfUp))
  return { whole: Number(total / BigInt(units)), rest: Number(total % BigInt(units)) }
}

/** An amount as people write it, to its minor unit, and further where it has more digits. */
export function amountText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return numberText(amount, digits, Math.max(digits, 9))
}

/** The exact sum of amounts, with as many digits as they have. Throws `AmountError`. */
export function sumExactly(...amounts: readonly number[]): number {
  return exactly(amounts.reduce((sum, amount) => sum.plus(amount), Big(0)))
}

/** The exact difference of two amounts. Throws `AmountError`. */
export function subtract(amount: number, less: number): number {
  return exactly(Big(amount).minus(less))
}

/** So many percent of an amount, rounded to the minor unit of the currency. Throws `AmountError`. */
export function takePercent(amount: number, percent: number, currency: string): number {
  return exactly(rounded(Big(amount).times(percent).times('0.01'), currency))
}

/** Whether an amount has digits beyond the minor unit of its currency. */
export function isFinerThanMinorUnit(amount: number, currency: string): boolean {
  return !rounded(Big(amount), currency).eq(amount)
}
