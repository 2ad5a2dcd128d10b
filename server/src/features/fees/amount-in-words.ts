import { wholeAndRest } from '../../money/index.ts'

const ones = [
  'Zero',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
  'Thirteen',
  'Fourteen',
  'Fifteen',
  'Sixteen',
  'Seventeen',
  'Eighteen',
  'Nineteen',
] as const
const tens = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety'] as const

/** The number format and fraction of a currency. */
export interface CurrencyWords {
  readonly code: string
  /** The name of its smallest unit, or empty for none. */
  readonly fraction: string
  /** How many of them make one unit; by default 100. */
  readonly fractionUnits: number
  /** `#,##,###.##` counts in lakh and crore. */
  readonly numberFormat: string
}

/**
 * An amount in English words, such as `INR Fifty Thousand only.`: thousands with commas, `And` before the last part
 * below a hundred, the rest in the currency's smallest unit.
 */
export function amountInWords(amount: number, currency: CurrencyWords): string {
  const units = currency.fractionUnits > 0 ? currency.fractionUnits : 100
  const { whole, rest } = wholeAndRest(amount, units)
  const isIndian = currency.numberFormat === '#,##,###.##'
  const inWords = isIndian ? indianWords(whole) : groupedWords(whole)
  const fraction = rest > 0 && currency.fraction !== '' ? ` and ${groupedWords(rest)} ${currency.fraction}` : ''
  return `${currency.code} ${inWords}${fraction} only.`
}

function belowHundred(number: number): string {
  if (number < 20) return ones[number] as string
  const rest = number % 10
  return `${tens[Math.floor(number / 10)]}${rest === 0 ? '' : ` ${ones[rest]}`}`
}

function belowThousand(number: number): string {
  const hundreds = Math.floor(number / 100)
  const rest = number % 100
  if (hundreds === 0) return belowHundred(rest)
  return `${ones[hundreds]} Hundred${rest === 0 ? '' : ` And ${belowHundred(rest)}`}`
}

const scales = ['', ' Thousand', ' Million', ' Billion', ' Trillion', ' Quadrillion'] as const

function groupedWords(number: number): string {
  if (number === 0) return 'Zero'
  const groups: string[] = []
  let left = number
  for (const scale of scales) {
    const group = left % 1000
    if (group > 0) groups.unshift(`${belowThousand(group)}${scale}`)
    left = Math.floor(left / 1000)
  }
  return joinGroups(groups, number % 1000)
}

/** The words of a number's groups, with `And` before a last group below a hundred. */
function joinGroups(groups: readonly string[], last: number): string {
  if (groups.length < 2 || last === 0 || last >= 100) return groups.join(', ')
  return `${groups.slice(0, -1).join(', ')} And ${groups.at(-1)}`
}

function indianWords(number: number): string {
  if (number === 0) return 'Zero'
  const crores = Math.floor(number / 10_000_000)
  const lakhs = Math.floor(number / 100_000) % 100
  const thousands = Math.floor(number / 1000) % 100
  const rest = number % 1000
  const groups = [
    crores > 0 ? `${indianWords(crores)} Crore` : '',
    lakhs > 0 ? `${belowHundred(lakhs)} Lakh` : '',
    thousands > 0 ? `${belowHundred(thousands)} Thousand` : '',
    rest > 0 ? belowThousand(rest) : '',
  ].filter((group) => group !== '')
  return joinGroups(groups, rest)
}
