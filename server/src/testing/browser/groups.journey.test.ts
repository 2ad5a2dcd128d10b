import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { anEnrollment, seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `students are added to a group together, moved on a date, and wait for a place, ${screen}`,
    inBrowser,
    async () => {
      const seeded = await seedTenant(service)
      const { tenant, resourceClient, group, year, program, students } = seeded
      const emmy = await aStudent(tenant.api, { fullName: 'Emmy Noether', email: 'emmy@example.org' })
      const sofia = await aStudent(tenant.api, { fullName: 'Sofia Kovalevskaya', email: 'sofia@example.org' })
      const fields = { student_group_name: 'Nursing B', academic_year: year, group_based_on: 'Activity', program }
      const { name: other } = await resourceClient.make('Student Group', fields)
      const rowsOf = async (name: string) => {
        const { data } = await resourceClient.read('Student Group', name)
        return data.students.map(({ student, from_date, to_date }: Record<string, string>) => [
          student,
          from_date ?? null,
          to_date ?? null,
        ])
      }
      const staff = await aStaffMember(service, tenant, { roles: ['Academics User'], screen })
      const { page } = staff
      await staff.open(`/records/student-group/named/${group}`)
      await page.getByRole('link', { name: 'Members and waiting list' }).click()
      await page.getByText('Ada Byron').first().waitFor()
      await staff.assertAccessible('a group')
      for (const typed of ['noether', 'kovalev']) {
        await page.getByRole('combobox', { name: 'Student', exact: true }).fill(typed)
        await page.getByRole('option').first().click()
      }
      await page.getByLabel('First day').fill('2026-10-01')
      await staff.assertAccessible('students picked')
      await staff.picture(`console-group-${screen}`)
      await page.getByRole('button', { name: 'Add 2 students' }).dblclick()
      await page.getByText('2 students added').waitFor()
      assert.deepEqual(
        (await rowsOf(group)).slice(2).sort(),
        [
          [emmy.studentCode, '2026-10-01', null],
          [sofia.studentCode, '2026-10-01', null],
        ].sort(),
      )

      await page.getByLabel('Select Alan Turing').check()
      await page.getByRole('button', { name: 'Move 1 student…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox', { name: 'New group' }).fill('nursing b')
      await dialog.getByRole('option', { name: other }).click()
      await dialog.getByLabel('First day').fill('2026-09-15')
      await staff.assertAccessible('a move')
      await dialog.getByRole('button', { name: 'Move 1 student…' }).dblclick()
      await page.getByText(`1 student moved to ${other}`).waitFor()
      assert.deepEqual((await rowsOf(group))[1], [students[1], null, '2026-09-14'])
      assert.deepEqual(await rowsOf(other), [[students[1], '2026-09-15', null]])

      await resourceClient.update('Student Group', group, { max_strength: 3 })
      const maria = await aStudent(tenant.api, { fullName: 'Maria Agnesi', email: 'maria@example.org' })
      await staff.open(`/groups/${encodeURIComponent(group)}`)
      await page.getByText('3 of 3 places taken').waitFor()
      await page.getByRole('combobox', { name: 'Add to waiting list' }).fill('agnesi')
      await page.getByRole('option').first().click()
      await page.getByText(/is on the waiting list$/).waitFor()
      await staff.assertAccessible('a waiting list')
      const entry = async () =>
        (await resourceClient.list('Waiting List Entry', { fields: '["student","status"]' })).data[0]
      assert.deepEqual(await entry(), { student: maria.studentCode, status: 'Waiting' })
      await resourceClient.update('Student Group', group, { max_strength: 4 })
      // The place is offered by itself; nobody else waits.
      await staff.open(`/groups/${encodeURIComponent(group)}`)
      await page.getByText('Offered').waitFor()
      await page.getByRole('button', { name: 'Offer free places' }).click()
      await page.getByText('No places available, or nobody waiting').waitFor()
      await page.getByRole('button', { name: /^Accept the place/ }).click()
      await page.getByText(/joined the group$/).waitFor()
      assert.equal((await entry()).status, 'Accepted')
      await staff.leave()
    },
  )
}

test('students whom a list picked are added to a group', inBrowser, async () => {
  const { tenant, resourceClient, group } = await seedTenant(service)
  const emmy = await aStudent(tenant.api, { fullName: 'Emmy Noether', email: 'emmy@example.org' })
  const staff = await aStaffMember(service, tenant, { roles: ['Academics User'], screen: 'desktop' })
  const { page } = staff
  await staff.open('/records/student?q=noether')
  await page.getByText('Emmy Noether').first().waitFor()
  await page
    .getByRole('row', { name: /Emmy Noether/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('link', { name: 'Add to a group' }).click()
  await page.getByRole('combobox', { name: 'Group' }).fill('nursing a')
  await staff.assertAccessible('choosing the group')
  await page.getByRole('option', { name: group }).click()
  await page.getByRole('button', { name: 'Add 1 student' }).click()
  await page.getByText('1 student added').waitFor()
  const { data } = await resourceClient.read('Student Group', group)
  assert.equal(data.students.at(-1).student, emmy.studentCode)
  await staff.leave()
})

test('a year is promoted: seen before, decided one by one, done once, and undone', inBrowser, async () => {
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, program, year, students } = seeded
  const dates = { year_start_date: '2027-08-01', year_end_date: '2028-06-30' }
  await resourceClient.make('Academic Year', { academic_year_name: '2027-28', ...dates })
  await resourceClient.make('Program', { program_name: 'Midwifery' })
  await anEnrollment(seeded, { docstatus: 1 })
  await anEnrollment(seeded, { docstatus: 1, student: students[1] })
  const { name } = await resourceClient.make('Student Promotion', {
    ...{ program, academic_year: year, new_program: 'Midwifery', new_academic_year: '2027-28' },
    enrollment_date: '2027-08-02',
  })
  const staff = await aStaffMember(service, tenant, {
    roles: ['Education Manager', 'Academics User'],
    screen: 'desktop',
  })
  const { page } = staff
  await staff.open(`/records/student-promotion/named/${name}`)
  await page.getByRole('link', { name: 'Preview and run' }).click()
  await page.getByText('Ada Byron').waitFor()
  await page.getByLabel('Decision: Alan Turing').selectOption({ index: 2 })
  await until(async () => {
    const { data } = await resourceClient.read('Student Promotion', name)
    return data.students.some(({ decision }: { decision: string }) => decision === 'Graduate')
  }, 'the decision')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('All can be promoted, of 2').waitFor()
  await staff.assertAccessible('a preview')
  await staff.picture('console-promotion-desktop')
  const enrolled = async () =>
    (await resourceClient.list('Program Enrollment', { filters: '[["academic_year","=","2027-28"]]' })).data.length
  assert.equal(await enrolled(), 0)
  await page.getByRole('button', { name: 'Promote 2 students…' }).click()
  await staff.assertAccessible('asking to promote')
  await page.getByRole('dialog').getByRole('button', { name: 'Promote 2 students…' }).dblclick()
  await page.getByText('Completed').waitFor()
  assert.equal(await enrolled(), 1)
  await staff.assertAccessible('a promotion that is done')
  await page.getByRole('button', { name: 'Undo…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo…' }).click()
  await page.getByText('Undone', { exact: true }).first().waitFor()
  assert.equal(await enrolled(), 0)
  await staff.leave()
})
