import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeInstalments, proposeShares } from './instalments.ts'

const cents = fc.integer({ min: 0, max: 500_000 })
const toAmount = (amount: number) => Number((amount / 100).toFixed(2))
const inCents = (amount: number) => Math.round(amount * 100)
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + inCents(amount), 0)

const toCosts = (amounts: readonly number[]) =>
  amounts.map((amount, index) => ({ fees_category: `Category ${index}`, total: toAmount(amount) }))

test('instalments: each is its own amount, and those that are the total together give each cost its own', () => {
  const plan = fc.tuple(
    fc.array(cents, { minLength: 1, maxLength: 5 }),
    fc.array(fc.option(cents), { minLength: 1, maxLength: 12 }),
  )
  fc.assert(
    fc.property(plan, ([costs, rows]) => {
      const total = costs.reduce((all, each) => all + each, 0)
      const given = rows.reduce<number>((all, each) => all + (each ?? 0), 0)
      const hasOpen = rows.includes(null)
      const amounts = rows.map((row) => (row === null ? null : toAmount(row)))
      if (hasOpen && given > total) {
        assert.throws(() => computeInstalments(toCosts(costs), amounts, 'USD', {}), /leave nothing/)
        return
      }
      const made = computeInstalments(toCosts(costs), amounts, 'USD', {})
      assert.equal(made.length, rows.length)
      for (const [index, row] of rows.entries()) {
        assert.ok((made[index] as number[]).every((amount) => amount >= 0))
        if (row !== null) assert.equal(sum(made[index] as number[]), row)
      }
      if (hasOpen || given === total) {
        for (const [position, cost] of costs.entries()) {
          assert.equal(sum(made.map((row) => row[position] as number)), cost)
        }
      }
    }),
  )
})

test('instalments: 1 100.05 in twelve is eleven or twelve parts of 91.67 or 91.68, and the proposal is what is made', () => {
  const costs = [
    { fees_category: 'Tuition', total: 1000 },
    { fees_category: 'Laboratory', total: 100.05 },
  ]
  const none = Array.from({ length: 12 }, () => null)
  const made = computeInstalments(costs, none, 'USD', {})
  const totals = made.map((row) => sum(row))
  assert.equal(
    totals.reduce((all, each) => all + each, 0),
    110005,
  )
  assert.ok(totals.every((total) => total === 9167 || total === 9168))
  const proposed = proposeShares(costs, none, 'USD')
  assert.deepEqual(computeInstalments(costs, none, 'USD', proposed), made)
  assert.equal(sum(Object.values(proposed)), totals[0])
})

test('instalments: what is chosen for a category replaces its share', () => {
  const costs = [
    { fees_category: 'Tuition', total: 90 },
    { fees_category: 'Laboratory', total: 30 },
  ]
  const chosen = { Tuition: 20, Laboratory: 10 }
  assert.deepEqual(computeInstalments(costs, [null, null, null], 'USD', chosen), [
    [20, 10],
    [20, 10],
    [20, 10],
  ])
  assert.throws(() => computeInstalments(costs, [-1], 'USD', {}), /less than 0/)
})
