import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { aLesson, type SeededTenant, seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

const day = '2026-09-01'

/** The marks of the campus as `student status minutes excused`, in the order of their students. */
async function marks({ resourceClient }: SeededTenant): Promise<string[]> {
  const { data } = await resourceClient.list('Student Attendance', {
    fields: '["student","status","minutes_late","excused","docstatus"]',
    order_by: 'student asc',
    limit_page_length: '0',
  })
  return data.map(
    ({ student, status, minutes_late, excused, docstatus }: Record<string, unknown>) =>
      `${student} ${status} ${minutes_late} ${excused} ${docstatus}`,
  )
}

/** Fills the campus's group to 30 students. */
async function aFullGroup({ resourceClient, tenant, group, students }: SeededTenant): Promise<string[]> {
  const all: string[] = [...students]
  while (all.length < 30) {
    const fullName = `Pupil ${String(all.length + 1).padStart(2, '0')}`
    all.push((await aStudent(tenant.api, { fullName })).studentCode)
  }
  const grown = await resourceClient.update('Student Group', group, {
    students: all.map((student, index) => ({ student, group_roll_number: index + 1 })),
  })
  assert.equal(grown.error, null, grown.told)
  return all
}

test(
  'a teacher on a phone calls the roll of 30 in six taps while the network is gone for 30 seconds, and each is marked once',
  inBrowser,
  async () => {
    const seeded = await seedTenant(service)
    const students = await aFullGroup(seeded)
    const teacher = await aStaffMember(service, seeded.tenant, { roles: ['Instructor'], screen: 'phone' })
    const employee = await seeded.resourceClient.make('Employee', {
      ...{ first_name: 'Grace', gender: 'Female', user_id: teacher.email },
    })
    await seeded.resourceClient.update('Instructor', seeded.instructor, { employee: employee.name })
    const { name: lesson } = (await aLesson(seeded)).data
    const { page } = teacher
    await teacher.open(`/attendance/day?date=${day}`)
    await teacher.assertAccessible('rolls of the day')
    await teacher.picture('console-attendance-day-phone')
    await page.getByRole('link', { name: /Anatomy/ }).click()
    await page.getByText('Everyone starts as present. Tap the students who are not.').waitFor()
    await teacher.assertAccessible('a roll that is not called')
    await page.clock.install()
    await page.context().setOffline(true)
    let taps = 0
    const tap = async (name: string | RegExp) => {
      taps += 1
      await page.getByRole('button', { name, exact: true }).tap()
    }
    await tap(/^Ada Byron/)
    await tap(/^Pupil 17/)
    await tap('Late, Pupil 30')
    await teacher.assertAccessible('somebody is late')
    await tap(/^Save: 28 present, 2 absent/)
    assert.ok(taps <= 6)
    await page.getByText('No connection.').waitFor()
    await teacher.assertAccessible('waiting for a connection')
    await teacher.picture('console-attendance-waiting-phone')
    await page.clock.runFor(30_000)
    assert.deepEqual(await marks(seeded), [])
    await page.context().setOffline(false)
    await page.clock.runFor(3_000)
    await page.getByText('Attendance saved.').waitFor()
    const states = await marks(seeded)
    assert.equal(states.length, 30)
    const wanted = students.map((student, index) => {
      const isAbsent = index === 0 || index === 16
      return `${student} ${isAbsent ? 'Absent 0 0' : `Present ${index === 29 ? 5 : 0} 0`} 1`
    })
    assert.deepEqual(states, [...wanted].sort())
    // A correction goes the same way.
    await page.getByRole('button', { name: 'More, Ada Byron' }).tap()
    await page.getByLabel('Code').first().selectOption('S')
    await teacher.assertAccessible('a correction')
    await tap('Save 1 change')
    await page.getByText('Attendance saved.').waitFor()
    await until(async () => (await marks(seeded)).includes(`${students[0]} Absent 0 1 1`), 'the correction')
    assert.equal((await marks(seeded)).length, 30)
    const { data } = await seeded.resourceClient.list('Student Attendance', { fields: '["course_schedule"]' })
    assert.equal(data[0].course_schedule, lesson)
    await page.getByRole('link', { name: 'All rolls of the day' }).tap()
    await page.getByText('30 of 30 marked').waitFor()
    // What the network lost was refused by nobody.
    teacher.refusedCalls()
    await teacher.leave()
  },
)

test(
  'the office finds what is not marked yet, and marks it; whoever marked the same meanwhile decides',
  inBrowser,
  async () => {
    const seeded = await seedTenant(service)
    const [ada, alan] = seeded.students
    const office = await aStaffMember(service, seeded.tenant, { roles: ['Academics User'] })
    const other = await aStaffMember(service, seeded.tenant, { roles: ['Academics User'] })
    await office.open(`/attendance/day?date=${day}`)
    await office.page.getByRole('heading', { name: /^Not marked yet/ }).waitFor()
    await office.assertAccessible('not marked yet')
    await other.open(`/attendance/rolls/${day}/${encodeURIComponent(seeded.group)}`)
    await other.page.getByRole('button', { name: /^Ada Byron/ }).click()
    await office.page.getByRole('link', { name: /Nursing A/ }).click()
    await office.page.getByRole('button', { name: 'Save: 2 present, 0 absent' }).click()
    await office.page.getByText('Attendance saved.').waitFor()
    await other.page.getByRole('button', { name: 'Save: 1 present, 1 absent' }).click()
    await other.page.getByText('Ada Byron: someone else marked Present in the meantime.').waitFor()
    await other.assertAccessible('somebody else was there')
    await other.picture('console-attendance-conflict-desktop')
    assert.deepEqual(await marks(seeded), [`${ada} Present 0 0 1`, `${alan} Present 0 0 1`])
    await other.page.getByRole('button', { name: /^Keep mine/ }).click()
    await until(async () => (await marks(seeded))[0] === `${ada} Absent 0 0 1`, 'the decision')
    await office.open(`/attendance/day?date=${day}`)
    await office.page.getByRole('heading', { name: /^Marked/ }).waitFor()
    assert.equal(await office.page.getByRole('heading', { name: /^Not marked yet/ }).count(), 0)
    await office.leave()
    await other.leave()
  },
)

test('a teacher on a phone reads the own week with times, and goes from a lesson to its roll', inBrowser, async () => {
  const seeded = await seedTenant(service)
  const teacher = await aStaffMember(service, seeded.tenant, { roles: ['Instructor'], screen: 'phone' })
  const employee = await seeded.resourceClient.make('Employee', {
    ...{ first_name: 'Grace', gender: 'Female', user_id: teacher.email },
  })
  await seeded.resourceClient.update('Instructor', seeded.instructor, { employee: employee.name })
  await aLesson(seeded, { from_time: '8:00:00', to_time: '8:45:00' })
  const { page } = teacher
  await teacher.open(`/timetable/mine?day=${day}`)
  await page.getByText('08:00–08:45').waitFor()
  await teacher.assertAccessible('own week')
  await teacher.picture('console-own-timetable-phone')
  await page.getByRole('button', { name: 'Next week' }).tap()
  await page.getByText('No lessons').first().waitFor()
  await page.getByRole('button', { name: 'Previous week' }).tap()
  await page.getByRole('link', { name: /08:00–08:45/ }).tap()
  await page.getByText('Everyone starts as present. Tap the students who are not.').waitFor()
  await teacher.leave()
})
