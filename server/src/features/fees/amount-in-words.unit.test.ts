import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountInWords } from './amount-in-words.ts'

const dollars = { code: 'USD', fraction: 'Cent', fractionUnits: 100, numberFormat: '#,###.##' }
const rupees = { code: 'INR', fraction: 'Paisa', fractionUnits: 100, numberFormat: '#,##,###.##' }
const yen = { code: 'JPY', fraction: '', fractionUnits: 1, numberFormat: '#,###' }

for (const [amount, currency, expected] of [
  [0, dollars, 'USD Zero only.'],
  [21, dollars, 'USD Twenty One only.'],
  [1234, dollars, 'USD One Thousand, Two Hundred And Thirty Four only.'],
  [1_000_005, dollars, 'USD One Million And Five only.'],
  [1_005_000, dollars, 'USD One Million, Five Thousand only.'],
  [19.5, dollars, 'USD Nineteen and Fifty Cent only.'],
  [50_000, rupees, 'INR Fifty Thousand only.'],
  [123_456.07, rupees, 'INR One Lakh, Twenty Three Thousand, Four Hundred And Fifty Six and Seven Paisa only.'],
  [20_000_005, rupees, 'INR Two Crore And Five only.'],
  [1500, yen, 'JPY One Thousand, Five Hundred only.'],
] as const) {
  test(`amount in words: ${amount} ${currency.code} is “${expected}”`, () => {
    assert.equal(amountInWords(amount, currency), expected)
  })
}
