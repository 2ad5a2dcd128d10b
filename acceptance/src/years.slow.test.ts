import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveYears } from './years.ts'

test('two years of a school: every figure of its pages is what its records add up to', async () => {
  assert.equal(await proveYears(), true)
})
