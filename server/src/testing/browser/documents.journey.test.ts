import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from 'playwright-core'
import { png } from '../../storage/inspection/sample-files.fixture.ts'
import { aDocument, anApplication, aStudent, pdf } from '../fixtures/factories.ts'
import { aSampleDocument, aScan } from '../fixtures/files/sample-documents.ts'
import { minOf } from '../fixtures/min-work.ts'
import { assertAccessible, withoutBrowser } from '../fixtures/page-client.ts'
import { seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'
import { getKeyboard } from './keyboard.ts'
import { loadPicture, loadReader } from './visible-documents.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

/** An institution with papers of a student that wait for review, in this order. */
async function handedIn(...documents: readonly Buffer[]) {
  const { tenant } = await seedTenant(service)
  const { id: entityId } = await aStudent(tenant.api, { fullName: 'Zoë Reviewed' })
  const ids: string[] = []
  for (const bytes of documents)
    ids.push((await aDocument(service, tenant.api, { entityType: 'student', entityId }, bytes)).id)
  const loadStatus = async (id: string) => (await tenant.api.get(`/vault/documents/${id}`)).body.data.status
  return { tenant, ids, statusOf: loadStatus }
}

test(
  'the pages of a PDF are seen beside the facts, zoomed and turned, and are judged by keys wherever the focus was led',
  inBrowser,
  async () => {
    for (const screen of ['desktop', 'phone'] as const) {
      const first = await aSampleDocument({
        pages: 3,
        script: 'app.alert("seen"); app.launchURL("https://elsewhere.example")',
      })
      const { tenant, ids, statusOf } = await handedIn(
        first,
        await aSampleDocument({ pages: 2 }),
        await aSampleDocument(),
      )
      const staff = await aStaffMember(service, tenant, {
        roles: ['Admissions Officer'],
        screen,
        dark: screen === 'phone',
      })
      const { page } = staff
      const popups: string[] = []
      page.on('dialog', (dialog) => popups.push(dialog.message()))
      page.on('popup', (popup) => popups.push(popup.url()))
      const { press } = getKeyboard(page)
      await staff.open('/admissions/review')
      await page.getByText('3 pages', { exact: true }).waitFor()
      const frame = await loadReader(page)
      const natural = await loadPicture(frame, 1)
      assert.ok(natural.height > natural.width)
      await staff.assertAccessible(`a paper on the ${screen}`)
      await assertAccessible(frame, `the pages on the ${screen}`)
      await page.screenshot({ path: `artefacts/papers-${screen}.png` })

      await press('+')
      const larger = await loadPicture(frame, 1, ({ width }) => width > natural.width * 1.2)
      await page.getByRole('button', { name: 'Rotate' }).click()
      await loadPicture(frame, 1, ({ width, height }) => width > height)
      await page.screenshot({ path: `artefacts/papers-turned-${screen}.png` })
      await press('t')
      await press('t')
      await press('t')
      await press('-')
      await loadPicture(frame, 1, ({ width, height }) => height > width && width < larger.width)

      await page.getByRole('region', { name: 'Birth certificate' }).focus()
      await press('End')
      await loadPicture(frame, 3)
      assert.equal(await frame.locator('article').nth(2).textContent(), 'Certificate, sheet 3')
      assert.equal(await frame.locator('article').nth(2).getAttribute('aria-label'), 'Page 3 of 3')

      await page.locator('.preview:not([hidden]) .paper').click()
      await frame.evaluate('document.body.tabIndex = 0; document.body.focus()')
      await page.locator('.paper:focus').waitFor()
      await page.keyboard.press('n')
      await page.getByText('2 pages', { exact: true }).waitFor()
      await loadPicture(await loadReader(page), 1)
      await page.locator('.preview:not([hidden]) .paper').click()
      await page.keyboard.press('a')
      await page.getByText('1 page', { exact: true }).waitFor()
      assert.equal(await statusOf(ids[1] as string), 'approved')
      await page.keyboard.press('r')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      assert.deepEqual(popups, [])
      // Each was handed out once, to whoever looks.
      const opened = await tenant.api.get('/audit?action=vault_document.downloaded')
      assert.deepEqual(opened.body.data.map(({ entityId }: { entityId: string }) => entityId).sort(), [...ids].sort())
      await staff.leave()
    }
  },
)

test(
  'what cannot be shown says why in the reader’s language, keeps the link that opens it, and leaves the keys to the review',
  inBrowser,
  async () => {
    const languages = [
      ['en-GB', /is damaged/, /password-protected/, 'Open'],
      ['es-MX', /está dañado/, /con contraseña/, 'Abrir'],
      ['pt-BR', /está danificado/, /por senha/, 'Abrir'],
    ] as const
    for (const [locale, damaged, locked, open] of languages) {
      const { tenant, ids, statusOf } = await handedIn(pdf, await aSampleDocument({ userPassword: 'secret' }), aScan())
      const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], locale })
      const { page } = staff
      const shown = page.locator('.preview:not([hidden])')
      await staff.open('/admissions/review')
      for (const validationError of [damaged, locked]) {
        await shown.getByText(validationError).waitFor()
        await shown.getByRole('link', { name: `${open}: certificate.pdf` }).waitFor()
        await staff.assertAccessible(`${validationError}`)
        await page.keyboard.press('a')
      }
      const { width, height, dark } = await loadPicture(await loadReader(page), 1)
      assert.ok(dark > width * height * 0.5, 'the scan is black')
      assert.deepEqual([await statusOf(ids[0] as string), await statusOf(ids[1] as string)], ['approved', 'approved'])
      await staff.leave()
    }
  },
)

test(
  'a paper in an application is seen in its dialog; the reader has no origin, no cookie and no way out, and nobody sees another institution’s',
  inBrowser,
  async () => {
    const { tenant } = await handedIn()
    const elsewhere = await handedIn(await aSampleDocument())
    const one = await anApplication(tenant.api, { fullName: 'Abe Applied' })
    await aDocument(
      service,
      tenant.api,
      { entityType: 'application', entityId: one.id },
      await aSampleDocument({ pages: 2 }),
    )
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen: 'phone' })
    const { page } = staff
    await staff.open(`/admissions/applications/${one.id}`)
    await page.getByRole('button', { name: 'View Birth certificate' }).click()
    await page.getByText('2 pages', { exact: true }).waitFor()
    const frame = await loadReader(page)
    const { width } = await loadPicture(frame, 1)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await loadPicture(frame, 1, (picture) => picture.width > width)
    await staff.assertAccessible('a paper in a dialog')
    await page.screenshot({ path: 'artefacts/papers-dialog.png' })
    assert.equal(await frame.evaluate('origin'), 'null')
    assert.equal(await frame.evaluate('try { document.cookie } catch ({ name }) { name }'), 'SecurityError')
    const response = await page.request.get(frame.url())
    assert.equal(response.headers()['content-security-policy'], "sandbox allow-scripts; frame-ancestors 'self'")
    const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(await response.text()) ?? []
    assert.match(
      policy,
      /^default-src 'none'; script-src 'sha256-\S+' 'wasm-unsafe-eval'; style-src 'sha256-\S+'; worker-src blob:; /,
    )
    assert.doesNotMatch(policy, /https?:|connect-src|img-src|unsafe-inline|'unsafe-eval'|'self'/)
    const foreign = await page.request.get(`${staff.root}/v1/vault/documents/${elsewhere.ids[0]}/download`)
    assert.deepEqual([foreign.status(), (await foreign.json()).code], [404, 'resource_not_found'])
    await staff.leave()
  },
)

/** From a key to the next paper, in milliseconds: the middle of eight. */
async function fromKeyToPaper(): Promise<number> {
  const documents = await Promise.all(Array.from({ length: 9 }, () => aSampleDocument()))
  const { tenant } = await handedIn(...documents)
  const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
  const { page } = staff
  await staff.open('/admissions/review')
  await page.evaluate(`globalThis.presses = []
    new PerformanceObserver((list) => { for (const each of list.getEntries()) if (each.name === 'keydown') presses.push(each.duration) })
      .observe({ type: 'event', durationThreshold: 16 })`)
  const next = page.locator('.preview[hidden] iframe')
  for (let gone = 1; gone < documents.length; gone += 1) {
    await next.waitFor({ state: 'attached' })
    const frame = await (await next.elementHandle())?.contentFrame()
    // Somebody who looks at a paper gives the next one the time to be drawn.
    await loadPicture(frame as Frame, 1)
    await page.keyboard.press('n')
    await page.locator('.preview:not([hidden]) iframe').waitFor()
    assert.equal(await loadReader(page), frame)
  }
  const presses = ((await page.evaluate('presses')) as number[]).sort((a, b) => a - b)
  // What took less than 16 ms is not told.
  const all = [...Array<number>(Math.max(0, documents.length - 1 - presses.length)).fill(0), ...presses]
  process.stdout.write(`# from a key to the next paper: ${all.join(', ')} ms\n`)
  await staff.leave()
  return all[Math.floor(all.length / 2)] as number
}

test('the next paper is there as soon as its key is pressed', inBrowser, async () => {
  const middle = await minOf(199, fromKeyToPaper)
  assert.ok(middle < 200, `${middle} ms, and a busy machine has twice the bar of a quiet one`)
})

test(
  'a file that is attached to a record is looked at over it; what cannot be shown is a link that opens it',
  inBrowser,
  async () => {
    const { tenant } = await handedIn()
    const { studentCode } = await aStudent(tenant.api, { fullName: 'Ada Attached' })
    for (const screen of ['desktop', 'phone'] as const) {
      const staff = await aStaffMember(service, tenant, { screen, dark: screen === 'phone' })
      const { page } = staff
      const { press, tabTo } = getKeyboard(page)
      await staff.open(`/records/student/named/${studentCode}`)
      const files = [
        { name: `report-${screen}.pdf`, mimeType: 'application/pdf', buffer: await aSampleDocument({ pages: 2 }) },
        { name: `photo-${screen}.png`, mimeType: 'image/png', buffer: png },
        { name: `notes-${screen}.txt`, mimeType: 'text/plain', buffer: Buffer.from('Spoke with the family.') },
        {
          name: `drawing-${screen}.svg`,
          mimeType: 'image/svg+xml',
          buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        },
      ]
      await page.getByLabel('Attach a file').setInputFiles(files)
      await page.getByRole('button', { name: `report-${screen}.pdf` }).click()
      await page.getByRole('dialog').getByText('2 pages', { exact: true }).waitFor()
      const { width } = await loadPicture(await loadReader(page), 1)
      await press('+')
      await loadPicture(await loadReader(page), 1, (picture) => picture.width > width)
      await staff.assertAccessible(`an attached PDF on the ${screen}`)
      await staff.picture(`console-attached-${screen}`)
      await press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await tabTo(new RegExp(`^photo-${screen}.png$`))
      await press('Enter')
      const photo = page.getByRole('dialog').getByRole('img')
      await photo.waitFor()
      const isDrawn = `document.querySelector('dialog img').naturalWidth === 1`
      await until(async () => (await page.evaluate(isDrawn)) === true, 'the photo')
      await staff.assertAccessible(`an attached photo on the ${screen}`)
      await press('Escape')
      for (const name of [`notes-${screen}.txt`, `drawing-${screen}.svg`]) {
        const address = await page.getByRole('link', { name }).getAttribute('href')
        assert.match(address as string, /\/private\/files\//)
      }
      await staff.leave()
    }
  },
)

test(
  'a file elsewhere is never asked for by the page itself, whatever type it is said to be of',
  inBrowser,
  async () => {
    const { tenant, resourceClient } = await seedTenant(service)
    const { studentCode } = await aStudent(tenant.api, { fullName: 'Ada Attached' })
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    await resourceClient.make('File', {
      file_name: 'portrait.png',
      file_url: `${staff.root}/api/method/logout`,
      file_type: 'image/png',
      attached_to_doctype: 'Student',
      attached_to_name: studentCode,
    })
    await staff.open(`/records/student/named/${studentCode}`)
    const link = page.getByRole('link', { name: 'portrait.png' })
    assert.equal(await link.getAttribute('href'), `${staff.root}/api/method/logout`)
    assert.equal(await link.getAttribute('target'), '_blank')
    assert.equal(await page.getByRole('button', { name: 'portrait.png' }).count(), 0)
    await staff.leave()
  },
)
