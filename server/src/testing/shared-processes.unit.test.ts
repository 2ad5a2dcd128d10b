import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longest } from './shared-processes.ts'
import { testFiles } from './test-files.ts'

test('each file that is said to take long is one', async () => {
  const files = await testFiles()
  const named = longest.map((part) => files.filter(({ compiled }) => compiled.includes(part)).length)
  assert.deepEqual(
    longest.filter((_, index) => named[index] !== 1),
    [],
  )
})
