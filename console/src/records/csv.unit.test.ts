import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('a table is written as CSV that spreadsheets read, and no text of it as a formula', () => {
  assert.equal(
    csvOf([
      ['Name', 'Total'],
      ['Dyer, "Tyrone"', 1250.5],
      ['=1+1', -3],
      ['Núñez\nAna', 0],
    ]),
    '\uFEFFName,Total\r\n"Dyer, ""Tyrone""",1250.5\r\n\'=1+1,-3\r\n"Núñez\nAna",0\r\n',
  )
})
