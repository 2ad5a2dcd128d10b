import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApplication } from '../../fixtures/factories.ts'
import { minOf } from '../../fixtures/min-work.ts'
import { openPageClient, withoutBrowser } from '../../fixtures/page-client.ts'
import { seedTenant } from '../../fixtures/seeded-tenant.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { aStaffMember } from '../console-staff.ts'
import { getKeyboard } from '../keyboard.ts'

const service = await startTestService()
const { tenant, resourceClient, students } = await seedTenant(service)
const inBrowser = { skip: withoutBrowser }
const address = `${service.address}/t/${tenant.slug}`

const hostile = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  '<svg/onload=window.hacked=1>',
  "javascript:window.hacked=1//'",
  '{{constructor.constructor("window.hacked=1")()}}',
]

test(
  'no name, note or file name ever becomes script or markup, in lists, records, histories, boards, the palette or a PDF',
  inBrowser,
  async () => {
    const text = hostile.join(' ')
    const [ada] = students
    // As it stands where no sanitiser was: whatever the service refuses today may have been stored before.
    await service.database.inspect(
      `update students set full_name = $3, given_names = $3, city = $3 where tenant_id = $1 and student_code = $2`,
      [tenant.id, ada, text.slice(0, 139)],
    )
    const { id } = await anApplication(tenant.api, { fullName: 'Hostile' })
    await service.database.inspect(
      'update admission_applications set full_name = $3 where tenant_id = $1 and id = $2',
      [tenant.id, id, text.slice(0, 139)],
    )
    await resourceClient.make('Student Log', { student: ada, date: '2026-09-01', type: 'General', log: text })
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    page.on('dialog', () => assert.fail('a script opened a dialog'))
    await staff.open(`/records/student/named/${ada}`)
    await page.setInputFiles('input[type=file]', {
      name: '<img src=x onerror=window.hacked=1>.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('<script>window.hacked=1</script>'),
    })
    // Whether it is taken or refused, it is told.
    await page.locator('.notices .notice').first().waitFor()
    await page.getByLabel('State').fill(hostile[1] as string)
    await page.keyboard.press('Control+s')
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
    const unharmed = async (where: string) => {
      assert.equal(await page.evaluate('window.hacked'), undefined, where)
      const injected =
        'document.querySelectorAll("main img[src=x], main svg[onload], main script, dialog img, dialog script").length'
      assert.equal(await page.evaluate(injected), 0, where)
    }
    await unharmed('record')
    for (const path of [
      '/records/student',
      `/records/student?q=${encodeURIComponent(hostile[0] as string)}`,
      `/records/student?f=${encodeURIComponent(`city:eq:${hostile[1]}`)}`,
      '/records/student-log',
      `/students/${ada}`,
      '/admissions/board',
      `/records/${encodeURIComponent(hostile[2] as string)}`,
      `/students/${encodeURIComponent(hostile[0] as string)}`,
    ]) {
      await page.goto(staff.root + path)
      await page.locator('main h1, main h2').first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      await unharmed(path)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('onerror')
    await page.getByRole('dialog').locator('[role=option], p').first().waitFor()
    await unharmed('palette')
    const query = new URLSearchParams({ doctype: 'Student', name: ada, format: 'Standard' })
    const pdf = await page.request.get(`${address}/api/method/frappe.utils.print_format.download_pdf?${query}`)
    assert.equal(pdf.headers()['content-type'], 'application/pdf')
    assert.doesNotMatch((await pdf.body()).toString('latin1'), /\/JavaScript|\/JS\s|\/OpenAction|\/Launch/)
    staff.refusedCalls()
    await staff.leave()
  },
)

/** Makes each sentence of the console a third longer, as translations are. */
const longer = `
const longer = (words) => Object.fromEntries(Object.entries(words).map(([name, value]) => [
  name,
  typeof value === 'string' ? stretched(value) : typeof value === 'function' ? (...all) => stretched(value(...all)) : longer(value),
]))
const stretched = (text) => text + ' ' + 'ñ'.repeat(Math.ceil(text.length * 0.3))
`

test('words that are a third longer are cut nowhere on a phone, in any state', inBrowser, async () => {
  const staff = await aStaffMember(service, tenant, { screen: 'phone' })
  const { page } = staff
  await page.route(/\/assets\/english-(?!names-).*\.js$/, async (route) => {
    const original = await route.fetch()
    const text = (await original.text()).replace(
      /export ?\{ ?(\w+) as english ?\}/,
      (_, name) => `${longer};const words = longer(${name});export{words as english}`,
    )
    assert.match(text, /longer/)
    await route.fulfill({ response: original, body: text, headers: { 'content-type': 'text/javascript' } })
  })
  const uncut = async (state: string) => {
    await staff.assertAccessible(state)
    const cut =
      await page.evaluate(`[...document.querySelectorAll('button, a, label, h1, h2, th, p, strong, [role=menuitem]')]
      .filter((shown) => shown.checkVisibility() && !shown.closest('.unseen, .skip, .sheet, .options'))
      .filter((shown) => shown.scrollWidth > shown.clientWidth + 1 && getComputedStyle(shown).overflowX !== 'visible')
      .map((shown) => shown.outerHTML.slice(0, 200))`)
    assert.deepEqual(cut, [], state)
  }
  await staff.open('/records/student')
  await page.getByText(/^2 records ñ/).waitFor()
  await uncut('list')
  await page.getByRole('button', { name: /^Add filter ñ/ }).click()
  await page.getByRole('dialog').waitFor()
  await uncut('filter')
  await staff.picture('console-longer-filter-phone')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^More ñ/ }).click()
  await uncut('menu')
  await page.keyboard.press('Escape')
  await page
    .getByLabel(/^Select /)
    .first()
    .check()
  await uncut('selected')
  await staff.picture('console-longer-list-phone')
  await staff.open('/records/student/new')
  await page.getByRole('button', { name: /^Create ñ/ }).click()
  await page.getByRole('alert').first().waitFor()
  await uncut('faults')
  await staff.open(`/students/${students[1]}`)
  await uncut('profile')
  await staff.picture('console-longer-profile-phone')
  staff.refusedCalls()
  await staff.leave()
})

test(
  'every state is accessible on each width, light and dark: empty, failed, dialog, menu and combobox open',
  inBrowser,
  async () => {
    for (const [screen, dark] of [
      ['desktop', false],
      ['desktop', true],
      ['phone', false],
      ['phone', true],
    ] as const) {
      const staff = await aStaffMember(service, tenant, { screen, dark })
      const { page } = staff
      const at = (state: string) => staff.assertAccessible(`${state}, ${screen}, ${dark ? 'dark' : 'light'}`)
      await staff.open('/records/student-leave-application')
      await page.getByText('Days on which a student asks to be away.').waitFor()
      await at('empty list')
      if (dark) await staff.picture(`console-empty-${screen}`)
      await staff.open('/records/student?q=nobody')
      await page.getByText('No results').waitFor()
      await at('nothing matches')
      await page.getByRole('button', { name: 'More' }).click()
      await at('menu of a list')
      await page.getByRole('menuitem', { name: 'Columns' }).click()
      await page.getByRole('dialog').waitFor()
      await at('columns')
      await page.keyboard.press('Escape')
      await page.route(/\/api\/resource\/Room\?/, (route) =>
        route.fulfill({ status: 500, json: { exc_type: 'Error' } }),
      )
      await page.goto(`${staff.root}/records/room`)
      await page.getByText('Something went wrong').waitFor()
      await at('failed list')
      await page.unroute(/\/api\/resource\/Room\?/)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('link', { name: 'Lecture Hall' }).waitFor()
      await staff.open('/records/program-enrollment/new')
      await page.getByLabel('Student *').fill('a')
      await page.getByRole('option').first().waitFor()
      await at('combobox')
      await page.getByRole('button', { name: 'Create' }).focus()
      await staff.open(`/records/student/named/${students[1]}`)
      await page.getByRole('button', { name: /^More/ }).first().click()
      await at('menu of a record')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('dialog').waitFor()
      await at('deleting')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      await at('keys')
      staff.refusedCalls()
      await staff.leave()
    }
  },
)

test(
  'on a slow line and a slow phone a list is there soon, by comparison with a plain page of the service, and nothing jumps',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant, { screen: 'phone' })
    await staff.open('/records/student')
    const cookies = await staff.page.context().cookies()
    /** How long it takes until something is shown, with nothing kept, on 1.6 Mbit/s with 150 ms and a processor four times slower. */
    const shownAfter = async (path: string, shown: string, isKnown: boolean, isWhole = false) => {
      const pageClient = await openPageClient(service.address, { screen: 'phone' })
      const { page } = pageClient
      if (isKnown) await page.context().addCookies(cookies)
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
      await session.send('Network.emulateNetworkConditions', slow)
      await page.addInitScript(`
      window.shift = 0
      new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) shift += each.value })
        .observe({ type: 'layout-shift', buffered: true })
      window.presses = []
      new PerformanceObserver((list) => { for (const each of list.getEntries()) if (each.interactionId) presses.push(each.duration) })
        .observe({ type: 'event', durationThreshold: 16, buffered: true })`)
      const begun = performance.now()
      await page.goto(address + path, { waitUntil: 'commit' })
      await page.locator(shown).first().waitFor()
      if (isWhole) await page.waitForLoadState('load')
      return { milliseconds: performance.now() - begun, visitor: pageClient }
    }
    const shownList = async () => {
      const list = await shownAfter('/console/records/student', '[data-row]', true)
      const shift = Number(await list.visitor.page.evaluate('shift'))
      assert.ok(shift < 0.05, `what is shown moves by ${shift}`)
      return list
    }
    const middleRatio = async () => {
      const ratios: number[] = []
      for (let round = 0; round < 3; round += 1) {
        // With all its files, for which it waits on the line alone: how fast the machine is changes it as little as the list.
        const plain = await shownAfter('/login', 'form', false, true)
        await plain.visitor.leave()
        const list = await shownList()
        ratios.push(list.milliseconds / plain.milliseconds)
        await list.visitor.leave()
      }
      process.stdout.write(`# list to plain page, cold: ${ratios.map((each) => each.toFixed(2)).join(', ')}\n`)
      return ratios.sort((a, b) => a - b)[1] as number
    }
    const middle = await minOf(4, middleRatio)
    assert.ok(middle < 4, `a list takes ${middle.toFixed(2)} times as long as a plain page`)
    const { visitor: pageClient } = await shownList()
    const { page } = pageClient
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    const pressed = async () => {
      await page.evaluate('presses = []')
      for (let press = 0; press < 4; press += 1) {
        await page
          .getByLabel(/^Select /)
          .nth(press % 2)
          .click()
        await page.getByRole('button', { name: 'More' }).click()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Escape')
      }
      const presses = ((await page.evaluate('presses')) as number[]).sort((a, b) => a - b)
      const p75 = presses[Math.floor(presses.length * 0.75)] ?? 0
      process.stdout.write(`# interactions: ${presses.length} over 16 ms, p75 ${p75} ms\n`)
      return p75
    }
    const p75 = await minOf(199, pressed)
    assert.ok(p75 < 200, `${p75} ms, and a busy machine has twice the bar of a quiet one`)
    await pageClient.leave()
    await staff.leave()
  },
)

test(
  'the day of a registrar is done by keyboard alone: found, corrected, undone, picked, changed together',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const { press, tabTo } = getKeyboard(page)
    await press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('turing alan')
    await page.getByRole('option', { name: /Alan Turing/ }).waitFor()
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Alan Turing' }).waitFor()
    await tabTo(/^Full record$/)
    await press('Enter')
    await page.getByLabel('City').waitFor()
    await tabTo(/^City$/)
    await page.keyboard.type('Wilmslow')
    await press('Control+s')
    await page
      .getByText('City:  → Wilmslow')
      .or(page.getByText(/City: .*→ Wilmslow/))
      .first()
      .waitFor()
    await tabTo(/^Undo$/)
    await press('Enter')
    await page.getByText('Undone', { exact: true }).waitFor()
    await press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('room')
    await page.getByRole('option', { name: /Room/ }).first().waitFor()
    await press('Enter')
    await page.waitForURL(/records\/room$/)
    await page.getByRole('link', { name: 'Lecture Hall' }).waitFor()
    await press('/')
    await page.keyboard.type('Lecture')
    await page.waitForURL(/q=Lecture$/)
    await press('Tab')
    await tabTo(/^Select Lecture Hall|^Select HTL|^Select /)
    await press('Space')
    await tabTo(/^Change…$/)
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Field$/)
    await page.keyboard.type('Seating')
    await tabTo(/^Value$/)
    await page.keyboard.type('40')
    await press('Enter')
    await page.getByText('1 record will change.').waitFor()
    await tabTo(/^Change 1 record$/)
    await press('Enter')
    await page.getByText('1 record changed').waitFor()
    assert.equal((await resourceClient.list('Room', { fields: '["seating_capacity"]' })).data[0].seating_capacity, '40')
    await staff.leave()
  },
)
