import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { aCampus } from './campus.ts'
import { aStaffMember } from './console-staff.ts'
import { aDocument, anApplication, aStudent, pdf } from './factories.ts'
import { keyboardOf } from './keyboard.ts'
import { aPaper, aScan } from './papers.ts'
import { until } from './service-process.ts'
import { startTestService } from './test-service.ts'
import { assertAccessible, withoutBrowser } from './visitor.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

/** An institution with papers of a student that wait for review, in this order. */
async function handedIn(...papers: readonly Buffer[]) {
  const { tenant } = await aCampus(service)
  const { id: entityId } = await aStudent(tenant.api, { fullName: 'Zoë Reviewed' })
  const ids: string[] = []
  for (const bytes of papers)
    ids.push((await aDocument(service, tenant.api, { entityType: 'student', entityId }, bytes)).id)
  const statusOf = async (id: string) => (await tenant.api.get(`/vault/documents/${id}`)).body.data.status
  return { tenant, ids, statusOf }
}

/** The frame of the paper that is looked at. */
async function readerOf(page: Page): Promise<Frame> {
  const element = await page.locator(':is(.preview:not([hidden]), dialog) iframe').elementHandle()
  return (await element?.contentFrame()) as Frame
}

interface Picture {
  readonly width: number
  readonly height: number
  readonly dark: number
}

/** The picture of a page once it fits: its dots across and down, and how many of them are dark. */
async function pictureOf(frame: Frame, sheet: number, fits: (picture: Picture) => boolean = () => true) {
  let seen: Picture | null = null
  await until(
    async () => {
      seen = await frame.evaluate(`(() => {
        const canvas = document.querySelectorAll('article')[${sheet - 1}]?.querySelector('canvas')
        if (!canvas) return null
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
        copy.drawImage(canvas, 0, 0)
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
        let dark = 0
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && data[at] < 128) dark += 1
        return { width: canvas.width, height: canvas.height, dark }
      })()`)
      return seen !== null && seen.dark > 1000 && fits(seen)
    },
    () => `sheet ${sheet}: ${JSON.stringify(seen)}`,
  )
  return seen as unknown as Picture
}

test(
  'the pages of a PDF are seen beside the facts, zoomed and turned, and are judged by keys wherever the focus was led',
  inBrowser,
  async () => {
    for (const screen of ['desktop', 'phone'] as const) {
      const first = await aPaper({ pages: 3, script: 'app.alert("seen"); app.launchURL("https://elsewhere.example")' })
      const { tenant, ids, statusOf } = await handedIn(first, await aPaper({ pages: 2 }), await aPaper())
      const staff = await aStaffMember(service, tenant, {
        roles: ['Admissions Officer'],
        screen,
        dark: screen === 'phone',
      })
      const { page } = staff
      const popups: string[] = []
      page.on('dialog', (dialog) => popups.push(dialog.message()))
      page.on('popup', (popup) => popups.push(popup.url()))
      const { press } = keyboardOf(page)
      await staff.open('/admissions/review')
      await page.getByText('3 pages', { exact: true }).waitFor()
      const frame = await readerOf(page)
      const natural = await pictureOf(frame, 1)
      assert.ok(natural.height > natural.width)
      await staff.assertAccessible(`a paper on the ${screen}`)
      await assertAccessible(frame, `the pages on the ${screen}`)
      await page.screenshot({ path: `artefacts/papers-${screen}.png` })

      await press('+')
      const larger = await pictureOf(frame, 1, ({ width }) => width > natural.width * 1.2)
      await page.getByRole('button', { name: 'Rotate' }).click()
      await pictureOf(frame, 1, ({ width, height }) => width > height)
      await page.screenshot({ path: `artefacts/papers-turned-${screen}.png` })
      await press('t')
      await press('t')
      await press('t')
      await press('-')
      await pictureOf(frame, 1, ({ width, height }) => height > width && width < larger.width)

      await page.getByRole('region', { name: 'Birth certificate' }).focus()
      await press('End')
      await pictureOf(frame, 3)
      assert.equal(await frame.locator('article').nth(2).textContent(), 'Certificate, sheet 3')
      assert.equal(await frame.locator('article').nth(2).getAttribute('aria-label'), 'Page 3 of 3')

      await page.locator('.preview:not([hidden]) .paper').click()
      await frame.evaluate('document.body.tabIndex = 0; document.body.focus()')
      await page.locator('.paper:focus').waitFor()
      const begun = performance.now()
      await page.keyboard.press('n')
      await page.getByText('2 pages', { exact: true }).waitFor()
      const next = await readerOf(page)
      await pictureOf(next, 1)
      process.stdout.write(`# ${screen}: the next paper is seen after ${Math.round(performance.now() - begun)} ms\n`)
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
      ['en-GB', /is damaged/, /by a password/, 'Open'],
      ['es-MX', /está dañado/, /con contraseña/, 'Abrir'],
      ['pt-BR', /está danificado/, /por senha/, 'Abrir'],
    ] as const
    for (const [locale, damaged, locked, open] of languages) {
      const { tenant, ids, statusOf } = await handedIn(pdf, await aPaper({ userPassword: 'secret' }), aScan())
      const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], locale })
      const { page } = staff
      const shown = page.locator('.preview:not([hidden])')
      await staff.open('/admissions/review')
      for (const fault of [damaged, locked]) {
        await shown.getByText(fault).waitFor()
        await shown.getByRole('link', { name: `${open}: certificate.pdf` }).waitFor()
        await staff.assertAccessible(`${fault}`)
        await page.keyboard.press('a')
      }
      const { width, height, dark } = await pictureOf(await readerOf(page), 1)
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
    const elsewhere = await handedIn(await aPaper())
    const one = await anApplication(tenant.api, { fullName: 'Abe Applied' })
    await aDocument(service, tenant.api, { entityType: 'application', entityId: one.id }, await aPaper({ pages: 2 }))
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen: 'phone' })
    const { page } = staff
    await staff.open(`/admissions/applications/${one.id}`)
    await page.getByRole('button', { name: 'Look at Birth certificate' }).click()
    await page.getByText('2 pages', { exact: true }).waitFor()
    const frame = await readerOf(page)
    const { width } = await pictureOf(frame, 1)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await pictureOf(frame, 1, (picture) => picture.width > width)
    await staff.assertAccessible('a paper in a dialog')
    await page.screenshot({ path: 'artefacts/papers-dialog.png' })
    assert.equal(await frame.evaluate('origin'), 'null')
    assert.equal(await frame.evaluate('try { document.cookie } catch ({ name }) { name }'), 'SecurityError')
    const answer = await page.request.get(frame.url())
    assert.equal(answer.headers()['content-security-policy'], "sandbox allow-scripts; frame-ancestors 'self'")
    const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(await answer.text()) ?? []
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
