import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseIdempotencyKey } from '../concurrency/idempotency.ts'
import { stampFromPostgres } from '../database/sql/value-types.ts'
import { phoneDigits } from '../features/contacts/index.ts'
import { isCalendarDate, parseStamp } from '../http/operations/formats.ts'
import { kindOfSecret, newSecret } from '../identity/secrets.ts'
import { isUuid, newId } from './ids.ts'
import { mergePatch } from './json.ts'
import { plainNumber } from './number-format.ts'
import { areNamesAlike } from './person-names.ts'
import { searchPatterns } from './search-text.ts'

test('a secret is told from a damaged one without asking anybody', () => {
  for (const kind of ['client', 'resource'] as const) {
    const secret = newSecret(kind)
    assert.match(secret, kind === 'client' ? /^mtc_[0-9A-Za-z]{49}$/ : /^mtr_[0-9A-Za-z]{49}$/)
    assert.equal(kindOfSecret(secret), kind)
    const location = 20
    const other = secret[location] === 'a' ? 'b' : 'a'
    assert.equal(kindOfSecret(secret.slice(0, location) + other + secret.slice(location + 1)), null)
    assert.equal(kindOfSecret(secret.slice(0, -1)), null)
    assert.equal(kindOfSecret(secret.replace(/^mt[cr]/, kind === 'client' ? 'mtr' : 'mtc')), null)
  }
})

test('ids are UUIDs of version 7 that grow', () => {
  const ids = Array.from({ length: 1000 }, newId)
  assert.ok(ids.every((id) => isUuid(id) && id[14] === '7'))
  assert.deepEqual([...ids].sort(), ids)
})

test('a stamp that was sent comes back as the same moment in 24 characters', () => {
  const valid = { min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(valid), fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
      const sign = offset < 0 ? '-' : '+'
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
      const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
      if (local.length !== 23) return
      assert.equal(parseStamp(`${local}${zone}`), date.toISOString())
    }),
  )
  assert.equal(parseStamp('2026-09-01'), '2026-09-01T00:00:00.000Z')
  assert.equal(parseStamp('2026-09-01t01:02:03.1239999z'), '2026-09-01T01:02:03.123Z')
})

test('what is no moment is no stamp', () => {
  const wrong = [
    '2026-09-01T00:00:00',
    '2026-02-29',
    '0000-01-01',
    '2026-13-01',
    '2026-09-01T24:00:00Z',
    '2026-09-01T23:59:60Z',
  ]
  for (const text of [
    ...wrong,
    '2026-9-1',
    '+002026-01-01',
    '2026-09-01T00:00Z',
    '0001-01-01T00:00:00+01:00',
    ' 2026-09-01',
  ]) {
    assert.equal(parseStamp(text), null, text)
  }
  assert.equal(parseStamp('9999-12-31T23:59:59-01:00'), null)
  assert.equal(isCalendarDate('2024-02-29'), true)
  assert.equal(isCalendarDate('1900-02-29'), false)
})

test('a stamp of PostgreSQL is written as the interface writes it', () => {
  assert.equal(stampFromPostgres('2026-09-01 00:00:00+00'), '2026-09-01T00:00:00.000Z')
  assert.equal(stampFromPostgres('2026-09-01 10:20:30.5+00'), '2026-09-01T10:20:30.500Z')
  assert.equal(stampFromPostgres('2026-09-01 10:20:30.123+00'), '2026-09-01T10:20:30.123Z')
})

test('a merge patch does as RFC 7396 says, also with keys that JavaScript holds dear', () => {
  assert.deepEqual(mergePatch({ a: 'b', c: { d: 'e', f: 'g' } }, { a: 'z', c: { f: null } }), { a: 'z', c: { d: 'e' } })
  assert.deepEqual(mergePatch({ a: [1] }, { a: { b: null, c: 1 } }), { a: { c: 1 } })
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"x": 1}}')
  const merged = mergePatch({}, hostile)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  assert.deepEqual(JSON.parse(JSON.stringify(merged)), hostile)
})

test('an Idempotency-Key is bare or a quoted string, and both ways are one key', () => {
  assert.equal(parseIdempotencyKey('abc'), 'abc')
  assert.equal(parseIdempotencyKey('"abc"'), 'abc')
  assert.equal(parseIdempotencyKey('"a\\"b"'), 'a"b')
  assert.equal(parseIdempotencyKey('x'.repeat(255)).length, 255)
  for (const wrong of ['', '""', '"a', 'x'.repeat(256), 'ä', 'a\u0000']) assert.throws(() => parseIdempotencyKey(wrong))
})

test('a telephone number is the same however it is written', () => {
  assert.equal(phoneDigits('+1 (950) 342-7522'), '+19503427522')
  assert.equal(phoneDigits('001 950 342 7522'), '+19503427522')
  assert.equal(phoneDigits('(950) 342 7522'), '9503427522')
  assert.equal(phoneDigits('none'), null)
})

test('a search is its words in any order, with the wildcards of LIKE as plain characters', () => {
  assert.deepEqual(searchPatterns('50%_\\ÁÉ'), ['%50\\%\\_\\\\ae%'])
  assert.deepEqual(searchPatterns(' Tran  Duc-Tran '), ['%tran%', '%duc%'])
  assert.deepEqual(searchPatterns('王小明'), ['%王%', '%小%', '%明%'])
  assert.deepEqual(searchPatterns('김민준'), ['%김%', '%민%', '%준%'])
  assert.deepEqual(searchPatterns(' '), [])
})

test('names are alike where, folded, one holds the words of the other', () => {
  for (const [one, other] of [
    ['Núñez, José', 'Jose Nunez'],
    ['Maria', 'María LOPEZ'],
    ['Jean-Pierre Dupont', 'dupont jean pierre'],
    ['Strauß', 'STRAUSS'],
    ['O’Brien', "o'brien"],
    ['Андрей Ёлкин', 'елкин андреи'],
    ['山田 太郎', '山田太郎'],
    ['مُحَمَّد', 'محمد'],
    ['ΝΙΚΟΣ', 'Νίκος'],
  ] as const) {
    assert.ok(areNamesAlike(one, other) && areNamesAlike(other, one), `${one} ~ ${other}`)
  }
  for (const [one, other] of [
    ['Ana Lopez', 'Maria Lopez'],
    ['Ana', 'Anabel'],
    ['राम', 'रोमा'],
    ['たろう', 'だろう'],
    ['😀', 'Carmen'],
  ] as const) {
    assert.ok(!areNamesAlike(one, other) && !areNamesAlike(other, one), `${one} ≁ ${other}`)
  }
})

test('a number is written without an exponent, small or large', () => {
  for (const [value, text] of [
    [0, '0'],
    [12.5, '12.5'],
    [-0.0000001, '-0.0000001'],
    [1e-20, '0.00000000000000000001'],
    [1e21, '1000000000000000000000'],
  ] as const) {
    assert.equal(plainNumber(value), text)
  }
})
