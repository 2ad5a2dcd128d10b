import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DemoIds, versionSeven } from './demo-ids.ts'
import { Random } from './random.ts'

const versionSevenForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 })

test('an id is a UUIDv7 that holds its moment, and ids sort as their moments do', () => {
  fc.assert(
    fc.property(moment, moment, fc.integer(), (one, other, start) => {
      const first = versionSeven(one, new Random(start, 1, 2, 3))
      const second = versionSeven(other, new Random(start, 4, 5, 6))
      assert.match(first, versionSevenForm)
      assert.equal(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16), one)
      if (one !== other) assert.equal(first < second, one < other)
    }),
  )
})

test('ids of one moment differ by kind, by index, by seed and by slug, and are the same when all agree', () => {
  const ids = new DemoIds(1, 'demo')
  const made = new Set<string>()
  for (let index = 0; index < 100_000; index += 1) made.add(ids.of('payment', index, 1_800_000_000_000))
  assert.equal(made.size, 100_000)
  for (const other of [new DemoIds(2, 'demo'), new DemoIds(1, 'other')]) {
    assert.ok(!made.has(other.of('payment', 7, 1_800_000_000_000)))
  }
  assert.ok(!made.has(ids.of('student', 7, 1_800_000_000_000)))
  assert.ok(made.has(new DemoIds(1, 'demo').of('payment', 7, 1_800_000_000_000)))
})
