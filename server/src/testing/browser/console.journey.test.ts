import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pluralOf } from '@matricula/contract/navigation'
import { recordTypes } from '@matricula/contract/record-types'
import { flatten, readCatalogue } from '../../app/generation/catalogues/catalogue.ts'
import { recordRegistry } from '../../app/record-definitions.ts'
import { aDocument, anApplication, aStudent, aUser, pdf } from '../fixtures/factories.ts'
import { openPageClient, withoutBrowser } from '../fixtures/page-client.ts'
import { seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember, logIn } from './console-staff.ts'
import { getKeyboard } from './keyboard.ts'

const typePlurals = new Map(flatten(readCatalogue('console/messages/plurals', 'en')))
const typeNames = new Map(flatten(readCatalogue('console/messages/names', 'en')))

const service = await startTestService()
const seededTenant = await seedTenant(service)
const { tenant, resourceClient, students } = seededTenant
const address = `${service.address}/t/${tenant.slug}`
const getSlug = (type: string) => type.toLowerCase().replaceAll(' ', '-')
const inBrowser = { skip: withoutBrowser }

/** How many drafts the browser keeps. */
const keptDrafts = `new Promise((resolve) => {
  const opening = indexedDB.open('matricula-drafts')
  opening.onsuccess = () => {
    const counting = opening.result.transaction('drafts').objectStore('drafts').count()
    counting.onsuccess = () => { opening.result.close(); resolve(counting.result) }
  }
})`

test('the page is not kept and may run nothing but its own files, which are kept for good and come compressed', async () => {
  const page = await fetch(`${address}/console/records/student`, { headers: { 'accept-encoding': 'br' } })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const boot = `</t/${tenant.slug}/console/v1/boot>; rel=preload; as=fetch; crossorigin=anonymous`
  const [first, ...files] = (page.headers.get('link') ?? '').split(', ')
  assert.equal(first, boot)
  const preloaded = files.map((file) => /^<(.+)>; rel=modulepreload$/.exec(file)?.[1] ?? file)
  for (const name of ['record-list-', 'student-', 'english-'])
    assert.ok(
      preloaded.some((file) => file.startsWith(`/console/assets/${name}`)),
      name,
    )
  for (const file of preloaded) assert.equal((await fetch(service.address + file)).status, 200, file)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /script-src 'self'.*require-trusted-types-for 'script'; trusted-types 'none'$/)
  assert.doesNotMatch(policy, /unsafe|nonce/)
  const html = await page.text()
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|style=|<style/)
  const [, script] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html) ?? []
  const texts = new Set<string>()
  for (const encoding of ['br', 'gzip', 'identity']) {
    const asset = await fetch(service.address + script, { headers: { 'accept-encoding': encoding } })
    assert.equal(asset.status, 200)
    assert.equal(asset.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
    texts.add(await asset.text())
  }
  assert.equal(texts.size, 1)
  assert.match([...texts].join(), /import/)
  assert.equal((await fetch(`${service.address}/console/assets/../../package.json`)).status, 404)
  assert.equal((await fetch(`${service.address}/console/assets/none.js`)).status, 404)
  for (const path of ['/t/nowhere/console/', '/console/']) {
    assert.equal((await fetch(service.address + path)).status, 404, path)
  }
  const resourceClient = await fetch(`${address}/app`, { redirect: 'manual' })
  assert.equal(resourceClient.headers.get('location'), `/t/${tenant.slug}/console/`)
})

test(
  'who is there is asked once, while the files come, and a screen whose file does not come is told and can be tried again',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const isScreen = /\/assets\/record-list-/
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.route(isScreen, (route) => route.abort())
    await page.goto(`${staff.root}/records/student`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    const boots = asked.filter((url) => url.endsWith('/console/v1/boot'))
    assert.equal(boots.length, 1)
    assert.ok(asked.indexOf(boots[0] as string) < asked.findIndex((url) => isScreen.test(url)))
    await page.unroute(isScreen)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('[data-row]').first().waitFor()
    await staff.leave()
  },
)

test(
  'whoever logs in sees the console of the institution, on each width, dark and light, in each language',
  inBrowser,
  async () => {
    const { email, password } = await aUser(service, tenant, { email: 'first@school.example' })
    for (const screen of ['desktop', 'phone'] as const) {
      for (const dark of [false, true]) {
        const pageClient = await openPageClient(service.address, { screen, dark, locale: dark ? 'pt-BR' : 'es-MX' })
        const { page } = pageClient
        await page.goto(`${address}/console/`)
        await logIn(page, email, 'wrong')
        await page.locator('[role=alert]').waitFor()
        await pageClient.assertAccessible('log-in refused')
        await pageClient.picture(`console-log-in-${screen}-${dark ? 'dark' : 'light'}`)
        await logIn(page, email, password)
        await page.locator('main#main').waitFor()
        await pageClient.assertAccessible('home')
        await pageClient.picture(`console-home-${screen}-${dark ? 'dark' : 'light'}`)
        const shown = await page.locator('body').innerText()
        assert.doesNotMatch(shown, /Students|Admissions|Get started|Search or go to/)
        await page.keyboard.press('Control+k')
        const field = page.getByRole('combobox')
        // Types are found by their plural names, too.
        await field.fill(dark ? 'responsaveis' : 'tutores')
        await pageClient.assertAccessible('palette')
        await pageClient.picture(`console-palette-${screen}-${dark ? 'dark' : 'light'}`)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/records/guardian')
        await page
          .getByRole('heading', { name: dark ? 'Responsáveis' : 'Tutores', exact: true })
          .first()
          .waitFor()
        await pageClient.leave()
      }
    }
  },
)

test(
  'a list is searched, filtered, sorted and changed together, and its address says all of it',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    await staff.open('/records/student')
    await page.getByRole('link', { name: 'Ada Byron' }).waitFor()
    await page.getByText('2 records', { exact: true }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('turing')
    await page.waitForURL('**/records/student?q=turing')
    await page.getByRole('link', { name: 'Ada Byron' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Alan Turing' }).click()
    await page.getByRole('heading', { name: 'Alan Turing' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Alan Turing' }).waitFor()
    assert.equal(await page.getByLabel('Search', { exact: true }).inputValue(), 'turing')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field').selectOption({ label: 'First Name' })
    await dialog.getByLabel('Value').fill('ad')
    await staff.assertAccessible('adding a filter')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL('**/records/student?f=first_name%3Ahas%3Aad')
    await page.getByRole('link', { name: 'Alan Turing' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove filter First Name contains ad' }).click()
    await page.getByRole('button', { name: 'Student Name', exact: true }).click()
    await page.waitForURL('**/records/student?sort=student_name')
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Change…' }).click()
    await dialog.getByLabel('Field').selectOption({ label: 'Nationality' })
    await dialog.getByLabel('Value').fill('Neptunian')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Change 2 records' }).click()
    await page.getByText('2 records changed').waitFor()
    for (const student of students)
      assert.equal((await resourceClient.read('Student', student)).data.nationality, 'Neptunian')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'More' })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'Export CSV' }).click()),
    ])
    assert.equal(file.suggestedFilename(), 'Student.csv')
    await staff.assertAccessible('list')
    await staff.picture('console-list-desktop')
    // A desk of 1240 pixels shows all columns of long values, without going sideways.
    const long = { first_name: 'Maximiliana Alejandra', last_name: 'Montgomery-Featherstonehaugh' }
    const reached = {
      student_email_id: 'maximiliana.montgomery@families.example',
      student_mobile_number: '+51 999 888 777',
    }
    await resourceClient.make('Student', { ...long, ...reached, joining_date: '2026-03-01' })
    await page.setViewportSize({ width: 1240, height: 800 })
    await staff.open('/records/student')
    await page.getByRole('link', { name: /^Maximiliana/ }).waitFor()
    const sideways = 'document.querySelector(".sheet").scrollWidth - document.querySelector(".sheet").clientWidth'
    assert.equal(await page.evaluate(sideways), 0)
    await staff.picture('console-list-1240')
    await staff.leave()
  },
)

test(
  'a record is made, its faults are named, it is changed, and somebody else’s change is never lost',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant, { screen: 'phone' })
    const { page } = staff
    await staff.open('/records/student/new')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Fix these fields to save').waitFor()
    await staff.assertAccessible('faults of a form')
    await staff.picture('console-form-faults-phone')
    await page.getByLabel('First Name *').fill('Grace')
    await page.getByLabel('Last Name', { exact: true }).fill('Hopper')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await staff.assertAccessible('record')
    await staff.picture('console-record-phone')
    const name = decodeURIComponent(page.url().split('/').at(-1) as string)
    const type = (city: string) => page.getByLabel('City').fill(city)
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
    await type('Arlington')
    await save()
    await page.getByText('Saved', { exact: true }).waitFor()
    // Somebody else changes another field while something is typed, then the same one.
    await type('New York')
    assert.equal((await resourceClient.update('Student', name, { nationality: 'American' })).error, null)
    await save()
    await page.getByText('Saved and merged with changes by another user').waitFor()
    const merged = (await resourceClient.read('Student', name)).data
    assert.deepEqual([merged.city, merged.nationality], ['New York', 'American'])
    await type('Chicago')
    assert.equal((await resourceClient.update('Student', name, { city: 'Boston' })).error, null)
    await save()
    await page.getByRole('heading', { name: 'Someone else changed this record' }).waitFor()
    await staff.assertAccessible('conflict')
    await staff.picture('console-conflict-phone')
    assert.equal((await resourceClient.read('Student', name)).data.city, 'Boston')
    // What holds is chosen by keyboard alone.
    const { press, tabTo } = getKeyboard(page)
    assert.ok(await page.getByLabel('Keep yours: Chicago').isChecked())
    await page.getByLabel('Keep yours: Chicago').focus()
    await press('ArrowDown')
    assert.ok(await page.getByLabel('Keep theirs: Boston').isChecked())
    await press('ArrowUp')
    await tabTo(/^Save selected values$/)
    await press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
    assert.equal((await resourceClient.read('Student', name)).data.city, 'Chicago')
    assert.match(staff.refusedCalls().join('\n'), /^417 PUT \S+\n417 PUT \S+$/)
    await staff.leave()
  },
)

test(
  'somebody is found from anywhere without accents, and what is changed stands in the history and is undone',
  inBrowser,
  async () => {
    const { name } = await resourceClient.make('Student', {
      first_name: 'José',
      last_name: 'García Peña',
      city: 'Lima',
    })
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('pena jose')
    await page.getByRole('option', { name: /José García Peña/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'José García Peña' }).waitFor()
    await page.getByRole('link', { name: 'Full record' }).click()
    await page.getByLabel('City').fill('Cusco')
    await page.keyboard.press('Control+s')
    // It is offered in passing: what takes longer is looked at afterwards.
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('City: Cusco → Lima').waitFor()
    await page.getByText('City: Lima → Cusco').waitFor()
    assert.equal((await resourceClient.read('Student', name)).data.city, 'Lima')
    await staff.assertAccessible('history')
    await staff.picture('console-record-desktop')
    await staff.leave()
  },
)

test('a list keeps its views, and says without a jump that somebody else changed it', inBrowser, async () => {
  const staff = await aStaffMember(service, tenant)
  const { page } = staff
  await staff.open('/records/room?sort=-room_name')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByLabel('Name of the view').fill('Rooms backwards')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Rooms backwards', exact: true }).waitFor()
  await staff.open('/records/room')
  await page.getByRole('button', { name: 'Rooms backwards', exact: true }).click()
  await page.waitForURL('**/records/room?sort=-room_name')
  await page.getByRole('link', { name: 'Lecture Hall' }).waitFor()
  // What is made before the page listens is in the list, which is read again then.
  await staff.untilRead()
  await resourceClient.make('Room', { room_name: 'Lab' })
  await page.getByRole('button', { name: /^Show .*changes?$/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Lab', exact: true }).count(), 0)
  await page.getByRole('button', { name: /^Show .*changes?$/ }).click()
  await page.getByRole('link', { name: 'Lab', exact: true }).waitFor()
  await staff.assertAccessible('list with views')
  await staff.leave()
})

test('no role is shown a place that refuses it', inBrowser, async () => {
  for (const role of ['Academics User', 'Education Manager', 'Accounts User', 'Admissions Officer', 'Instructor']) {
    const staff = await aStaffMember(service, tenant, { roles: [role] })
    const { page } = staff
    const hrefs = '[...document.querySelectorAll("nav.side a")].map((link) => link.getAttribute("href"))'
    const locations = (await page.evaluate(hrefs)) as string[]
    assert.ok(locations.length > 2, role)
    for (const location of locations) {
      await page.locator(`nav.side a[href="${location}"]`).click()
      await page.waitForURL(`**${location}`)
      // What was shown before is there until the next screen has come.
      await staff.untilRead()
      await page.locator('main h1').first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.doesNotMatch(await page.locator('main h1').first().innerText(), /Page not found/, `${role} at ${location}`)
      assert.deepEqual(staff.refusedCalls(), [], `${role} at ${location}`)
      const create = page.getByRole('link', { name: 'New', exact: true })
      if ((await create.count()) === 0) continue
      await create.click()
      await page.getByRole('button', { name: 'Create' }).waitFor()
      assert.deepEqual(staff.refusedCalls(), [], `${role} at a new record of ${location}`)
    }
    await staff.leave()
  }
})

test(
  'applications are moved along the pipeline by menu, on a desk and a phone, and a move is undone',
  inBrowser,
  async () => {
    const { id } = await anApplication(tenant.api, { fullName: 'Tyrone Dyer' })
    const loadStatus = async () => (await tenant.api.get(`/admissions/applications/${id}`)).body.data.status
    const before = await loadStatus()
    for (const screen of ['desktop', 'phone'] as const) {
      const staff = await aStaffMember(service, tenant, {
        roles: ['Admissions Officer'],
        screen,
        dark: screen === 'phone',
      })
      const { page } = staff
      await staff.open('/admissions/board')
      await page.getByRole('link', { name: 'Tyrone Dyer' }).waitFor()
      await page.getByRole('button', { name: 'Move Tyrone Dyer to…' }).click()
      await staff.assertAccessible('board with its menu open')
      await staff.picture(`console-board-${screen}`)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByText(/^Tyrone Dyer: moved to/).waitFor()
      assert.notEqual(await loadStatus(), before)
      await page.getByRole('button', { name: 'Undo' }).click()
      await until(
        async () => (await loadStatus()) === before,
        () => 'the status before',
      )
      await staff.leave()
    }
  },
)

test(
  'papers are judged one after the other by keys, and the family reads why one was rejected',
  inBrowser,
  async () => {
    const { id } = await aStudent(tenant.api, { fullName: 'Zoë Reviewed', email: 'zoe@example.org' })
    const owner = { entityType: 'student', entityId: id }
    const [first, second] = [await aDocument(service, tenant.api, owner), await aDocument(service, tenant.api, owner)]
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    const loadStatus = async (document: string) => (await tenant.api.get(`/vault/documents/${document}`)).body.data
    await staff.open('/admissions/review')
    await page.getByText('2 waiting').waitFor()
    await page.getByRole('link', { name: 'Zoë Reviewed' }).waitFor()
    await page.getByRole('link', { name: /Open: certificate\.pdf/ }).waitFor()
    await staff.assertAccessible('paper')
    await staff.picture('console-review-desktop')
    await page.keyboard.press('a')
    await page.getByText('1 waiting').waitFor()
    assert.equal((await loadStatus(first.id)).status, 'approved')
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'A page is missing.' }).click()
    await staff.assertAccessible('rejecting')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject…' }).click()
    await page.getByRole('heading', { name: 'No documents to review' }).waitFor()
    const { status, rejectionReason } = await loadStatus(second.id)
    assert.deepEqual([status, rejectionReason], ['rejected', 'A page is missing.'])
    await staff.assertAccessible('nothing to review')
    await staff.leave()
  },
)

test(
  'families are asked after a look at who gets what, and what one hands in on its page appears by itself',
  inBrowser,
  async () => {
    const families = await Promise.all(
      ['Nora Asked', 'Otto Asked'].map((fullName, index) =>
        anApplication(tenant.api, { fullName, ...(index === 0 && { email: 'nora@example.org' }) }),
      ),
    )
    const ids = new Set(families.map(({ id }) => id))
    const requests = async (status = '') =>
      (await tenant.api.get(`/vault/requests?limit=100${status}`)).body.data.filter(
        ({ entityId }: { entityId: string }) => ids.has(entityId),
      )
    for (const screen of ['phone', 'desktop'] as const) {
      const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen })
      const { page } = staff
      await staff.open('/admissions/requests')
      await page.getByRole('link', { name: 'Request documents…' }).click()
      for (const { fullName } of families) {
        await page.getByLabel('Add by name').fill(fullName)
        await page.getByRole('option', { name: new RegExp(fullName) }).waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: `Remove ${fullName}` }).waitFor()
      }
      await page.getByLabel('Selected documents').check()
      await page.getByLabel('Birth certificate').check()
      await page.getByLabel('E-mail language').selectOption('es')
      await staff.assertAccessible('asking')
      await staff.picture(`console-ask-${screen}`)
      await page.getByRole('button', { name: 'Preview recipients' }).click()
      await page.getByText('E-mails are sent in Spanish.').waitFor()
      await page.getByText('No e-mail address. Share the link yourself').waitFor()
      await staff.assertAccessible('who gets what')
      await staff.picture(`console-ask-preview-${screen}`)
      assert.equal((await requests()).length, screen === 'phone' ? 0 : 2)
      if (screen === 'desktop') {
        await staff.leave()
        continue
      }
      const answers: string[] = []
      page.on('response', async (response) => {
        if (response.request().method() === 'POST' && response.url().endsWith('/vault/requests')) {
          const { data } = (await response.json()) as { data: { entityLabel: string; publicUrl: string } }
          if (data.entityLabel === 'Otto Asked') answers.push(data.publicUrl)
        }
      })
      await page.getByRole('button', { name: 'Send 2 requests' }).dblclick()
      await page.getByText('2 of 2 requests sent').waitFor()
      assert.equal((await requests()).length, 2)
      await page.getByRole('link', { name: 'View requests' }).click()
      const card = page.locator('.cards-of-requests > li', { hasText: 'Otto Asked' })
      await card.getByText('Missing', { exact: true }).waitFor()
      await staff.assertAccessible('requests')
      // It is handed in after the page was read and before it listens.
      const hear = await staff.deafen()
      await page.reload()
      await card.getByText('Missing', { exact: true }).waitFor()
      const [url] = answers
      const family = await openPageClient(service.address, { screen: 'phone', locale: 'es-MX' })
      await family.page.goto((url as string).replace('https://matricula.example', service.address))
      await family.page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: pdf })
      await until(
        async () => (await requests()).some(({ status }: { status: string }) => status !== 'open'),
        'what was handed in',
      )
      hear()
      await card.getByText('Received', { exact: true }).waitFor()
      await family.leave()
      await staff.picture(`console-requests-${screen}`)
      await page.getByRole('button', { name: /^Send reminders/ }).click()
      await staff.assertAccessible('reminding')
      await page.getByRole('dialog').getByRole('button', { name: 'Send reminder', exact: true }).click()
      await page.getByText(/^1 of 1 reminders sent/).waitFor()
      await card.getByRole('button', { name: /^Revoke/ }).click()
      await page.getByLabel('Reason (visible to staff only)').fill('On paper.')
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke…' }).click()
      await card.getByText('Revoked', { exact: true }).waitFor()
      assert.equal((await requests('&status=revoked'))[0].revokedReason, 'On paper.')
      await staff.leave()
    }
  },
)

test('the page of a student answers what is asked on the phone, by right', inBrowser, async () => {
  for (const screen of ['desktop', 'phone'] as const) {
    const staff = await aStaffMember(service, tenant, { screen, dark: screen === 'desktop' })
    const { page } = staff
    await staff.open(`/students/${students[0]}`)
    await page.getByRole('heading', { level: 1, name: 'Ada Byron' }).waitFor()
    for (const fact of ['Group', 'Balance due', 'Documents', 'Today']) {
      assert.ok(await page.locator('dt', { hasText: fact }).first().isVisible(), fact)
    }
    await staff.assertAccessible('profile')
    await staff.picture(`console-profile-${screen}`)
    await page.getByRole('link', { name: 'Full record' }).click()
    await page.getByLabel('First Name *').waitFor()
    await staff.leave()
  }
})

test(
  'whoever may read students for their fees finds one by name, and nothing leads where there is no right',
  inBrowser,
  async () => {
    const bursar = await aStaffMember(service, tenant, { roles: ['Accounts User'] })
    const { page } = bursar
    await bursar.open('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('ada byr')
    await page.getByRole('option').filter({ hasText: 'Ada Byron' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ada Byron' }).waitFor()
    assert.ok(await page.locator('dt', { hasText: 'Balance due' }).isVisible())
    assert.equal(await page.getByRole('link', { name: 'Full record' }).count(), 0)
    assert.deepEqual(bursar.refusedCalls(), [])
    await bursar.leave()
  },
)

test(
  'what was typed is there after the page was loaded again, and after the session ended in the middle',
  inBrowser,
  async (context: TestContext) => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    page.on('dialog', (dialog) => void dialog.accept())
    await staff.open(`/records/student/named/${students[0]}`)
    await page.getByLabel('City').fill('London')
    await until(
      async () => Number(await page.evaluate(keptDrafts)) > 0,
      () => 'a draft',
    )
    await page.reload()
    await page.getByText('Your unsaved changes were restored.').waitFor()
    assert.equal(await page.getByLabel('City').inputValue(), 'London')
    await staff.untilRead()
    context.diagnostic('the session ends on the server, as by an administrator')
    await service.database.inspect('delete from sessions where tenant_id = $1', [tenant.id])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await staff.assertAccessible('logging in again')
    await staff.picture('console-log-in-again-desktop')
    await page.locator('input[name=password]').fill(staff.password)
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await resourceClient.read('Student', students[0])).data.city, 'London')
    assert.ok(staff.refusedCalls().every((call) => /^40[13] /.test(call)))
    await staff.leave()
  },
)

test(
  'every declared record type has a list and a form, for which nothing is refused and which are accessible',
  inBrowser,
  async () => {
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    for (const type of recordTypes) {
      const path = JSON.stringify(`/t/${tenant.slug}/console/records/${getSlug(type.name)}`)
      await page.evaluate(`history.pushState(null, '', ${path}); dispatchEvent(new PopStateEvent('popstate'))`)
      const heading =
        type.kind === 'single'
          ? (typeNames.get(type.name) ?? type.name)
          : (typePlurals.get(type.name) ?? pluralOf(type.name))
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      // What the service alone writes is made by nobody.
      if (type.kind !== 'single' && !recordRegistry.require(type.name).isWrittenByService) {
        await page.getByRole('link', { name: 'New', exact: true }).click()
        await page
          .getByRole('heading', { level: 1, name: `New ${typeNames.get(type.name) ?? type.name}`, exact: true })
          .waitFor()
      }
      await staff.assertAccessible(`form of ${type.name}`)
      assert.deepEqual(staff.refusedCalls(), [], type.name)
    }
    await staff.leave()
  },
)
