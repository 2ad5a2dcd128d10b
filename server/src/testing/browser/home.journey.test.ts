import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { aLesson, anEnrollment, seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }
const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function aDay() {
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, students, group } = seeded
  await aLesson(seeded, { schedule_date: dayFromToday(0) })
  for (const [at, status] of (['Absent', 'Present'] as const).entries()) {
    await resourceClient.make('Student Attendance', {
      ...{ student: students[at], student_group: group, date: dayFromToday(0), status, docstatus: 1 },
    })
  }
  await anEnrollment(seeded, { docstatus: 1 })
  const { id } = await aStudent(tenant.api, { fullName: 'Grace Owes', email: 'grace@example.org' })
  for (const amount of [10, 20]) {
    const payment = { studentId: id, amount, description: 'Fee', dueDate: dayFromToday(0) }
    assert.equal((await tenant.api.post('/payments', payment)).status, 201)
  }
  return seeded
}

test('each role begins with its work of today, and each number opens exactly its list', inBrowser, async () => {
  const { tenant } = await aDay()
  const tileOf = (name: string) => new RegExp(`^(\\d+) *${name}$`)
  for (const [roles, screen, tiles] of [
    [['Academics User'], 'desktop', { 'Lessons today': 1, 'Absent today': 1 }],
    [['Accounts User'], 'phone', { 'Pending payments': 2, 'Overdue payments': 0 }],
  ] as const) {
    const staff = await aStaffMember(service, tenant, { roles, screen })
    const { page } = staff
    for (const [name, count] of Object.entries(tiles)) {
      await staff.open('/')
      const tile = page.getByRole('link', { name: tileOf(name) })
      await tile.waitFor()
      assert.equal(Number((await tile.textContent())?.match(/^\d+/)?.[0]), count, name)
      if (count === 0) continue
      await tile.click()
      await page.locator('main h1').first().waitFor()
      const listed = name === 'Pending payments' ? page.locator('tbody tr') : page.locator('.sheet tbody tr, .cards li')
      await listed.first().waitFor()
      assert.equal(await listed.count(), count, name)
    }
    await staff.open('/')
    await page.getByRole('heading', { name: 'Figures' }).waitFor()
    await staff.assertAccessible(`home of ${roles}`)
    for (const summary of await page.locator('.chart summary').all()) await summary.click()
    await staff.assertAccessible(`home of ${roles} with tables`)
    await staff.picture(`console-home-${screen}`)
    await staff.leave()
  }
})

test('keys that are typed while the palette is on its way are not lost', inBrowser, async () => {
  const { tenant } = await aDay()
  const staff = await aStaffMember(service, tenant, { roles: ['Academics User'], screen: 'desktop' })
  const { page } = staff
  // The palette comes late, as on a slow network.
  let come = () => {}
  const isToCome = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(/assets\/palette-.*\.js$/, async (route) => {
    await isToCome
    await route.continue()
  })
  await staff.open('/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('grace ow', { delay: 60 })
  come()
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('es', { delay: 60 })
  await page.getByRole('option', { name: /Grace Owes/ }).waitFor()
  assert.equal(await page.getByRole('dialog').getByRole('combobox').inputValue(), 'grace owes')
  await page.keyboard.press('Escape')
  await staff.leave()
})
