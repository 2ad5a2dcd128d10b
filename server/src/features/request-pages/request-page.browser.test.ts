import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openCutConnection } from '../../testing/browser/cut-line.ts'
import { pdf } from '../../testing/fixtures/factories.ts'
import { openPageClient, type PageClientOptions, withoutBrowser } from '../../testing/fixtures/page-client.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aLink, certificate, choose, item, received } from './request-page.fixture.ts'

const service = await startTestService()
const options = { skip: withoutBrowser }

async function at(url: string, visitorOptions: PageClientOptions = {}) {
  const pageClient = await openPageClient(service.address, visitorOptions)
  await pageClient.page.goto(url)
  return pageClient
}

async function drop(page: Page, label: string, ...names: string[]): Promise<void> {
  const files = names.map(
    (name) =>
      `data.items.add(new File([${JSON.stringify(pdf.toString())}], ${JSON.stringify(name)}, { type: 'application/pdf' }))`,
  )
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); ${files.join(';')}; return data })()`,
  )
  await item(page, label).dispatchEvent('dragover', { dataTransfer })
  await item(page, label).dispatchEvent('drop', { dataTransfer })
}

/** Reads the live region once it matches. */
function announced(page: Page, text: RegExp): Promise<void> {
  return page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
}

test('the request page on a phone: upload a file, submit, and get a receipt', options, async () => {
  const { url, request, api } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url)
  const { page } = pageClient
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), (await api.get('/me')).body.data.tenant.name)
  const submit = page.getByRole('button', { name: 'Send documents' })
  assert.equal(await submit.getAttribute('aria-disabled'), 'true')
  await submit.click({ force: true })
  await announced(page, /Still missing: Birth certificate/)
  assert.equal(page.url(), url)
  assert.ok(await item(page, 'Birth certificate').getByText('Take photo', { exact: true }).isVisible())
  await pageClient.picture('request-open-phone')
  await choose(page, 'Birth certificate', certificate)
  await received(page, 'Birth certificate')
  await announced(page, /certificate\.pdf has been received/)
  assert.equal(await submit.getAttribute('aria-disabled'), null)
  await pageClient.picture('request-ready-phone')
  await submit.click()
  await page.waitForURL(/\/receipt$/)
  assert.match(await page.locator('main').innerText(), /Thank you, Ada\.[\s\S]*certificate\.pdf/)
  await pageClient.picture('request-receipt-phone')
  const stored = (await api.get(`/vault/requests/${request.id}`)).body.data
  assert.deepEqual(
    [stored.items[0].status, stored.status, stored.submittedAt !== null],
    ['uploaded', 'partially_completed', true],
  )
  await pageClient.leave()
})

test('the request page: one dropped file is uploaded; two at once are not', options, async () => {
  const { url } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url, { screen: 'desktop' })
  const { page } = pageClient
  assert.ok(await item(page, 'Birth certificate').getByText('or drop a file here').isVisible())
  await drop(page, 'Birth certificate', 'one.pdf', 'two.pdf')
  await item(page, 'Birth certificate').getByText('One file at a time, please.').waitFor()
  await drop(page, 'Birth certificate', 'one.pdf')
  await received(page, 'Birth certificate')
  await pageClient.picture('request-received-desktop')
  await pageClient.leave()
})

test('the request page: a rejected file is explained, before the upload and by its content', options, async () => {
  const { url, request, api } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url)
  const { page } = pageClient
  const card = item(page, 'Birth certificate')
  await choose(page, 'Birth certificate', { name: 'song.mp3', mimeType: 'audio/mpeg', buffer: pdf })
  await card.getByText('song.mp3 is not accepted. Send PDF, JPG, PNG, WebP, or HEIC.').waitFor()
  await announced(page, /song\.mp3 is not accepted/)
  await choose(page, 'Birth certificate', { ...certificate, name: 'empty.pdf', buffer: Buffer.alloc(0) })
  await card.getByText('empty.pdf is empty. Choose another file.').waitFor()
  await choose(page, 'Birth certificate', { ...certificate, name: 'large.pdf', buffer: Buffer.alloc(21 * 1024 * 1024) })
  await card.getByText('large.pdf is too large: 21 MB. The limit is 20 MB.').waitFor()
  await choose(page, 'Birth certificate', { ...certificate, buffer: Buffer.from('no document at all') })
  await card.getByText('The file’s content does not match its name.').waitFor()
  await pageClient.assertAccessible('refused')
  await pageClient.picture('request-refused-phone')
  assert.equal((await api.get(`/vault/requests/${request.id}`)).body.data.items[0].status, 'pending')
  await choose(page, 'Birth certificate', certificate)
  await received(page, 'Birth certificate')
  await pageClient.leave()
})

test('the request page: an upload is retried after a lost connection and succeeds', options, async () => {
  const { url } = await aLink(service.address, await service.tenant())
  const pageClient = await openPageClient(service.address)
  const { page } = pageClient
  await page.clock.install()
  await page.goto(url)
  let tries = 0
  await page.route('**/items/*', (route) => {
    tries += 1
    return tries <= 2 ? route.abort('connectionreset') : route.continue()
  })
  // The message until the next attempt stays readable.
  await page.clock.pauseAt(Date.now() + 1_000)
  await choose(page, 'Birth certificate', certificate)
  await announced(page, /The connection was lost\. Trying again in 1 s/)
  await pageClient.picture('request-retrying-phone')
  await page.clock.resume()
  await received(page, 'Birth certificate')
  assert.equal(tries, 3)
  await pageClient.leave()
})

test('the request page: a stored file is shown as received while the page cannot be reloaded', options, async () => {
  const { url } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url)
  const { page } = pageClient
  let isCut = true
  await page.route(url, (route) => (isCut ? route.abort('internetdisconnected') : route.continue()))
  await choose(page, 'Birth certificate', certificate)
  const card = item(page, 'Birth certificate')
  await card.getByText('certificate.pdf has been received.').waitFor()
  assert.equal(await card.getByText('Choose file', { exact: true }).isVisible(), false)
  await pageClient.assertAccessible('received without a page')
  isCut = false
  await received(page, 'Birth certificate')
  await pageClient.leave()
})

test('the request page offline: explains what to do, and shows stored files afterwards', options, async () => {
  const tenant = await service.tenant()
  const line = await openCutConnection(service.address)
  const { url, request, api } = await aLink(service.address, tenant)
  const pageClient = await openPageClient(line.address)
  const { page } = pageClient
  await page.clock.install()
  await page.goto(url.replace(service.address, line.address))
  const card = item(page, 'Birth certificate')
  const wait = (messages: string) =>
    until(async () => {
      if ((await page.getByText(messages).count()) > 0) return true
      await page.clock.runFor(1_000)
      return false
    }, messages)
  line.cut('after', 'POST', /\/items\/[^/]+$/, 99)
  await page.route('**/r/*', (route) => route.abort('internetdisconnected'))
  await choose(page, 'Birth certificate', certificate)
  await wait('Upload certificate.pdf again. It is stored only once.')
  await pageClient.assertAccessible('lost')
  await page.unroute('**/r/*')
  await page.clock.runFor(4_000)
  await received(page, 'Birth certificate')
  line.cut('before', 'POST', /\/remove$/, 99)
  await card.getByText('Replace file').click()
  await card.getByRole('button', { name: 'Remove file' }).click()
  await wait('The connection was lost, and the file may still be here. Remove it again.')
  line.cut('before', 'POST', /\/submit$/, 99)
  await page.getByRole('button', { name: 'Send documents' }).click()
  await wait('Send them again. They count only once.')
  line.cut('before', 'GET', /\/receipt$/, 2)
  await page.getByRole('button', { name: 'Send documents' }).click()
  await wait('Your receipt appears when the connection is back.')
  await wait('Thank you, Ada.')
  const { items } = (await api.get(`/vault/requests/${request.id}`)).body.data
  assert.equal((await api.get(`/vault/documents/${items[0].documentId}`)).body.data.versions.length, 1)
  await pageClient.leave()
})

test('the request page on a slow phone and network: a file is uploaded', options, async () => {
  const { url } = await aLink(service.address, await service.tenant())
  const pageClient = await openPageClient(service.address)
  const { page } = pageClient
  await pageClient.slowDown()
  await page.goto(url)
  await choose(page, 'Birth certificate', { ...certificate, buffer: Buffer.concat([pdf, Buffer.alloc(50_000, '\n')]) })
  await received(page, 'Birth certificate')
  await page.getByRole('button', { name: 'Send documents' }).click()
  await page.getByText('Thank you, Ada.').waitFor()
  await pageClient.leave()
})

test('the request page: an upload shows its progress and can be cancelled', options, async () => {
  const { url, request, api } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url)
  const { page } = pageClient
  await page.route('**/items/*', () => {}) // it never completes
  await choose(page, 'Birth certificate', certificate)
  await item(page, 'Birth certificate').getByRole('progressbar').waitFor()
  await pageClient.assertAccessible('sending')
  await pageClient.picture('request-sending-phone')
  await item(page, 'Birth certificate').getByRole('button', { name: 'Cancel' }).click()
  await announced(page, /Cancelled\./)
  assert.equal(await item(page, 'Birth certificate').getByRole('progressbar').count(), 0)
  assert.equal((await api.get(`/vault/requests/${request.id}`)).body.data.items[0].status, 'pending')
  await page.unroute('**/items/*')
  await choose(page, 'Birth certificate', certificate)
  await received(page, 'Birth certificate')
  await pageClient.leave()
})

test('the request page: decisions appear on an open page, and a revoked link closes it', options, async () => {
  const { url, request, api } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url)
  const { page } = pageClient
  await choose(page, 'Birth certificate', certificate)
  await received(page, 'Birth certificate')
  const { documentId } = (await api.get(`/vault/requests/${request.id}`)).body.data.items[0]
  const review = { status: 'rejected', rejectionReason: 'The second page is missing.' }
  assert.equal((await api.patch(`/vault/documents/${documentId}`, review)).status, 200)
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await item(page, 'Birth certificate').getByText('Reason: The second page is missing.').waitFor()
  await announced(page, /The page has been updated/)
  await pageClient.picture('request-rejected-phone')
  await choose(page, 'Birth certificate', { ...certificate, name: 'both-pages.pdf' })
  await received(page, 'Birth certificate')
  assert.equal((await api.patch(`/vault/requests/${request.id}`, { status: 'revoked' })).status, 200)
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await page.getByText('This link has been withdrawn').waitFor()
  const response = await page.reload()
  assert.equal(response?.status(), 410)
  assert.match(await page.locator('main').innerText(), /ask .* for a new link/)
  await pageClient.assertAccessible('revoked')
  await pageClient.picture('request-revoked-phone')
  await pageClient.leave()
})

test('the request page: works without JavaScript', options, async () => {
  const { url } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url, { javaScript: false })
  const { page } = pageClient
  const card = item(page, 'Birth certificate')
  const send = async (file: typeof certificate) => {
    await card.getByLabel('Choose a file for Birth certificate').setInputFiles(file)
    await card.getByRole('button', { name: 'Upload file Birth certificate' }).first().click()
  }
  await pageClient.picture('request-open-without-script')
  await page.getByRole('button', { name: 'Send documents' }).click({ force: true })
  await page.getByRole('link', { name: 'Not sent yet. Still missing: Birth certificate.' }).waitFor()
  assert.equal(await page.locator(':focus').getAttribute('id'), 'problems')
  await send({ ...certificate, buffer: Buffer.from('no document at all') })
  await page.getByRole('link', { name: /^Birth certificate: The file’s content does not match/ }).click()
  assert.match(await page.title(), /^Error: Enrolment/)
  await pageClient.picture('request-refused-without-script')
  await page.reload() // a POST-only address redirects back
  await send(certificate)
  await received(page, 'Birth certificate')
  assert.match(page.url(), /\/r\/[\w-]+#item-/)
  await card.getByText('Replace file').click()
  await card.getByRole('button', { name: 'Remove file' }).click()
  await card.getByText('Missing', { exact: true }).waitFor()
  await send(certificate)
  await received(page, 'Birth certificate')
  await page.getByRole('link', { name: 'Español' }).click()
  await page.getByRole('button', { name: 'Enviar documentos' }).click()
  await page.waitForURL(/\/receipt\?lang=es$/)
  assert.match(await page.locator('main').innerText(), /Gracias, Ada\./)
  await pageClient.leave()
})

test('the request page: works with the keyboard alone', options, async () => {
  const { url } = await aLink(service.address, await service.tenant())
  const pageClient = await at(url, { screen: 'desktop' })
  const { page } = pageClient
  const tabTo = async (id: string) => {
    const seen: string[] = []
    while (seen.length < 40) {
      await page.keyboard.press('Tab')
      const focused = (await page.evaluate('document.activeElement.id || document.activeElement.textContent')) as string
      seen.push(focused)
      if (focused.startsWith(id)) return
    }
    assert.fail(`${id} is not reached: ${seen.join(' → ')}`)
  }
  // Awaited before the key is pressed, because the key does not wait for the file chooser.
  const chooser = page.waitForEvent('filechooser')
  await tabTo('Skip to content')
  await page.keyboard.press('Enter')
  await tabTo('file-')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(certificate)
  await received(page, 'Birth certificate')
  // The focus stays with the replaced item, so that the keyboard continues from there.
  assert.match(String(await page.evaluate('document.activeElement.id')), /^item-/)
  await tabTo('Send documents')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/receipt$/)
  await pageClient.leave()
})

test('the request page: the initial HTML is below 20 kB', options, async () => {
  const tenant = await service.tenant()
  const types = (await tenant.api.get('/vault/document-types')).body.data as { id: string }[]
  const { url } = await aLink(service.address, tenant, { items: types.map(({ id }) => ({ documentTypeId: id })) })
  const pageClient = await openPageClient(service.address)
  const response = await pageClient.page.goto(url)
  const bytes = (await response?.body())?.length ?? 0
  assert.ok(bytes > 5000 && bytes < 20_000, `${bytes} bytes for ${types.length} items`)
  await pageClient.leave()
})
