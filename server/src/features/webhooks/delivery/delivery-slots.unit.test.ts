import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliverySlots } from './delivery-slots.ts'

test('delivery slots: failing endpoints leave slots for working ones, and a run that ends frees its slot', async () => {
  const slots = new DeliverySlots()
  const ends: (() => void)[] = []
  const begin = (isFailing: boolean) => {
    const run = new Promise<void>((resolve) => ends.push(resolve))
    slots.add(`webhook ${ends.length}`, isFailing, run)
  }
  while (slots.hasFreeSlot(true)) begin(true)
  assert.deepEqual([slots.size, slots.hasFreeSlot(false)], [250, true])
  while (slots.hasFreeSlot(false)) begin(false)
  assert.equal(slots.size, 500)
  ends[0]?.()
  await new Promise(setImmediate)
  assert.deepEqual([slots.size, slots.has('webhook 1'), slots.hasFreeSlot(true)], [499, false, true])
  for (const end of ends) end()
  await slots.settled()
  assert.equal(slots.size, 0)
})
