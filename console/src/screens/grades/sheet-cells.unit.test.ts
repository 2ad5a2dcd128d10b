import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellText, placeBlock, readBlock, readCell } from './sheet-cells.ts'

const written = { criterion: 'Written', maximum: 60, allowsBonus: false }
const oral = { criterion: 'Oral', maximum: 40, allowsBonus: true }

test('a cell is a score within its bounds, excused, or not assessed', () => {
  const assessed = (score: number) => ({ outcome: 'Assessed', score })
  for (const [typed, criterion, read] of [
    ['54', written, assessed(54)],
    ['54,5', written, assessed(54.5)],
    ['0', written, assessed(0)],
    ['60', written, assessed(60)],
    ['60,5', written, null],
    ['41', oral, assessed(41)],
    ['-1', oral, null],
    ['abc', written, null],
    ['1e1', written, null],
    ['e', written, { outcome: 'Excused', score: null }],
    [' ', written, { outcome: 'Not Assessed', score: null }],
    ['-', written, { outcome: 'Not Assessed', score: null }],
  ] as const) {
    assert.deepEqual(readCell(typed, criterion, 'es'), read, typed)
  }
})

test('a cell shows its score in the format of the person', () => {
  assert.equal(cellText({ criterion: 'Oral', outcome: 'Assessed', score: 7.5, grade: null }, 'es'), '7,5')
  assert.equal(cellText({ criterion: 'Oral', outcome: 'Excused', score: null, grade: null }, 'es'), 'E')
  assert.equal(cellText({ criterion: 'Oral', outcome: 'Not Assessed', score: null, grade: null }, 'es'), '')
})

test('a block from a spreadsheet goes down and to the right, and not beyond the sheet', () => {
  const students = ['a', 'b'].map((student) => ({
    ...{ student, studentName: student, result: null, status: 'open' as const },
    ...{ total: null, maximum: null, grade: null, scores: [] },
  }))
  const block = readBlock('1\t2\r\n3\t4\r\n5\t6\r\n')
  assert.deepEqual(block, [
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
  ])
  assert.deepEqual(
    placeBlock(block, { row: 1, column: 0 }, { students, criteria: [written, oral] }).map(
      ({ student, criterion, text }) => [student.student, criterion.criterion, text],
    ),
    [
      ['b', 'Written', '1'],
      ['b', 'Oral', '2'],
    ],
  )
})
