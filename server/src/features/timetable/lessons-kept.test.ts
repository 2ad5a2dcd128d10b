import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../testing/fixtures/resource-client.ts'
import { aLesson, aPlan, aScale, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

function assertRejected({ status, error, told }: Outcome, reason: RegExp): void {
  assert.deepEqual([status, error], [417, 'ValidationError'], told)
  assert.match(told, reason)
}

/** A group of a year that is long past and long to come, so that a day is the one or the other whenever this runs. */
async function inLongYear({ resourceClient, instructor, students }: SeededTenant, name: string, fields: object = {}) {
  const year = 'Long'
  await resourceClient.create('Academic Year', {
    ...{ academic_year_name: year, year_start_date: '2001-01-01', year_end_date: '2099-12-31' },
  })
  const group = await resourceClient.make('Student Group', {
    ...{ student_group_name: name, academic_year: year, group_based_on: 'Activity' },
    students: [{ student: students[0] }],
    instructors: [{ instructor }],
    ...fields,
  })
  return group.name
}

const [past, future] = ['2001-09-04', '2099-09-01']

test('a lesson is on a day', async () => {
  const seeded = await seedTenant(service)
  const { data: lesson } = await aLesson(seeded)
  const undated = await seeded.resourceClient.update('Course Schedule', lesson.name, { schedule_date: null })
  assertRejected(undated, /Choose the Schedule Date/)
})

test('a lesson whose roll was called keeps its day and its group, until that attendance is cancelled', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, students, courses } = seeded
  const { data: lesson } = await aLesson(seeded)
  const roll = { students_present: JSON.stringify([{ student: students[0] }]), students_absent: '[]' }
  await resourceClient.call('api.mark_attendance', { ...roll, course_schedule: lesson.name })
  const { data: marked } = await resourceClient.list('Student Attendance', {})
  const other = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Nursing B', academic_year: seeded.year, group_based_on: 'Activity' },
  })
  const change = (fields: object) => resourceClient.update('Course Schedule', lesson.name, fields)
  for (const fields of [{ schedule_date: '2026-09-02' }, { student_group: other.name }]) {
    assertRejected(
      await change(fields),
      new RegExp(`called on 2026-09-01 in Nursing A, such as ${marked[0].name}. Cancel its attendance first`),
    )
  }
  assert.equal((await change({ course: courses[1], from_time: '11:00:00', to_time: '12:00:00' })).error, null)
  await resourceClient.cancel('Student Attendance', marked[0].name)
  assert.equal((await change({ schedule_date: '2026-09-02' })).error, null)
  assert.deepEqual(await resourceClient.traces('Course Schedule', lesson.name), [
    'course_schedule.created',
    'course_schedule.updated',
    'course_schedule.updated',
  ])
})

test('from today on nothing is planned for an instructor who has left; what was held, and planned before, stays', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, instructor } = seeded
  await aScale(seeded)
  const student_group = await inLongYear(seeded, 'Long A')
  const { data: planned } = await aLesson(seeded, { student_group, schedule_date: future })
  await resourceClient.update('Instructor', instructor, { status: 'Left' })
  const later = { student_group, schedule_date: '2099-09-02' }
  assertRejected(await aLesson(seeded, later), /instructor \S+.* has left\. Choose another for 2099-09-02/)
  const substitute = await resourceClient.make('Instructor', { instructor_name: 'Mary' })
  const { data: taught } = await aLesson(seeded, { ...later, instructor: substitute.name })
  assertRejected(await resourceClient.update('Course Schedule', taught.name, { instructor }), /has left/)
  assert.equal((await aLesson(seeded, { student_group, schedule_date: past })).error, null)
  const moved = await resourceClient.update('Course Schedule', planned.name, { to_time: '09:30:00' })
  assert.equal(moved.error, null, moved.told)
  const afterwards = { from_time: '11:00:00', to_time: '12:00:00' }
  await aPlan(seeded, { student_group, schedule_date: past, supervisor: instructor, ...afterwards })
  for (const field of ['supervisor', 'examiner']) {
    const plan = await resourceClient.create('Assessment Plan', {
      ...{
        student_group,
        course: seeded.courses[1],
        assessment_group: 'All Assessment Groups',
        grading_scale: 'Letters',
      },
      ...{ schedule_date: future, from_time: '14:00:00', to_time: '15:00:00', maximum_assessment_score: 10 },
      assessment_criteria: [{ assessment_criteria: 'Oral', maximum_score: 10 }],
      [field]: instructor,
    })
    assertRejected(plan, /has left/)
  }
})

test('from today on nothing is planned for a disabled group, and what was held there is entered still', async () => {
  const seeded = await seedTenant(service)
  const student_group = await inLongYear(seeded, 'Long B', { disabled: 1 })
  assertRejected(await aLesson(seeded, { student_group, schedule_date: future }), /Long B is disabled\. Enable it/)
  assert.equal((await aLesson(seeded, { student_group, schedule_date: past })).error, null)
})

test('the examination of a group that is based on a course is of that course', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, year, courses } = seeded
  await aScale(seeded)
  const group = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Ethics A', academic_year: year, group_based_on: 'Course', course: courses[1] },
  })
  for (const assessment_criteria of ['Written', 'Oral']) {
    await resourceClient.create('Assessment Criteria', { assessment_criteria })
  }
  const plan = {
    ...{ student_group: group.name, assessment_group: 'All Assessment Groups', grading_scale: 'Letters' },
    ...{ schedule_date: '2026-10-01', from_time: '09:00:00', to_time: '10:00:00', maximum_assessment_score: 10 },
    assessment_criteria: [{ assessment_criteria: 'Oral', maximum_score: 10 }],
  }
  const wrong = await resourceClient.create('Assessment Plan', { ...plan, course: courses[0] })
  assertRejected(wrong, /Ethics A is based on the course Ethics, not on Anatomy/)
  const right = await resourceClient.create('Assessment Plan', plan)
  assert.deepEqual([right.error, right.data.course], [null, courses[1]])
  const empty = await resourceClient.create('Assessment Plan', {
    ...{ ...plan, from_time: '11:00:00', to_time: '12:00:00', assessment_criteria: [] },
  })
  assertRejected(empty, /Assessment Criteria/)
})

test('the scheduling tool says why it made no lesson on a day, and refuses times that are out of order', async () => {
  const { resourceClient, group, instructor, room, courses, program, year } = await seedTenant(service)
  const tool = 'Course Scheduling Tool'
  const schedule = async (fields: object) => {
    const filled = await resourceClient.update(tool, tool, {
      ...{ student_group: group, course: courses[0], program, academic_year: year, instructor, room },
      ...{ from_time: '08:00:00', to_time: '08:30:00' },
      ...{ course_start_date: '2027-06-28', course_end_date: '2027-07-05' },
      ...fields,
    })
    assert.equal(filled.error, null, filled.told)
    return resourceClient.run(tool, tool, 'schedule_course', { days: ['Monday'] })
  }
  const made = await schedule({})
  assert.deepEqual([made.data.course_schedules.length, made.data.course_schedules_errors], [1, ['2027-07-05']])
  assert.match(made.told, /2027-07-05: Schedule date 2027-07-05 does not lie within the Academic Year 2026-27/)
  assertRejected(await schedule({ to_time: '08:00:00' }), /To Time \(08:00:00\) must be after From Time \(08:00:00\)/)
})
