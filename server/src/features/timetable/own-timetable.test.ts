import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPerson } from '../../testing/fixtures/factories.ts'
import { aLesson, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

test('a teacher reads the own lessons of a week, Monday to Sunday, with times, and those of nobody else', async () => {
  const seeded = await seedTenant(service)
  const { resourceClient, tenant, students, group } = seeded
  const { caller, email } = await aPerson(service, tenant, ['Instructor'])
  const employee = await resourceClient.make('Employee', { first_name: 'Grace', gender: 'Female', user_id: email })
  await resourceClient.update('Instructor', seeded.instructor, { employee: employee.name })
  const other = await resourceClient.make('Instructor', { instructor_name: 'Alan Kay' })
  const lesson = async (fields: object) => (await aLesson(seeded, fields)).data.name as string
  const monday = await lesson({ schedule_date: '2026-08-31', from_time: '8:00:00', to_time: '8:45:00' })
  const late = await lesson({ schedule_date: '2026-08-31', from_time: '13:00:00', to_time: '14:30:00' })
  const sunday = await lesson({ schedule_date: '2026-09-06' })
  await lesson({ schedule_date: '2026-08-30' })
  await lesson({ schedule_date: '2026-09-07' })
  await lesson({ schedule_date: '2026-09-02', instructor: other.name })
  await resourceClient.make('Student Attendance', { student: students[0], course_schedule: late, docstatus: 1 })
  for (const day of ['2026-08-31', '2026-09-03', '2026-09-06']) {
    const { status, body, text } = await caller.get(`/console/v1/own-timetable?day=${day}`)
    assert.equal(status, 200, text)
    assert.equal(body.data.week, '2026-08-31')
    const shared = { course: 'Anatomy', studentGroup: group, room: 'Lecture Hall' }
    assert.deepEqual(body.data.lessons, [
      { lesson: monday, date: '2026-08-31', from: '08:00', to: '08:45', ...shared, isMarked: false },
      { lesson: late, date: '2026-08-31', from: '13:00', to: '14:30', ...shared, isMarked: true },
      { lesson: sunday, date: '2026-09-06', from: '09:00', to: '10:00', ...shared, isMarked: false },
    ])
  }
  const nobody = await aPerson(service, tenant, ['Academics User'])
  assert.deepEqual((await nobody.caller.get('/console/v1/own-timetable?day=2026-09-01')).body.data.lessons, [])
})

test('the own timetable is for those who read lessons, and of a day that there is', async () => {
  const { tenant } = await seedTenant(service)
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const refused = await bursar.caller.get('/console/v1/own-timetable')
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_role'])
  const teacher = await aPerson(service, tenant, ['Instructor'])
  const wrong = await teacher.caller.get('/console/v1/own-timetable?day=2026-02-30')
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'validation_failed'])
})
