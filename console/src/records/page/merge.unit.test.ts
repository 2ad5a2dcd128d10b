import assert from 'node:assert/strict'
import { test } from 'node:test'
import { student } from '@matricula/contract/record-types'
import fc from 'fast-check'
import { getChanges } from '../form/field-model.ts'
import { merge } from './merge.ts'

const fields = ['first_name', 'city', 'nationality', 'pincode'] as const
const values = fc.record(Object.fromEntries(fields.map((name) => [name, fc.constantFrom('', 'a', 'b', 'c')])))

test('a field that one of two people left alone takes the other’s value, and only what both changed is asked about', () => {
  fc.assert(
    fc.property(values, values, values, (base, mine, theirs) => {
      const merged = merge(student, base, mine, theirs)
      for (const name of fields) {
        const [changedMine, changedTheirs] = [mine[name] !== base[name], theirs[name] !== base[name]]
        const isConflict = changedMine && changedTheirs && mine[name] !== theirs[name]
        assert.equal(merged.conflicts.includes(name), isConflict, name)
        assert.equal(merged.values[name], changedMine ? mine[name] : theirs[name], name)
      }
    }),
  )
})

test('what is sent after a merge is what was typed and nothing of what somebody else stored', () => {
  const base = { first_name: 'Ada', city: 'London' }
  const theirs = { ...base, nationality: 'British' }
  const { values: merged, conflicts } = merge(student, base, { ...base, city: 'Ockham' }, theirs)
  assert.deepEqual(conflicts, [])
  assert.deepEqual(getChanges(student, theirs, merged), { city: 'Ockham' })
})
