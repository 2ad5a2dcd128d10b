import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberLocale, readDecimal, showDecimal } from './decimal-text.ts'

test('a number is read in the format of the person, and what is none is not guessed', () => {
  for (const [locale, typed, read] of [
    ['es', '1.250,50', '1250.50'],
    ['es', '1250,5', '1250.5'],
    ['es', '12,50', '12.50'],
    ['es', '1.250', '1250'],
    ['es', '12.50', '12.50'],
    ['es', '1,250.50', null],
    ['pt', '-1.234.567,8', '-1234567.8'],
    ['en', '1,250.50', '1250.50'],
    ['en', '12,50', null],
    ['en', '1.250,50', null],
    ['es-MX', '1,250.50', '1250.50'],
    ['fr', '1 250,50', '1250.50'],
    ['fr', '1\u202f250,50', '1250.50'],
    ['en', ' 7 ', '7'],
    ['en', '0x10', null],
    ['en', '1e3', null],
    ['en', '.', null],
    ['en', '', null],
  ] as const) {
    assert.equal(readDecimal(locale, typed), read, `${locale}: ${typed}`)
  }
})

test('a number is shown for typing with the decimal mark of the person', () => {
  assert.equal(showDecimal('es', '1250.5'), '1250,5')
  assert.equal(showDecimal('en', '1250.5'), '1250.5')
  assert.equal(showDecimal('es', '1250'), '1250')
  assert.equal(showDecimal('es', 'abc'), 'abc')
})

test('the browser says the format where it speaks the language of the console', () => {
  assert.equal(numberLocale('es', 'es-MX'), 'es-MX')
  assert.equal(numberLocale('es', 'en-US'), 'es')
})
