import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { whileUsed } from './reference-counted.ts'

test('what is made is the same for all who use it, and is made again only once nobody does', async () => {
  setFlagsFromString('--expose-gc')
  const lookThroughMemory: () => void = runInNewContext('gc')
  let times = 0
  const read = whileUsed(() => {
    times += 1
    return Buffer.alloc(1_000_000)
  })
  let used: Buffer | null = read()
  await pause(0) // what a WeakRef leads to stays until the turn in which it was read is over
  lookThroughMemory()
  assert.equal(read(), used)
  assert.equal(times, 1)
  used = null
  await pause(0)
  lookThroughMemory()
  assert.equal(read().length, 1_000_000)
  assert.equal(times, 2)
})
