import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLocale } from './locale.ts'

test('a language that the visitor chose wins, and one that the pages do not speak is no choice', () => {
  assert.equal(chooseLocale('pt', 'es', 'en'), 'pt')
  assert.equal(chooseLocale('de', 'es', null), 'es')
  assert.equal(chooseLocale('', undefined, 'pt'), 'pt')
})

test('Accept-Language is read with its weights, and a region falls back to its language', () => {
  for (const [header, expected] of [
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['de-DE, pt-BR;q=0.7, en;q=0.3', 'pt'],
    ['en;q=0.2, es;q=0.9', 'es'],
    ['en;q=0, es;q=0.1', 'es'],
    ['ES', 'es'],
    ['es;q=2, pt;q=0.5', 'pt'],
    ['*', 'en'],
    ['', 'en'],
    ['de', 'en'],
    [';;;,,q=', 'en'],
  ] as const) {
    assert.equal(chooseLocale(null, header), expected, header)
  }
})

test('the language that the institution gave the page counts before the browser’s, and English where there is none', () => {
  assert.equal(chooseLocale(null, 'es', 'pt-BR'), 'pt')
  assert.equal(chooseLocale(null, 'es', 'xx'), 'es')
  assert.equal(chooseLocale(null, undefined, 'xx'), 'en')
})
