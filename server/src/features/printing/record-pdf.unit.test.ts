import assert from 'node:assert/strict'
import { test } from 'node:test'
import { studentGroup } from '@matricula/contract/record-types'
import { emptyDocument } from '../../record-engine/index.ts'
import { printedText } from '../../testing/fixtures/files/printed-text.ts'
import { recordPdf } from './record-pdf.ts'

test('of a record with thousands of rows the first are printed, and how many there are beside', async () => {
  const row = emptyDocument(studentGroup.fields.students.rows)
  const students = Array.from({ length: 10_000 }, (_, index) => ({ ...row, student: `S-${index}` }))
  const document = { ...emptyDocument(studentGroup), name: 'Everybody', students }
  const made = { institution: 'School', madeOn: '2026-01-01', currency: 'USD' }
  const printed = printedText(await recordPdf(studentGroup, document, made))
  const has = (word: string) => printed.includes(word)
  assert.deepEqual([has('S-299'), has('S-300'), has('and 9700 more rows')], [true, false, true])
})
