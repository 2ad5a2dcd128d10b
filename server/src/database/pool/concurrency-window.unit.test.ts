import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConcurrencyWindow } from './concurrency-window.ts'

function pass(window: ConcurrencyWindow, together: number, times: number): void {
  for (let time = 0; time < times; time += 1) {
    for (let one = 0; one < together; one += 1) window.enter()
    for (let one = 0; one < together; one += 1) window.leave()
  }
}

test('a crowd remembers how many there were at once, for as long as a hundred others come and go', () => {
  const window = new ConcurrencyWindow()
  assert.equal(window.max, 0)
  pass(window, 24, 1)
  assert.equal(window.max, 24, 'nobody is there any more')
  pass(window, 4, 10)
  assert.equal(window.max, 24)
  pass(window, 4, 30)
  assert.equal(window.max, 4)
})

test('those who stay are counted with each who comes', () => {
  const window = new ConcurrencyWindow()
  for (let one = 0; one < 20; one += 1) window.enter()
  pass(window, 1, 300)
  assert.equal(window.max, 21)
})
