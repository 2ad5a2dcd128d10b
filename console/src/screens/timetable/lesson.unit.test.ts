import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, clashesOf, type Lesson, mondayOf, moved, toFields, toLesson, toMinutes, toTime } from './lesson.ts'

const lesson: Lesson = {
  name: 'A',
  course: 'Anatomy',
  group: 'Nursing A',
  instructor: 'I-1',
  teacher: 'Grace Hopper',
  room: 'Hall',
  roomName: 'Hall',
  day: '2026-09-01',
  from: 540,
  to: 600,
  color: 'blue',
  modified: 'x',
}

test('times are read in each form that the service has, and written in one', () => {
  assert.deepEqual([toMinutes('8:05:00'), toMinutes('18:30:00')], [485, 1110])
  assert.deepEqual([toTime(485), toTime(0)], ['08:05', '00:00'])
})

test('a record is read as a lesson, and a lesson is written as the fields of its record', () => {
  const read = toLesson({
    ...{ name: 'A', course: 'Anatomy', student_group: 'Nursing A', instructor: 'I-1', instructor_name: 'Grace Hopper' },
    ...{ room: 'Hall', schedule_date: '2026-09-01', from_time: '9:00:00', to_time: '10:00:00', modified: 'x' },
  } as unknown as Parameters<typeof toLesson>[0])
  assert.deepEqual(read, lesson)
  const { from_time, to_time, schedule_date } = toFields(read)
  assert.deepEqual([from_time, to_time, schedule_date], ['09:00:00', '10:00:00', '2026-09-01'])
})

test('a lesson clashes where its group, teacher or room is taken, and not where one ends as the other begins', () => {
  const other = {
    ...lesson,
    name: 'B',
    group: 'Nursing B',
    instructor: 'I-2',
    teacher: 'Ada',
    room: 'Lab',
    roomName: 'Lab',
  }
  const whats = (fields: Partial<Lesson>) => clashesOf(lesson, [{ ...other, ...fields }]).map(({ what }) => what)
  assert.deepEqual(whats({}), [])
  assert.deepEqual(whats({ room: 'Hall', roomName: 'Hall' }), ['Hall'])
  assert.deepEqual(whats({ instructor: 'I-1', teacher: 'Grace Hopper', group: 'Nursing A' }), [
    'Nursing A',
    'Grace Hopper',
  ])
  assert.deepEqual(whats({ room: 'Hall', roomName: 'Hall', from: 600, to: 660 }), [])
  assert.deepEqual(whats({ room: 'Hall', roomName: 'Hall', from: 599, to: 660 }), ['Hall'])
  assert.deepEqual(whats({ room: 'Hall', roomName: 'Hall', day: '2026-09-02' }), [])
  assert.deepEqual(clashesOf(lesson, [lesson]), [])
})

test('weeks begin on Monday, across months and years', () => {
  assert.equal(mondayOf('2026-09-01'), '2026-08-31')
  assert.equal(mondayOf('2026-08-31'), '2026-08-31')
  assert.equal(mondayOf('2027-01-03'), '2026-12-28')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
})

test('a lesson that is moved keeps its length and stays within the day', () => {
  assert.deepEqual(
    [moved(lesson, 1, 15).day, moved(lesson, 1, 15).from, moved(lesson, 1, 15).to],
    ['2026-09-02', 555, 615],
  )
  assert.deepEqual([moved(lesson, 0, -600).from, moved(lesson, 0, 2000).to], [0, 1439])
})
