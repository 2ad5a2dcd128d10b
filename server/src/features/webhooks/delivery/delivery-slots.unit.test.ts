import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliverySlots } from './delivery-slots.ts'

test('however many endpoints fail, those that answer find a place; a turn that is over gives its place back', async () => {
  const turns = new DeliverySlots()
  const ends: (() => void)[] = []
  const begin = (isFailing: boolean) => {
    const turn = new Promise<void>((resolve) => ends.push(resolve))
    turns.add(`webhook ${ends.length}`, isFailing, turn)
  }
  while (turns.hasPlace(true)) begin(true)
  assert.deepEqual([turns.size, turns.hasPlace(false)], [250, true])
  while (turns.hasPlace(false)) begin(false)
  assert.equal(turns.size, 500)
  ends[0]?.()
  await new Promise(setImmediate)
  assert.deepEqual([turns.size, turns.has('webhook 1'), turns.hasPlace(true)], [499, false, true])
  for (const end of ends) end()
  await turns.settled()
  assert.equal(turns.size, 0)
})
