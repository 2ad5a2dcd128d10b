import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { aStudent } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { ResourceClient } from '../fixtures/resource-client.ts'
import { seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { holdStudent } from '../fixtures/waiting.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const tenant = await service.tenant()
const resourceClient = new ResourceClient(service, tenant)
const inBrowser = { skip: withoutBrowser }

/** Large enough for all that a bulk job does on a busy machine, in milliseconds. */
const patient = { timeout: 240_000 }

await resourceClient.make('Custom Field', {
  dt: 'Student',
  fieldname: 'house',
  label: 'House',
  fieldtype: 'Select',
  options: '\nRed\nBlue',
  in_list_view: 1,
})

/** Makes students in a city. */
async function someStudents(count: number, city: string): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const items = Array.from({ length: Math.min(500, count - from) }, (_, index) => ({
      externalId: `${city}-${from + index}`,
      fullName: `${city} ${String(from + index).padStart(4, '0')}`,
      city,
    }))
    const { status, text } = await tenant.api.post('/students/batch', { items })
    assert.equal(status, 200, text)
  }
}

/** How many students have a house. */
async function inHouse(house: string): Promise<number> {
  const { data } = await resourceClient.list('Student', {
    filters: JSON.stringify([['house', '=', house]]),
    limit_page_length: '0',
  })
  return data.length
}

test(
  'a thousand students that match a filter get a house: counted first, one refused with its reason, undone, stopped; the filter stays',
  inBrowser,
  async () => {
    await someStudents(1000, 'Lima')
    await someStudents(3, 'Quito')
    // As something that was stored before there was a rule.
    await service.database.inspect(
      `update students set date_of_birth = '2999-01-01' where tenant_id = $1 and full_name = 'Lima 0500'`,
      [tenant.id],
    )
    const staff = await aStaffMember(service, tenant, { roles: ['Academics User'] })
    const { page } = staff
    const dialog = page.getByRole('dialog')
    const begin = async (house: string) => {
      await page.getByLabel('Select all on this page').check()
      await page.getByRole('button', { name: 'Select all 1,000' }).click()
      await page.getByText('1,000 selected', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Change…' }).click()
      await dialog.getByLabel('Field').selectOption({ label: 'House' })
      await dialog.getByLabel('Value').selectOption(house)
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByText('1,000 records will change.').waitFor()
    }
    await staff.open('/records/student?f=city%3Aeq%3ALima')
    await page.getByText('1,000 records', { exact: true }).waitFor()
    await begin('Red')
    assert.equal(await inHouse('Red'), 0)
    await staff.assertAccessible('counted')
    await staff.picture('console-bulk-counted-desktop')
    // So that it is seen in the middle, however fast it is.
    const goOn = await holdStudent(service.database, tenant.id, 'Lima 0700')
    await dialog.getByRole('button', { name: 'Change 1,000 records' }).click()
    await page.getByText(/ of 1,000 done/).waitFor()
    await staff.assertAccessible('progress')
    await staff.picture('console-bulk-progress-desktop')
    await goOn()
    await page.getByText('999 records changed').waitFor(patient)
    await page.getByText('1 record failed').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /: .*Date of Birth/ })
      .getByRole('link', { name: 'Lima 0500' })
      .waitFor()
    await page.getByText('Show what was changed (100 of 999)').click()
    await page.locator('.changed').getByRole('link', { name: 'Lima 0000' }).waitFor()
    // What is scrolled half below the head of the page counts as too small to press.
    await page.evaluate('scrollTo(0, 0)')
    await staff.assertAccessible('refused')
    await staff.picture('console-bulk-refused-desktop')
    assert.match(page.url(), /\?f=city%3Aeq%3ALima$/)
    assert.equal(await inHouse('Red'), 999)
    await page.getByRole('cell', { name: 'Red', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('999 records restored').waitFor(patient)
    assert.equal(await inHouse('Red'), 0)
    await begin('Blue')
    const letGo = await holdStudent(service.database, tenant.id, 'Lima 0700')
    await dialog.getByRole('button', { name: 'Change 1,000 records' }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText(/^Stopped\. /).waitFor(patient)
    await letGo()
    const changed = await inHouse('Blue')
    assert.ok(changed < 999, `${changed} were changed before it was stopped`)
    assert.match(page.url(), /\?f=city%3Aeq%3ALima$/)
    await staff.leave()
  },
)

test('all that match one question are no longer picked where another one is asked', inBrowser, async () => {
  await someStudents(2, 'Quispe')
  await someStudents(2, 'Mamani')
  const staff = await aStaffMember(service, tenant)
  const { page } = staff
  await staff.open('/records/student?q=Quispe')
  await staff.open('/records/student?q=Mamani')
  await page.getByText('2 records', { exact: true }).waitFor()
  await page
    .getByLabel(/^Select Mamani|^Select EDU/)
    .first()
    .check()
  await page.getByRole('button', { name: 'Select all 2' }).click()
  await page.getByText('2 selected').waitFor()
  await page.evaluate(
    `history.pushState(null, '', location.href.replace('Mamani', 'Quispe')); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page
    .getByRole('link', { name: /Quispe/ })
    .first()
    .waitFor()
  await page.getByText('1 selected').waitFor()
  await staff.leave()
})

test(
  'what is counted is what is changed: where others match by now nothing is done, and it is counted again',
  inBrowser,
  async () => {
    await someStudents(2, 'Ibarra')
    const staff = await aStaffMember(service, tenant, { screen: 'phone' })
    const { page } = staff
    const dialog = page.getByRole('dialog')
    await staff.open('/records/student?q=Ibarra')
    await page.getByText('2 records', { exact: true }).waitFor()
    await page
      .getByLabel(/^Select Ibarra|^Select EDU/)
      .first()
      .check()
    await page.getByRole('button', { name: 'Select all 2' }).click()
    await page.getByRole('button', { name: 'Change…' }).click()
    await dialog.getByLabel('Field').selectOption({ label: 'House' })
    await dialog.getByLabel('Value').selectOption('Red')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('2 records will change.').waitFor()
    await resourceClient.make('Student', { first_name: 'Ibarra', last_name: 'Third' })
    await dialog.getByRole('button', { name: 'Change 2 records' }).click()
    await dialog.getByText(/There are 3 such records by now, not 2/).waitFor()
    assert.equal(await inHouse('Red'), 0)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Change 3 records' }).click()
    await page.getByText('3 records changed').waitFor()
    assert.equal(await inHouse('Red'), 3)
    assert.match(staff.refusedCalls().join(), /^409 POST \S+\/bulk-jobs$/)
    await staff.assertAccessible('changed, on a phone')
    await staff.picture('console-bulk-phone')
    await staff.leave()
  },
)

test(
  'filters hold together or as alternatives, the address says so, and both files have exactly what is seen',
  inBrowser,
  async () => {
    await resourceClient.make('Student', { first_name: 'Carla', last_name: 'Cusco', city: 'Cusco', house: 'Blue' })
    await resourceClient.make('Student', { first_name: 'Dora', last_name: 'Puno', city: 'Puno', house: 'Red' })
    await resourceClient.make('Student', { first_name: '=1+1', last_name: 'Tacna', city: 'Tacna', house: 'Red' })
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const dialog = page.getByRole('dialog')
    const add = async (field: string, value: string, joined?: string) => {
      await page.getByRole('button', { name: 'Add filter' }).click()
      await dialog.getByLabel('Field').selectOption({ label: field })
      await dialog.getByLabel('Condition').selectOption('=')
      const control = dialog.getByLabel('Value')
      if (field === 'House') await control.selectOption(value)
      else await control.fill(value)
      if (joined !== undefined) await dialog.getByLabel('Combine with').selectOption({ label: joined })
      await staff.assertAccessible('adding a filter')
      await dialog.getByRole('button', { name: 'Apply' }).click()
    }
    await staff.open('/records/student')
    await add('City', 'Cusco')
    await add('City', 'Puno', 'OR City is Cusco')
    await page.getByText('2 records', { exact: true }).waitFor()
    await add('House', 'Red')
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('dora')
    await page.getByRole('link', { name: 'Dora Puno' }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('')
    await page.waitForURL(/student\?f1=city%3Aeq%3ACusco&f1=city%3Aeq%3APuno&f=house%3Aeq%3ARed$/)
    await staff.picture('console-filters-desktop')
    await page.reload()
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('group', { name: 'Any of these' }).waitFor()
    const exported = async (item: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: 'More' })
          .click()
          .then(() => page.getByRole('menuitem', { name: item }).click()),
      ])
      const path = await file.path()
      return { name: file.suggestedFilename(), bytes: readFileSync(path) }
    }
    await page.getByRole('button', { name: 'Remove filter House is Red' }).click()
    await page.getByText('2 records', { exact: true }).waitFor()
    const csv = await exported('Export CSV')
    const lines = csv.bytes.toString().replace('\uFEFF', '').trim().split('\r\n')
    assert.equal(lines[0]?.split(',').at(-1), '"House"')
    assert.deepEqual(lines.length, 3)
    assert.ok(lines.some((line) => line.includes('Carla Cusco') && line.endsWith('"Blue"')))
    const { name, bytes } = await exported('Export Excel (XLSX)')
    assert.equal(name, 'Student.xlsx')
    assert.equal(bytes.subarray(0, 2).toString(), 'PK')
    await staff.leave()
  },
)

test('columns and density are kept for the person, and shown in a browser of later', inBrowser, async () => {
  const staff = await aStaffMember(service, tenant)
  const { page } = staff
  const dialog = page.getByRole('dialog')
  await staff.open('/records/student?q=dora')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Columns' }).click()
  await dialog.getByLabel('City').check()
  await dialog.getByLabel('House').uncheck()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('columnheader', { name: 'City' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Compact' }).click()
  await until(async () => {
    const [row] = await service.database.inspect<{ preferences: { density?: string; settings?: object } }>(
      `select preferences from user_preferences p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
          where p.tenant_id = $1 and u.email = $2`,
      [tenant.id, staff.email],
    )
    return row?.preferences.density === 'compact' && JSON.stringify(row.preferences.settings).includes('city')
  }, 'what was chosen is kept')
  await staff.open('/records/student')
  await page.getByRole('columnheader', { name: 'City' }).waitFor()
  assert.equal(await page.getByRole('columnheader', { name: 'House' }).count(), 0)
  assert.equal(await page.evaluate('document.documentElement.dataset.density'), 'compact')
  await staff.assertAccessible('close rows')
  await staff.picture('console-compact-desktop')
  await staff.leave()
})

test(
  'whoever does nothing is warned before the session ends, stays with one press, and what pages ask by themselves prolongs nothing',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const calls: { path: string; isByItself: boolean }[] = []
    page.on('request', (request) => {
      const isByItself = request.headers()['x-by-itself'] === '1'
      if (request.resourceType() === 'fetch') calls.push({ path: new URL(request.url()).pathname, isByItself })
    })
    await page.clock.install()
    await staff.open('/records/student?q=dora')
    await page.getByRole('link', { name: 'Dora Puno' }).waitFor()
    assert.ok(calls.length > 0 && calls.every(({ isByItself }) => !isByItself), 'opening a page is somebody’s doing')
    calls.length = 0
    await page.clock.fastForward('11:57:00')
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.clock.fastForward('00:01:05')
    await page.getByRole('heading', { name: 'Are you still there?' }).waitFor()
    await staff.assertAccessible('warned')
    await staff.picture('console-idle-desktop')
    assert.ok(
      calls.every(({ isByItself }) => isByItself),
      JSON.stringify(calls),
    )
    calls.length = 0
    await page.getByRole('button', { name: 'Stay logged in' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [prolonging] = calls.filter(({ isByItself }) => !isByItself)
    assert.equal(prolonging?.path, `/t/${tenant.slug}/console/v1/preferences`)
    await staff.leave()
  },
)

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `students are listed by class and by program, and the counts are those of the lists, ${screen}`,
    inBrowser,
    async () => {
      const { tenant: school, resourceClient: office, group, students, year, program } = await seedTenant(service)
      await aStudent(school.api, { fullName: 'Mary Somerville' })
      const enrolment = await office.make('Program Enrollment', {
        student: students[0],
        program,
        academic_year: year,
        enrollment_date: '2026-08-15',
      })
      assert.equal((await office.submit('Program Enrollment', enrolment.name)).error, null)
      const staff = await aStaffMember(service, school, { roles: ['Academics User'], screen })
      const { page } = staff
      await staff.open('/records/student')
      await page.getByText('3 records', { exact: true }).waitFor()
      await page.getByLabel('Count by').selectOption({ label: 'Student Group' })
      const counts = page.getByRole('region', { name: 'Student Group' })
      await counts.getByRole('button', { name: `${group} 2` }).waitFor()
      await staff.assertAccessible('counted by class')
      await staff.picture(`console-students-by-class-${screen}`)
      await counts.getByRole('button', { name: `${group} 2` }).click()
      await page.getByText('2 records', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Ada Byron' }).waitFor()
      await page.reload()
      await page.getByText('2 records', { exact: true }).waitFor()
      await page.getByLabel('Count by').selectOption({ label: 'Program' })
      await page
        .getByRole('region', { name: 'Program' })
        .getByRole('button', { name: `${program} 1` })
        .click()
      await page.getByText('1 record', { exact: true }).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Export CSV' }).click()
      const text = readFileSync(await (await download).path(), 'utf8')
      assert.equal(text.trim().split('\r\n').length, 2, text)
      assert.match(text, /Nursing A/)
      await staff.leave()
    },
  )
}
