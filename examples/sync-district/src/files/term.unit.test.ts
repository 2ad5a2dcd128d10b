import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueDates, UnknownTermError } from './term.ts'

const fall = (school_id: string, begin_date: string) => ({ session_name: 'Fall', school_id, begin_date })
const event = (student_id: string, school_id: string, session_name = 'Fall') => ({
  student_id,
  school_id,
  session_name,
})

test('where every school begins on the same day, that day is everybody’s', () => {
  const dueDateOf = dueDates([fall('1', '2021-08-23'), fall('2', '2021-08-23')], [], 'Fall')
  assert.equal(dueDateOf('604821'), '2021-08-23')
})

test('where the schools differ, the school of the student’s attendance in the term decides, if it is one', () => {
  const sessions = [fall('1', '2021-08-23'), fall('2', '2021-08-30')]
  const attendance = [event('a', '2'), event('a', '2'), event('b', '1'), event('b', '2'), event('c', '1', 'Spring')]
  const dueDateOf = dueDates(sessions, attendance, 'Fall')
  assert.deepEqual(['a', 'b', 'c', 'd'].map(dueDateOf), ['2021-08-30', null, null, null])
})

test('a term that the files do not have is refused, naming those that they have', () => {
  assert.throws(() => dueDates([fall('1', '2021-08-23')], [], 'Winter'), UnknownTermError)
})
