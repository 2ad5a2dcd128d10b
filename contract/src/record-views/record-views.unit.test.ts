import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTypes } from '../record-types/index.ts'
import { navigation, recordViews } from './index.ts'

const types = new Map(recordTypes.map((type) => [type.name, type]))

test('a type has one view at most, and no view or section names a field twice', () => {
  assert.equal(new Set(recordViews.map(({ type }) => type)).size, recordViews.length)
  for (const { type, sections, columns } of recordViews) {
    const named = sections.flatMap(({ fields }) => fields)
    assert.equal(new Set(named).size, named.length, type)
    assert.equal(new Set(columns).size, columns.length, type)
  }
})

test('what is related to a record links to its type by the field that is named', () => {
  for (const view of recordViews) {
    for (const { type, field } of view.related) {
      const declared = types.get(type)?.fields[field]
      assert.ok(declared?.type === 'Link' && declared.target === view.type, `${view.type}: ${type}.${field}`)
    }
  }
})

test('no table, secret or hidden field is a column of a list', () => {
  for (const { type, columns } of recordViews) {
    for (const column of columns) {
      const field = types.get(type)?.fields[column] ?? types.get(type)?.listedBy?.[column]
      assert.ok(
        field !== undefined && !['Table', 'Password'].includes(field.type) && !field.hidden,
        `${type}.${column}`,
      )
    }
  }
})

test('the navigation names record types, each once', () => {
  const named = navigation.flatMap((group) => group.types)
  assert.equal(new Set(named).size, named.length)
  for (const name of named) assert.ok(types.has(name), name)
})
