import assert from 'node:assert/strict'
import { test } from 'node:test'
import { difference, withoutNulls } from './difference.ts'

test('records that have the wanted fields do not differ, whatever else they have', () => {
  assert.equal(
    difference({ a: 1, b: null, c: { d: 'x', e: null } }, { a: 1, b: null, c: { d: 'x', f: 2 }, g: 3 }),
    null,
  )
})

test('the difference names the fields that differ, inside objects too, and null clears', () => {
  const wanted = { a: 1, b: null, c: { d: 'x', e: null, f: { g: 1, h: null } }, i: null }
  const stored = { a: 1, b: 'old', c: { d: 'y', e: 'old', f: null }, i: { j: 1 } }
  assert.deepEqual(difference(wanted, stored), { b: null, c: { d: 'x', e: null, f: { g: 1 } }, i: null })
})

test('a new record is sent without what is empty', () => {
  assert.deepEqual(withoutNulls({ a: null, b: 0, c: false, d: { e: null, f: '' } }), { b: 0, c: false, d: { f: '' } })
})
