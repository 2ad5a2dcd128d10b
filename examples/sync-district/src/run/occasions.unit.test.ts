import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getKey } from './occasions.ts'

test('the key of a creation follows from what is created and from the occasion', () => {
  const keys = [
    getKey('students', { name: 'x' }, 'first'),
    getKey('students', { name: 'x' }, 'first'),
    getKey('students', { name: 'y' }, 'first'),
    getKey('students', { name: 'x' }, 'second'),
    getKey('payments', { name: 'x' }, 'first'),
  ]
  assert.match(keys[0] as string, /^[0-9a-f]{64}$/)
  assert.equal(keys[0], keys[1])
  assert.equal(new Set(keys).size, 4)
})
