import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseFiles, readChoice, slowParts } from './test-tiers.ts'

const files = ['a.test.js', 'b.slow.test.js', 'c.slow.test.js', 'd.journey.test.js', 'e.slow.test.js', 'f.slow.test.js']
const choose = (...args: string[]) => chooseFiles(files, readChoice(args, new Date(0)))

test('a run without names has one tier, and one with names has files of both', () => {
  assert.deepEqual(choose(), ['a.test.js'])
  assert.equal(choose('--slow').length, 5)
  assert.deepEqual(choose('a.', 'c.slow', 'd.journey'), ['a.test.js', 'c.slow.test.js', 'd.journey.test.js'])
})

test('the parts of the second tier have each of its files once, and as many hours, or days at one hour, have each part', () => {
  const numbers = Array.from({ length: slowParts }, (_, index) => index)
  const parts = numbers.flatMap((number) => choose('--slow', '--part', String(number + 1)))
  assert.deepEqual(parts.sort(), choose('--slow'))
  for (const hours of [1, 24]) {
    const chosen = numbers.map((at) => readChoice(['--slow', '--part', 'auto'], new Date(at * hours * 3_600_000)).part)
    assert.deepEqual(new Set(chosen), new Set(numbers), `every ${hours} hours`)
  }
})

test('a part that there is not is refused', () => {
  for (const value of ['0', String(slowParts + 1), 'x'])
    assert.throws(() => choose('--slow', '--part', value), RangeError)
  assert.throws(() => choose('--slow', '--part'), RangeError)
})
