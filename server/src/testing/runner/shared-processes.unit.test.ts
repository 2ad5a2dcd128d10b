import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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

test('no test file ends by node’s own `after` what it started: where a process runs several it comes while the next file begins', async () => {
  const sources = await Promise.all((await testFiles()).map(({ source }) => readFile(source, 'utf8')))
  assert.deepEqual(
    sources.flatMap((source) => source.match(/^(?:after\(|\w.*\(after\)).*/gm) ?? []),
    [],
  )
})
