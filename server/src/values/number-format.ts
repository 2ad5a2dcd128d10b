import Big from 'big.js'

const formats = new Map<string, Intl.NumberFormat>()

/** A number as people write it, with at least and at most so many digits behind the point. */
export function numberText(value: number, minDigits: number, maxDigits: number): string {
  const key = `${minDigits} ${maxDigits}`
  let format = formats.get(key)
  if (format === undefined) {
    // Making one costs far more than using it, and memory outside of the heap.
    format = new Intl.NumberFormat('en', { minimumFractionDigits: minDigits, maximumFractionDigits: maxDigits })
    formats.set(key, format)
  }
  return format.format(value)
}

/** A number as programs write it, with a decimal point and without an exponent: 1e-7 is 0.0000001. */
export function plainNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? new Big(value).toFixed() : text
}

const decimal = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?$/

/**
 * The number that a text says: digits with at most one decimal point, commas only between thousands (`1,250.50`), spaces
 * around it. Undefined for everything else, so that no decimal comma, exponent or hexadecimal number is guessed at.
 */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/\d/.test(trimmed) || !decimal.test(trimmed)) return undefined
  const number = Number(trimmed.replaceAll(',', ''))
  return Number.isFinite(number) ? number : undefined
}
