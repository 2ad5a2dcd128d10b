import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Crowd } from './concurrency-window.ts'

function pass(crowd: Crowd, together: number, times: number): void {
  for (let time = 0; time < times; time += 1) {
    for (let one = 0; one < together; one += 1) crowd.enter()
    for (let one = 0; one < together; one += 1) crowd.leave()
  }
}

test('a crowd remembers how many there were at once, for as long as a hundred others come and go', () => {
  const crowd = new Crowd()
  assert.equal(crowd.most, 0)
  pass(crowd, 24, 1)
  assert.equal(crowd.most, 24, 'nobody is there any more')
  pass(crowd, 4, 10)
  assert.equal(crowd.most, 24)
  pass(crowd, 4, 30)
  assert.equal(crowd.most, 4)
})

test('those who stay are counted with each who comes', () => {
  const crowd = new Crowd()
  for (let one = 0; one < 20; one += 1) crowd.enter()
  pass(crowd, 1, 300)
  assert.equal(crowd.most, 21)
})
