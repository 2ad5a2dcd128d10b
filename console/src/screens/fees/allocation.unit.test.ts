import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocate, sum, toParts } from './allocation.ts'

const open = [
  { paymentId: 'a', accountId: 'one', openAmount: 10.1 },
  { paymentId: 'b', accountId: 'other', openAmount: 20.2 },
  { paymentId: 'c', accountId: 'one', openAmount: 30 },
]
const none = new Map<string, number>()
const accounts = [{ id: 'one' }, { id: 'other' }]

test('sums of amounts are exact', () => {
  assert.equal(sum(0.1, 0.2), 0.3)
  assert.equal(sum(1250.75, -1250.7), 0.05)
  assert.equal(sum(), 0)
})

test('an amount pays the oldest first, and no more than what is open', () => {
  const parts = (amount: number, typed = none) => [...allocate(amount, open, typed).values()]
  assert.deepEqual(parts(0), [0, 0, 0])
  assert.deepEqual(parts(15), [10.1, 4.9, 0])
  assert.deepEqual(parts(1000), [10.1, 20.2, 30])
})

test('a part that was typed stays, and the others share what is left', () => {
  const parts = (amount: number, typed: [string, number][]) => [...allocate(amount, open, new Map(typed)).values()]
  assert.deepEqual(parts(30, [['c', 25]]), [5, 0, 25])
  assert.deepEqual(parts(30, [['a', 0]]), [0, 20.2, 9.8])
  assert.deepEqual(parts(10, [['c', 25]]), [0, 0, 25])
})

test('each account has a part of its own, and what is over becomes credit of the first', () => {
  const parts = (amount: number) => toParts(amount, accounts, open, allocate(amount, open, none))
  assert.deepEqual(parts(15), [
    { accountId: 'one', amount: 10.1, allocations: [{ paymentId: 'a', amount: 10.1 }] },
    { accountId: 'other', amount: 4.9, allocations: [{ paymentId: 'b', amount: 4.9 }] },
  ])
  assert.deepEqual(
    parts(70).map(({ amount }) => amount),
    [49.8, 20.2],
  )
  assert.deepEqual(toParts(5, accounts, [], none), [{ accountId: 'one', amount: 5, allocations: [] }])
  assert.deepEqual(toParts(5, [], [], none), [])
})
