import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minWork } from '../../../testing/fixtures/min-work.ts'
import { parseFieldExpression, parseFieldReference } from './field-reference.ts'

const reference = (text: string) => {
  const parsed = parseFieldReference(text)
  return parsed && [parsed.qualifier?.by ?? null, parsed.qualifier?.name ?? null, parsed.field]
}

test('a field may stand alone, behind a link, or behind a type, with and without backticks', () => {
  assert.deepEqual(reference('name'), [null, null, 'name'])
  assert.deepEqual(reference(' `name` '), [null, null, 'name'])
  assert.deepEqual(reference('*'), [null, null, '*'])
  assert.deepEqual(reference('student.student_name'), ['field', 'student', 'student_name'])
  assert.deepEqual(reference('`tabFee Component`.`amount`'), ['type', 'Fee Component', 'amount'])
  assert.deepEqual(reference('`tabFees`.amount'), ['type', 'Fees', 'amount'])
  assert.deepEqual(reference('tabFee Component.amount'), ['type', 'Fee Component', 'amount'])
  assert.deepEqual(reference('table_field.amount'), ['field', 'table_field', 'amount'])
})

test('what is no name of a field is none', () => {
  const wrong = [
    '',
    ' ',
    'a b',
    'a.b.c',
    'a;b',
    "a'",
    'a--',
    '`a',
    'name`',
    '`a`b',
    '(select 1)',
    '@@version',
    'a\0',
    'é',
    '"a"',
  ]
  for (const text of [...wrong, 'name,owner', 'x'.repeat(301)]) assert.equal(reference(text), null, text)
})

test('an expression has an aggregate and an alias where they are asked for', () => {
  const parts = (text: string) => {
    const parsed = parseFieldExpression(text)
    return parsed && [parsed.aggregate, parsed.isDistinct, parsed.reference?.field ?? null, parsed.alias, parsed.text]
  }
  assert.deepEqual(parts('name'), [null, false, 'name', null, 'name'])
  assert.deepEqual(parts('name as id'), [null, false, 'name', 'id', 'name'])
  assert.deepEqual(parts('name AS `the id`'), [null, false, 'name', 'the id', 'name'])
  assert.deepEqual(parts("sum(grand_total) as 'total'"), ['sum', false, 'grand_total', 'total', 'sum(grand_total)'])
  assert.deepEqual(parts('COUNT( * )'), ['count', false, null, null, 'COUNT( * )'])
  assert.deepEqual(parts('count(distinct `tabFees`.`student`)'), [
    ...['count', true, 'student', null],
    'count(distinct `tabFees`.`student`)',
  ])
  const wrong = [
    'sum(*)',
    'count(distinct *)',
    'upper(name)',
    'count(name',
    'name as',
    'name as a"b',
    'name as __proto__',
  ]
  for (const text of [...wrong, 'name as a; drop', 'sum(sum(a))', 'count(name) count(name)', 'count()', 'name as 1']) {
    assert.equal(parts(text), null, text)
  }
})

test('no text keeps the reading of a field busy', async () => {
  const spaces = fc.array(fc.constantFrom(' ', 'as', 'count(', ')', '`', 'tab', 'A', '.', '\t'), { maxLength: 400 })
  const max = 200_000
  await fc.assert(
    fc.asyncProperty(spaces, async (parts) => {
      assert.ok((await minWork(max, () => parseFieldExpression(parts.join('')))) <= max)
    }),
  )
})
