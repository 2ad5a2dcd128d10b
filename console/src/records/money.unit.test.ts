import assert from 'node:assert/strict'
import { test } from 'node:test'
import { company, fees, glEntry, student } from '@matricula/contract/record-types'
import { findCurrencyField, moneyText } from './money.ts'
import { shownValue } from './shown-value.ts'

test('an amount is shown as it is owed, to the minor unit of ISO 4217, whatever the runtime has', () => {
  const plain = (amount: number, currency: string) => moneyText('en', amount, currency).replace(/[^\d.,-]/g, '')
  assert.equal(plain(1250.75, 'HUF'), '1,250.75')
  for (const currency of ['COP', 'IDR', 'PKR', 'IQD', 'AFN', 'LAK']) {
    assert.match(plain(1250.5, currency), currency === 'IQD' ? /^1,250\.500$/ : /^1,250\.50$/, currency)
  }
  assert.deepEqual(
    [plain(1250, 'JPY'), plain(1.5, 'KWD'), plain(1.2, 'CLF'), plain(-3, 'USD'), plain(0.005, 'USD')],
    ['1,250', '1.500', '1.2000', '-3.00', '0.005'],
  )
  assert.match(moneyText('es', 1250.75, 'HUF'), /1250,75/)
  assert.equal(moneyText('en', 2, 'Euros'), 'Euros 2.00')
  assert.equal(moneyText('en', 2.5, null), '2.5')
})

test('amounts of a record are in its own currency, else in the institution’s', () => {
  assert.deepEqual(
    [fees, glEntry, company, student].map((type) => findCurrencyField(type)),
    ['currency', 'account_currency', 'default_currency', null],
  )
  const reader = { language: 'en', named: (label: string) => label }
  const shown = (currency: string | null) => shownValue(fees.fields.grand_total, 5, { ...reader, currency })
  assert.deepEqual([shown('EUR'), shown('USD'), shown(null)], ['€5.00', '$5.00', '5'])
})
