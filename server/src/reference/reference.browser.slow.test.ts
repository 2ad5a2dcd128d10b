import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import Fastify from 'fastify'
import { addRecordReferenceRoutes, sessionMethods } from '../resource-api/index.ts'
import { records } from '../testing/fixtures/all-records.ts'
import { openPageClient, withoutBrowser } from '../testing/fixtures/page-client.ts'
import { afterFile } from '../testing/runner/file-end.ts'
import { addReferenceRoutes } from './reference-routes.ts'

// The pages need nothing of the service but themselves.
const app = Fastify()
let origin = ''

before(async () => {
  const publicUrl = 'https://matricula.example'
  const methods = [...sessionMethods.values(), ...records.methods.values()]
  addRecordReferenceRoutes(addReferenceRoutes(app, { publicUrl }), { publicUrl }, records.registry.declared(), methods)
  await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})

afterFile(() => app.close())

/** One page of each kind. */
const kinds = [
  '/docs',
  '/docs/conventions',
  '/docs/api/payments',
  '/docs/api/webhooks',
  '/docs/guides',
  '/docs/guides/growing',
  '/docs/changelog',
  '/docs/decisions/0002-dependencies',
  '/docs/records',
  '/docs/records/student-applicant',
  '/docs/methods',
  '/docs/methods/login',
  '/docs/search',
  '/problems',
  '/problems/validation_failed',
]

test('every kind of page is accessible on a phone and on a desk, light and dark', {
  skip: withoutBrowser,
}, async () => {
  for (const [screen, dark] of [
    ['phone', false],
    ['desktop', true],
  ] as const) {
    const pageClient = await openPageClient(origin, { screen, dark })
    for (const path of kinds) {
      await pageClient.page.goto(origin + path)
      await pageClient.assertAccessible(`${path} ${screen}`)
    }
    await pageClient.leave()
  }
})

test('what is searched for is found while it is typed, chosen by keyboard, and gone to', {
  skip: withoutBrowser,
}, async () => {
  const pageClient = await openPageClient(origin, { screen: 'desktop', dark: false })
  const { page } = pageClient
  await page.goto(`${origin}/docs/api/students`)
  await page.keyboard.press('/')
  await page.keyboard.type('create payment')
  const first = page.getByRole('option').first()
  await first.waitFor()
  assert.match((await first.textContent()) ?? '', /^Create a payment/)
  await pageClient.assertAccessible('search')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/docs/api/payments#createPayment`)
  await page.keyboard.press('/')
  await page.keyboard.type('<b>nothing</b> of the kind')
  await page.getByText('Nothing has all of these words.').waitFor()
  await page.keyboard.press('Escape')
  await pageClient.leave()
})

test('an address from the time of one page leads to where its part is now', { skip: withoutBrowser }, async () => {
  const pageClient = await openPageClient(origin, { screen: 'desktop' })
  for (const [old, now] of [
    ['createPayment', '/docs/api/payments#createPayment'],
    ['schema-Student', '/docs/api/students#schema-Student'],
    ['idempotency', '/docs/conventions#idempotency'],
    ['header-Sync-Watermark', '/docs/conventions#header-Sync-Watermark'],
  ]) {
    await pageClient.page.goto(`${origin}/docs#${old}`)
    await pageClient.page.waitForURL(origin + now)
    await pageClient.page.goto('about:blank')
  }
  await pageClient.page.goto(`${origin}/docs`)
  await pageClient.leave()
})

test('examples are of one language at a time, the same on the next page, and can be copied', {
  skip: withoutBrowser,
}, async () => {
  const pageClient = await openPageClient(origin, { screen: 'desktop' })
  const { page } = pageClient
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${origin}/docs/api/payments`)
  const shown = () =>
    page
      .locator('.examples figure:visible')
      .evaluateAll((all) => [
        ...new Set(all.map((one) => (one as unknown as { dataset: { language: string } }).dataset.language)),
      ])
  assert.deepEqual(await shown(), ['sh'])
  await page.getByRole('button', { name: 'Python' }).first().click()
  assert.deepEqual(await shown(), ['python'])
  await page.goto(`${origin}/docs/api/students`)
  assert.deepEqual(await shown(), ['python'])
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByText('Copied.').waitFor()
  assert.match((await page.evaluate('navigator.clipboard.readText()')) as string, /^import os\n\nimport requests/)
  await pageClient.leave()
})

test('without JavaScript every example is shown and the search is a list', { skip: withoutBrowser }, async () => {
  const pageClient = await openPageClient(origin, { javaScript: false })
  const { page } = pageClient
  await page.goto(`${origin}/docs/api/token`)
  assert.equal(await page.locator('.examples figure:visible').count(), 3)
  await page.getByRole('link', { name: 'Search' }).click()
  await page.waitForURL(`${origin}/docs/search`)
  assert.ok(await page.getByRole('link', { name: 'Create a student', exact: true }).isVisible())
  await pageClient.leave()
})
