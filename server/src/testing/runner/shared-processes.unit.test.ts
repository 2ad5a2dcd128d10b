import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { afterFile } from './file-end.ts'
import { longest, shareProcesses, takeFiles } from './shared-processes.ts'
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

test('test files are taken by one process each, in their order, and by as many processes as they need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-shared-'))
  afterFile(() => rm(folder, { recursive: true }))
  const files = Array.from({ length: 100 }, (_, index) => `/dist/${index}.test.js`)
  const programs = await shareProcesses(files, folder)
  const processes = programs.map(() => takeFiles(files, folder))
  const taken: string[] = []
  for (let left = processes; left.length > 0; ) {
    left = left.filter((each) => {
      const { value } = each.next()
      if (value !== undefined) taken.push(value)
      return value !== undefined
    })
  }
  assert.deepEqual(taken, files)
})
