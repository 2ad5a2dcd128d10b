import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstitutionFile } from '@matricula/contract'
import {
  changedSettings,
  fromLines,
  getControl,
  isSame,
  laidOver,
  type Schema,
  toLines,
  withMember,
  withoutNull,
} from './setting-schema.ts'

const file = JSON.parse(JSON.stringify(InstitutionFile)) as Schema

test('every setting of the contract has a control, and only values of several types have that of JSON', () => {
  const others: string[] = []
  const visit = (schema: Schema, path: string): void => {
    const plain = withoutNull(schema)
    const kind = getControl(plain)
    if (kind === 'other') others.push(path)
    if (kind === 'rows') visit(plain.items ?? {}, path)
    if (kind === 'members' && !path.endsWith('visibleWhen')) {
      for (const [name, member] of Object.entries(plain.properties ?? {})) visit(member, `${path}.${name}`)
    }
  }
  visit(file, '')
  assert.deepEqual(others, [])
})

test('only what changed of a draft is sent: entries by their keys, single settings as a whole', () => {
  const before = {
    pipelineStatuses: [
      { key: 'new', label: 'New', position: 1 },
      { key: 'lost', label: 'Lost', position: 2 },
    ],
    sessions: { idleMinutes: 60 },
    roles: [],
  }
  const draft = {
    ...before,
    pipelineStatuses: [
      { position: 1, label: 'New', key: 'new' },
      { key: 'lost', label: 'Gone', position: 2 },
      { key: 'waiting', label: 'Waiting' },
    ],
  }
  assert.deepEqual(changedSettings(before, before), {})
  assert.deepEqual(changedSettings(before, draft), {
    pipelineStatuses: [
      { key: 'lost', label: 'Gone', position: 2 },
      { key: 'waiting', label: 'Waiting' },
    ],
  })
  assert.deepEqual(changedSettings(before, { ...before, sessions: { idleMinutes: 30 } }), {
    sessions: { idleMinutes: 30 },
  })
})

test('what changed is laid over what somebody else stored meanwhile, which stays elsewhere', () => {
  const fresh = { roles: [{ role: 'A', takenScopes: [] }], sessions: { idleMinutes: 45 } }
  const changed = {
    roles: [
      { role: 'B', takenScopes: ['x'] },
      { role: 'A', takenScopes: ['y'] },
    ],
  }
  assert.deepEqual(laidOver(fresh, changed), {
    roles: [
      { role: 'A', takenScopes: ['y'] },
      { role: 'B', takenScopes: ['x'] },
    ],
    sessions: { idleMinutes: 45 },
  })
})

test('pairs are written as lines and read again', () => {
  const rights = { Fees: ['delete', 'cancel'], Student: ['write'] }
  assert.equal(toLines(rights), 'Fees: delete, cancel\nStudent: write')
  assert.deepEqual(fromLines(toLines(rights), true), rights)
  assert.deepEqual(fromLines('a: fullName\n\nno pair', false), { a: 'fullName' })
})

test('a member is put in place, or taken out', () => {
  assert.deepEqual(withMember({ a: 1 }, 'b', 2), { a: 1, b: 2 })
  assert.deepEqual(withMember({ a: 1, b: 2 }, 'b', undefined), { a: 1 })
  assert.equal(isSame({ a: 1, b: [2] }, { b: [2], a: 1 }), true)
})
