import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { RecordList } from '../changes/record-list.ts'
import { countedLists } from './counted-lists.ts'

const compiled = new URL('../', import.meta.url)
const source = fileURLToPath(new URL('../../src/', import.meta.url))

const getFiles = (pattern: RegExp) =>
  readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file))

const isCounted = (value: unknown): value is RecordList =>
  typeof value === 'object' && value !== null && 'isCountedByStatus' in value && value.isCountedByStatus === true

test('every list of a feature that says that it is counted by status is among the counted ones, once', async () => {
  const stores = getFiles(/^features\/.*-store\.ts$/)
  const modules = await Promise.all(stores.map((file) => import(new URL(file.replace(/ts$/, 'js'), compiled).href)))
  const found = modules.flatMap((store: object) => Object.values(store).filter(isCounted))
  const names = (lists: readonly RecordList[]) => lists.map(({ entityType }) => entityType).sort()
  assert.ok(found.length > 5)
  assert.deepEqual(names(countedLists), names(found))
})

test('whoever changes a record of a counted list names the list, not its kind alone', () => {
  const kinds = countedLists.map(({ entityType }) => entityType).join('|')
  const change = new RegExp(`\\btype(: '[a-z_.]+')?,\\s+entityType: '(${kinds})'`)
  assert.deepEqual(
    getFiles(/(?<!test)\.ts$/).filter((file) => change.test(readFileSync(`${source}${file}`, 'utf8'))),
    [],
  )
})
