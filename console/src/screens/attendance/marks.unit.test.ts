import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttendanceCode, RollStudent } from '../../calls/academics/roll-call-api.ts'
import { firstMinutes, isOpen, knownMark, openStudents, presentMark, toggled, withCode, withMinutes } from './marks.ts'

const student = (more: Partial<RollStudent> = {}): RollStudent => ({
  ...{ student: 'a', studentName: 'Ada', version: null, status: null, code: null, minutesLate: 0 },
  ...{ excused: false, halfDay: false, leave: null },
  ...more,
})

const code = (name: string, countsAs: AttendanceCode['countsAs'], minutes = 0): AttendanceCode => ({
  ...{ code: name, label: name, labels: {}, countsAs, minutes },
})
const [late, excused, here, away] = [
  code('L', 'Late', 10),
  code('E', 'Excused'),
  code('P', 'Present'),
  code('A', 'Absent'),
]

test('everybody is present until tapped, but for who is away with a leave', () => {
  assert.deepEqual(knownMark(student()), presentMark)
  assert.equal(knownMark(student({ leave: { name: 'x', halfDay: false } })), null)
  assert.deepEqual(knownMark(student({ leave: { name: 'x', halfDay: true } })), presentMark)
  assert.equal(knownMark(student({ status: 'Leave' })), null)
})

test('whoever is not marked is sent, and of those who are whoever was tapped to something else', () => {
  const marked = student({ student: 'b', status: 'Present', version: 'b.1' })
  const absent = toggled(presentMark)
  assert.equal(isOpen(student(), undefined), true)
  assert.equal(isOpen(marked, undefined), false)
  assert.equal(isOpen(marked, presentMark), false)
  assert.equal(isOpen(marked, absent), true)
  assert.equal(isOpen(student({ status: 'Leave' }), absent), false)
  assert.deepEqual(openStudents([student(), marked], new Map([['b', absent]])), [
    { student: 'a', ...presentMark, version: null },
    { student: 'b', ...absent, version: 'b.1' },
  ])
})

test('late takes the code for it, and on time takes it away', () => {
  const codes = [here, late]
  assert.deepEqual(withMinutes(presentMark, 7, codes), { ...presentMark, code: 'L', minutesLate: 7 })
  assert.deepEqual(withMinutes({ ...presentMark, code: 'L', minutesLate: 7 }, 0, codes), presentMark)
  assert.deepEqual(withMinutes(presentMark, 7, []), { ...presentMark, minutesLate: 7 })
  assert.deepEqual([firstMinutes(codes), firstMinutes([]), firstMinutes([code('L', 'Late')])], [10, 5, 5])
})

test('a code decides status, excuse and minutes, and none leaves the status alone', () => {
  const absent = { ...toggled(presentMark), halfDay: true }
  assert.deepEqual(withCode(absent, excused), { ...absent, code: 'E', excused: true })
  assert.deepEqual(withCode(absent, away), { ...absent, code: 'A' })
  assert.deepEqual(withCode(absent, late), { ...presentMark, code: 'L', minutesLate: 10 })
  assert.deepEqual(withCode(absent, here), { ...presentMark, code: 'P' })
  assert.deepEqual(withCode({ ...absent, code: 'E', excused: true }, undefined), toggled(presentMark))
})
