import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { pdf } from '../../fixtures/factories.ts'
import { withoutBrowser } from '../../fixtures/page-client.ts'
import { seedTenant } from '../../fixtures/seeded-tenant.ts'
import { until } from '../../fixtures/service-process.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { aStaffMember } from '../console-staff.ts'

const service = await startTestService()
const { tenant, resourceClient, students } = await seedTenant(service)
const inBrowser = { skip: withoutBrowser }

interface Broken {
  /** What goes wrong in the middle of a write. */
  readonly happens: (route: Route) => Promise<void>
  /** What the person is told. */
  readonly told: RegExp
}

const answer = (status: number, exc_type: string) => (route: Route) =>
  route.fulfill({ status, headers: { 'retry-after': '1' }, json: { exc_type, _server_messages: '[]' } })

const unreachable = /cannot be reached\. Nothing was lost/
const validationErrors: Readonly<Record<string, Broken>> = {
  'the network is gone': { happens: (route) => route.abort('internetdisconnected'), told: unreachable },
  'the answer is lost': {
    happens: async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    told: unreachable,
  },
  'the service is busy': { happens: answer(429, 'TooManyRequestsError'), told: /is busy\. Nothing was changed/ },
  'the service fails': { happens: answer(500, 'InternalError'), told: /failed\. Nothing was changed\. Try again/ },
  'the service is gone': {
    happens: (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    told: /failed\. Nothing was changed\. Try again/,
  },
}

/** Lets one write go wrong, and all after it pass. */
async function breakOne(page: Page, method: string, path: RegExp, { happens }: Broken): Promise<void> {
  let isBroken = false
  await page.route(path, async (route) => {
    if (isBroken || route.request().method() !== method) return route.fallback()
    isBroken = true
    return happens(route)
  })
}

/** Has the next call of a kind answered, and keeps the answer from the page until `letGo` is called. */
async function holdOne(page: Page, method: string, path: RegExp) {
  let letGo = () => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isHeld = false
  const isAnswered = new Promise<void>((resolve) => {
    void page.route(path, async (route) => {
      if (isHeld || route.request().method() !== method) return route.fallback()
      isHeld = true
      const response = await route.fetch()
      resolve()
      await isLetGo
      await route.fulfill({ response })
    })
  })
  return { isAnswered, letGo }
}

const studentsNamed = async (name: string) => {
  const { data } = await resourceClient.list('Student', { filters: JSON.stringify([['first_name', '=', name]]) })
  return data.length as number
}

for (const [what, broken] of Object.entries(validationErrors)) {
  test(
    `where ${what} while something is made, changed, kept or begun, nothing is lost or doubled, and it is told`,
    inBrowser,
    async () => {
      const staff = await aStaffMember(service, tenant)
      const { page } = staff
      page.on('dialog', (dialog) => void dialog.accept())
      const reported = page.getByRole('alert').filter({ hasText: broken.told })
      const name = `Made while ${what}`

      await staff.open('/records/student/new')
      await page.getByLabel('First Name *').fill(name)
      await breakOne(page, 'POST', /\/api\/resource\/Student$/, broken)
      await page.getByRole('button', { name: 'Create' }).click()
      await reported.waitFor()
      assert.equal(await page.getByLabel('First Name *').inputValue(), name)
      // What is typed before it is tried again comes with it, and makes no second record.
      await page.getByLabel('City').fill('Lima')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.waitForURL(/\/named\//)
      assert.equal(await studentsNamed(name), 1)
      const made = decodeURIComponent(page.url().split('/').at(-1) as string)
      assert.equal((await resourceClient.read('Student', made)).data.city, 'Lima')

      await page.getByLabel('City').fill('Cusco')
      await breakOne(page, 'PUT', /\/api\/resource\/Student\//, broken)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await reported.waitFor()
      assert.equal(await page.getByLabel('City').inputValue(), 'Cusco')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
      assert.equal((await resourceClient.read('Student', made)).data.city, 'Cusco')

      await staff.open('/records/student?sort=city')
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Save this view' }).click()
      await page.getByLabel('Name of the view').fill(name)
      await breakOne(page, 'POST', /\/saved-views$/, broken)
      await page.keyboard.press('Enter')
      await reported.waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name, exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 1)

      await staff.open(`/records/student?q=${encodeURIComponent(name)}`)
      await page.getByText('1 record', { exact: true }).waitFor()
      await page.getByLabel('Select all on this page').check()
      await page.getByRole('button', { name: 'Change…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Field').selectOption({ label: 'State' })
      await dialog.getByLabel('Value').fill('Ayacucho')
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await breakOne(page, 'POST', /\/bulk-jobs$/, broken)
      await dialog.getByRole('button', { name: 'Change 1 record' }).click()
      await reported.waitFor()
      await dialog.getByRole('button', { name: 'Change 1 record' }).click()
      await page.getByText('1 record changed').waitFor()
      const jobs = await service.database.inspect(
        `select 1 from bulk_jobs where tenant_id = $1 and changes->>'state' = 'Ayacucho' and user_name = $2`,
        [tenant.id, staff.email],
      )
      assert.equal(jobs.length, 1)
      staff.refusedCalls()
      await staff.leave()
    },
  )
}

test(
  'a record whose making was not answered is made once, whatever is refused and whenever the page is opened anew until it is told',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    page.on('dialog', (dialog) => void dialog.accept())
    const name = 'Made without an answer'
    const create = page.getByRole('button', { name: 'Create' })
    const records = /\/api\/resource\/Student$/
    await staff.open('/records/student/new')
    await page.getByLabel('First Name *').fill(name)
    for (const broken of [
      validationErrors['the answer is lost'],
      validationErrors['the service is busy'],
    ] as Broken[]) {
      await breakOne(page, 'POST', records, broken)
      await create.click()
      await page.getByRole('alert').filter({ hasText: broken.told }).waitFor()
    }
    await page.reload()
    await page.getByText('Your unsaved changes were restored.').waitFor()
    assert.equal(await page.getByLabel('First Name *').inputValue(), name)
    await create.click()
    await page.waitForURL(/\/named\//)
    assert.equal(await studentsNamed(name), 1)
    staff.refusedCalls()
    await staff.leave()
  },
)

test('a file whose answer was lost is attached once, however often it is tried again', inBrowser, async () => {
  const staff = await aStaffMember(service, tenant)
  const { page } = staff
  const [student] = students
  await staff.open(`/records/student/named/${student}`)
  const file = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: pdf }
  const attached = page.getByRole('button', { name: 'scan.pdf' })
  for (const [index, what] of (['the answer is lost', 'the network is gone'] as const).entries()) {
    const broken = validationErrors[what] as Broken
    let isBroken = false
    await page.route('**/api/method/upload_file', async (route) => {
      if (isBroken) return route.fallback()
      isBroken = true
      return broken.happens(route)
    })
    await page.getByLabel('Attach a file').setInputFiles(file)
    await page.getByRole('region', { name: 'Notifications' }).getByText(broken.told).last().waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
    await until(
      async () => (await attached.count()) === index + 1,
      () => `${index + 1} files`,
    )
  }
  const filters = JSON.stringify([['attached_to_name', '=', student]])
  assert.equal((await resourceClient.list('File', { filters })).data.length, 2)
  staff.refusedCalls()
  await staff.leave()
})

test(
  'where another person saved meanwhile, or a right was taken away, what was typed stays and it is told',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    page.on('dialog', (dialog) => void dialog.accept())
    await staff.open(`/records/student/named/${students[1]}`)
    for (const [status, type, reported] of [
      [403, 'PermissionError', /You don’t have permission to do this/],
      [404, 'DoesNotExistError', /no longer exists/],
      [409, 'DuplicateEntryError', /DuplicateEntryError|failed/],
      [412, 'PreconditionFailed', /failed/],
    ] as const) {
      await page.getByLabel('City').fill(`Typed at ${status}`)
      await breakOne(page, 'PUT', /\/api\/resource\/Student\//, { happens: answer(status, type), told: reported })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: reported }).waitFor()
      assert.equal(await page.getByLabel('City').inputValue(), `Typed at ${status}`)
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
    assert.equal((await resourceClient.read('Student', students[1])).data.city, 'Typed at 412')
    staff.refusedCalls()
    await staff.leave()
  },
)

test(
  'what is typed while an answer is on its way stays, as a change of what was saved, and the next save keeps it',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const [city, state] = [page.getByLabel('City'), page.getByLabel('State')]
    const [records, record] = [/\/api\/resource\/Student$/, /\/api\/resource\/Student\//]
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const unsaved = page.getByText('Unsaved changes', { exact: true })

    await staff.open('/records/student/new')
    await page.getByLabel('First Name *').fill('Typed Meanwhile')
    const making = await holdOne(page, 'POST', records)
    await page.getByRole('button', { name: 'Create' }).click()
    await making.isAnswered
    await city.fill('Lima')
    making.letGo()
    await page.waitForURL(/\/named\//)
    await page.getByText('Your unsaved changes were restored.').waitFor()
    assert.equal(await city.inputValue(), 'Lima')
    const name = decodeURIComponent(page.url().split('/').at(-1) as string)
    const stored = async () => {
      const { data } = await resourceClient.read('Student', name)
      return [data.city, data.state, data.nationality]
    }
    assert.deepEqual(await stored(), [null, null, null])
    await save.click()
    await unsaved.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), ['Lima', null, null])

    await city.fill('Cusco')
    const saving = await holdOne(page, 'PUT', record)
    await save.click()
    await saving.isAnswered
    await city.fill('Puno')
    await state.fill('Andes')
    saving.letGo()
    await page.getByText('City: Lima → Cusco').waitFor()
    assert.deepEqual([await city.inputValue(), await state.inputValue()], ['Puno', 'Andes'])
    assert.deepEqual(await stored(), ['Cusco', null, null])
    await save.click()
    await unsaved.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), ['Puno', 'Andes', null])

    await city.fill('Tacna')
    assert.equal((await resourceClient.update('Student', name, { nationality: 'Peruvian' })).error, null)
    const merging = await holdOne(page, 'PUT', record)
    await save.click()
    await merging.isAnswered
    await state.fill('Coast')
    merging.letGo()
    await page.getByText('Saved and merged with changes by another user').waitFor()
    assert.deepEqual([await city.inputValue(), await state.inputValue()], ['Tacna', 'Coast'])
    assert.deepEqual(await stored(), ['Tacna', 'Andes', 'Peruvian'])
    await save.click()
    await unsaved.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), ['Tacna', 'Coast', 'Peruvian'])

    const undoing = await holdOne(page, 'PUT', record)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await undoing.isAnswered
    await city.fill('Arica')
    undoing.letGo()
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.deepEqual([await city.inputValue(), await state.inputValue()], ['Arica', 'Andes'])
    await save.click()
    await unsaved.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), ['Arica', 'Andes', 'Peruvian'])
    assert.match(staff.refusedCalls().join('\n'), /^417 PUT \S+$/)
    await staff.leave()
  },
)

test(
  'a reading that began before a save and ends after it brings back nothing that was before',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const { name } = await resourceClient.make('Student', { first_name: 'Read', last_name: 'Late', city: 'Lima' })
    const hear = await staff.deafen()
    await staff.open(`/records/student/named/${name}`)
    await page.getByLabel('City').waitFor()
    // The record is read again when the page begins to listen.
    const reading = await holdOne(page, 'GET', /\/api\/resource\/Student\/[^/?]+$/)
    hear()
    await reading.isAnswered
    await page.getByLabel('City').fill('Cusco')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
    reading.letGo()
    await staff.untilRead()
    assert.equal(await page.getByLabel('City').inputValue(), 'Cusco')
    // What others save is still shown by itself.
    assert.equal((await resourceClient.update('Student', name, { city: 'Puno' })).error, null)
    await until(
      async () => (await page.getByLabel('City').inputValue()) === 'Puno',
      () => 'what another one saved',
    )
    await staff.leave()
  },
)
