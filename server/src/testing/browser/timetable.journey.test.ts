import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { aLesson, seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

/** A group with a lesson of its teacher on Tuesday at nine, and another teacher who is taken then. */
async function aTimetable() {
  const seeded = await seedTenant(service)
  const { resourceClient, courses, year, program, room } = seeded
  assert.equal((await aLesson(seeded)).status, 200)
  const other = await resourceClient.make('Instructor', { instructor_name: 'Ada Lovelace' })
  const lab = await resourceClient.make('Room', { room_name: 'Lab' })
  const group = await resourceClient.make('Student Group', {
    student_group_name: 'Nursing B',
    academic_year: year,
    group_based_on: 'Activity',
    program,
  })
  const made = await resourceClient.create('Course Schedule', {
    student_group: group.name,
    instructor: other.name,
    room: lab.name,
    course: courses[1],
    schedule_date: '2026-09-02',
    from_time: '09:00:00',
    to_time: '10:00:00',
  })
  assert.equal(made.status, 200)
  const lessons = async () =>
    (
      await resourceClient.list('Course Schedule', {
        fields: '["student_group","schedule_date","from_time","instructor","room"]',
        order_by: 'creation asc',
      })
    ).data.map(({ schedule_date, from_time, instructor }: Record<string, string>) => [
      schedule_date,
      from_time?.padStart(8, '0'),
      instructor,
    ])
  return { ...seeded, lessons, other: other.name as string, room }
}

test(
  'a registrar moves a lesson by key and by pointer, is told of a clash before saving, and undoes, desktop',
  inBrowser,
  async () => {
    const { tenant, group, instructor, other, lessons } = await aTimetable()
    const staff = await aStaffMember(service, tenant, {
      roles: ['Education Manager', 'Academics User'],
      screen: 'desktop',
    })
    const { page } = staff
    await staff.open('/teaching/timetable?day=2026-09-01')
    await page.getByText('Choose a group, a teacher or a room').waitFor()
    await staff.assertAccessible('nothing chosen')
    await page.getByRole('combobox', { name: 'Group' }).fill('nursing a')
    await page.getByRole('option', { name: new RegExp(group) }).click()
    const lesson = page.getByRole('button', { name: /^Anatomy/ })
    await lesson.waitFor()
    await staff.assertAccessible('a week')
    await staff.picture('console-timetable-desktop')
    await lesson.focus()
    await page.keyboard.press(' ')
    await page.getByText('Anatomy lifted.').waitFor()
    await page.keyboard.press('ArrowRight')
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
    await page.getByText('Wednesday, Sep 2, 10:00 to 11:00').waitFor()
    await page.keyboard.press(' ')
    await page.getByText('Moved to Wednesday, September 2, 10:00').waitFor()
    assert.deepEqual((await lessons())[0], ['2026-09-02', '10:00:00', instructor])
    await page.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await lessons())[0]?.[0] === '2026-09-01', 'the move that was undone')

    // By pointer, two days on.
    const friday = page.getByRole('region', { name: /^Friday/ })
    await lesson.dragTo(friday.locator('.lessons'), { targetPosition: { x: 40, y: 20 } })
    await page.getByText(/^Moved to Friday, September 4/).waitFor()
    assert.equal((await lessons())[0]?.[0], '2026-09-04')

    // The teacher of the other group is taken on Wednesday at nine.
    await lesson.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.locator('#lesson-day').fill('2026-09-02')
    await dialog.locator('#lesson-from').fill('09:30')
    await dialog.locator('#lesson-to').fill('10:30')
    await dialog.getByLabel('Teacher').fill('lovelace')
    await dialog.getByRole('option', { name: new RegExp(other) }).click()
    await dialog.getByText(/^Ada Lovelace has Ethics from 09:00 to 10:00/).waitFor()
    await staff.assertAccessible('a clash')
    await staff.picture('console-timetable-clash-desktop')
    await dialog.getByRole('button', { name: 'Save' }).click()
    assert.equal((await lessons())[0]?.[0], '2026-09-04')
    await dialog.locator('#lesson-from').fill('10:00')
    await dialog.locator('#lesson-to').fill('11:00')
    await dialog.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByText('Lesson saved').waitFor()
    assert.deepEqual((await lessons())[0], ['2026-09-02', '10:00:00', other])
    await staff.leave()
  },
)

test(
  'a substitute takes the lessons of a teacher for a day, and a phone shows a day at a time',
  inBrowser,
  async () => {
    const { tenant, instructor, other, lessons } = await aTimetable()
    const staff = await aStaffMember(service, tenant, {
      roles: ['Education Manager', 'Academics User'],
      screen: 'phone',
    })
    const { page } = staff
    await staff.open(`/teaching/timetable?of=teacher&name=${instructor}&day=2026-08-31`)
    await page.getByText('No lessons').first().waitFor()
    await staff.assertAccessible('a day without lessons')
    await page.getByRole('button', { name: 'Next day' }).click()
    await page.getByRole('button', { name: /^Anatomy/ }).waitFor()
    await staff.assertAccessible('a day')
    await staff.picture('console-timetable-phone')
    await page.getByRole('button', { name: /^Substitute… Tuesday/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Teacher').fill('lovelace')
    await dialog.getByRole('option', { name: new RegExp(other) }).click()
    await dialog.getByText('Ada Lovelace is free at all of these times.').waitFor()
    await staff.assertAccessible('a substitute')
    await dialog.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByText('1 lesson taken by Ada Lovelace').waitFor()
    assert.deepEqual((await lessons())[0], ['2026-09-01', '09:00:00', other])
    await page.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await lessons())[0]?.[2] === instructor, 'the substitution that was undone')
    await staff.leave()
  },
)
