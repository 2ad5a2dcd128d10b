import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTypes as declared, student as declaredStudent } from '@matricula/contract/record-types'
import { recordViews } from '@matricula/contract/record-views'
import {
  blankRecord,
  countedFields,
  findField,
  getChanges,
  getForm,
  getNewRecord,
  getView,
  isListed,
  listedFields,
  missingIn,
  type ShownType,
  searchedFields,
  typeSeenBy,
  withCustomFields,
} from './field-model.ts'

const recordTypes = declared.map((type): ShownType => {
  const view = recordViews.find((each) => each.type === type.name)
  return { ...type, ...(view !== undefined && { view }) }
})
const student = recordTypes.find(({ name }) => name === declaredStudent.name) as ShownType
const all = () => true
const [day, time] = ['2026-11-22', '10:30:00']

test('the form of each type has every field that is not hidden once, whether the type has a view or not', () => {
  for (const type of recordTypes) {
    const placed = getForm(type).flatMap(({ fields }) => fields)
    assert.equal(new Set(placed).size, placed.length, type.name)
    for (const name of placed) assert.ok(Object.hasOwn(type.fields, name), `${type.name}.${name}`)
    const required = Object.entries(type.fields).filter(([, field]) => field.required && !field.hidden)
    for (const [name] of required) assert.ok(placed.includes(name), `${type.name}.${name}`)
  }
})

test('each type has columns that a list can show, and is searched by its name and by texts', () => {
  for (const type of recordTypes) {
    for (const column of getView(type).columns) {
      const field = findField(type, column)
      assert.ok(field !== undefined && isListed(field), `${type.name}.${column}`)
    }
    assert.equal(searchedFields(type)[0], 'name')
  }
})

test('a blank form is nothing that was changed, and lacks exactly what is required and has no value', () => {
  for (const type of recordTypes) {
    const blank = blankRecord(type, day, time)
    assert.deepEqual(getChanges(type, blank, blank), {}, type.name)
    for (const { field } of missingIn(type, blank)) assert.ok(type.fields[field]?.required, `${type.name}.${field}`)
  }
  assert.deepEqual(missingIn(student, blankRecord(student, day, time)), [{ field: 'first_name' }])
})

test('only what differs is sent: nothing, an empty text and null are the same, numbers are as their texts', () => {
  const stored = { first_name: 'Ada', enabled: 1, guardians: [{ name: 'row', guardian: 'G', idx: 1 }] }
  const typed = {
    first_name: 'Ada',
    middle_name: '',
    last_name: null,
    enabled: '1',
    guardians: [{ name: 'row', guardian: 'G' }],
  }
  assert.deepEqual(getChanges(student, stored, typed), {})
  assert.deepEqual(getChanges(student, stored, { ...typed, first_name: '', enabled: 0 }), {
    first_name: null,
    enabled: 0,
  })
  const { guardians } = getChanges(student, stored, { ...typed, guardians: [{ guardian: 'H' }] })
  assert.deepEqual(guardians, [{ guardian: 'H', guardian_name: null, relation: null }])
})

test('a new record has what was typed and a zero that stands against a default, and nothing that is empty', () => {
  const values = { ...blankRecord(student, day, time), first_name: 'Ada', enabled: 0 }
  const { first_name, enabled, joining_date, ...more } = getNewRecord(student, values)
  assert.deepEqual([first_name, enabled, joining_date], ['Ada', 0, day])
  assert.ok(Object.values(more).every((value) => value !== '' && value !== null))
})

test('a row lacks what its type requires, but for what is fetched over its links', () => {
  const values = { ...blankRecord(student, day, time), first_name: 'Ada', guardians: [{ relation: 'Mother' }] }
  assert.deepEqual(missingIn(student, values), [{ field: 'guardians', row: 0, rowField: 'guardian' }])
})

test('what is hidden from somebody’s roles is in no list, form or search, and what another role lets them read is', () => {
  const hidden = Object.entries(student.fields).filter(([, field]) => 'hiddenFrom' in field)
  assert.ok(hidden.length > 0)
  const seen = typeSeenBy(student, ['Instructor'], all)
  for (const [name] of hidden) {
    assert.ok(!getView(seen).columns.includes(name) && !getForm(seen).some(({ fields }) => fields.includes(name)), name)
    assert.ok(!searchedFields(seen).includes(name), name)
  }
  assert.deepEqual(typeSeenBy(student, ['Instructor', 'Academics User'], all), student)
  assert.deepEqual(typeSeenBy(student, ['System Manager'], all), student)
})

test('what other records say of one is listed, filtered and counted by whoever may read these, and by nobody else', () => {
  const seen = typeSeenBy(student, ['Instructor'], (type) => type === 'Student Group')
  assert.deepEqual(Object.keys(seen.listedBy ?? {}), ['_student_group'])
  assert.ok(getView(seen).columns.includes('_student_group') && !getView(seen).columns.includes('_program'))
  assert.deepEqual(
    countedFields(seen).map(([name]) => name),
    ['_student_group', 'enabled'],
  )
  assert.equal(listedFields(seen)[0]?.[0], '_student_group')
  assert.ok(!getForm(seen).some(({ fields }) => fields.includes('_student_group')))
})

test('the fields that an institution added stand where it put them, in the form and, where it says so, in lists', () => {
  const described = [
    ...Object.keys(declaredStudent.fields).map((fieldname) => ({ fieldname, is_custom_field: 0 })),
    { fieldname: 'bus_line', fieldtype: 'Select', label: 'Bus', options: 'A\nB', in_list_view: 1, is_custom_field: 1 },
    { fieldname: 'locker', fieldtype: 'Int', label: 'Locker', is_custom_field: 1 },
  ]
  const seen = withCustomFields(student, described)
  assert.deepEqual(seen.fields.bus_line?.type === 'Select' && seen.fields.bus_line.options, ['A', 'B'])
  assert.equal(seen.fields.locker?.label, 'Locker')
  assert.ok(getView(seen).columns.includes('bus_line') && !getView(seen).columns.includes('locker'))
  const placed = getForm(seen).flatMap(({ fields }) => fields)
  for (const name of ['bus_line', 'locker', 'first_name'])
    assert.equal(placed.filter((each) => each === name).length, 1)
  assert.equal(seen.fields.first_name, student.fields.first_name)
})
