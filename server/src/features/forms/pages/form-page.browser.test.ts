import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCutConnection } from '../../../testing/browser/cut-line.ts'
import { openPageClient, withoutBrowser } from '../../../testing/fixtures/page-client.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { aForm, assertSent, certificate, fillIn } from './form-page.fixture.ts'

const service = await startTestService()
const options = { skip: withoutBrowser }

test(
  'the page of a form on a phone: filled in, corrected and submitted; conditional questions appear and disappear',
  options,
  async () => {
    const form = await aForm(service)
    const pageClient = await openPageClient(service.address)
    const { page } = pageClient
    const response = await page.goto(form.url)
    assert.ok(((await response?.body())?.length ?? 0) < 20_000)
    await pageClient.picture('form-open-phone')
    assert.equal(await page.getByLabel('Bus stop').isVisible(), false)
    await page.getByLabel('School bus?').selectOption('yes')
    assert.equal(await page.getByLabel('Bus stop').isVisible(), true)
    await page.getByRole('button', { name: 'Send form' }).click()
    await page.getByRole('heading', { name: 'There are 8 problems' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'problems')
    // An error stands above its checkboxes, never among them.
    assert.equal(await page.locator('.choice .fault').count(), 0)
    assert.match(await page.title(), /^Error: /)
    await pageClient.assertAccessible('faults')
    await pageClient.picture('form-faults-phone')
    await page.getByRole('link', { name: 'Bus stop: Answer this question.' }).click()
    assert.equal(await page.evaluate('document.activeElement.id'), 'field-stop')
    await fillIn(page)
    assert.equal(await page.getByLabel('Bus stop').isVisible(), false)
    await page
      .getByLabel('Birth certificate')
      .setInputFiles({ ...certificate, name: 'song.mp3', mimeType: 'audio/mpeg' })
    await page.getByRole('button', { name: 'Send form' }).click()
    await page.getByText('song.mp3 is not accepted.').waitFor()
    await page.getByLabel('Birth certificate').setInputFiles(certificate)
    await page.getByRole('button', { name: 'Send form' }).click()
    await page.waitForURL(/\/receipt\//)
    assert.match(await page.locator('main').innerText(), /has received your form/)
    await pageClient.assertAccessible('receipt')
    await pageClient.picture('form-receipt-phone')
    await assertSent(form)
    await pageClient.leave()
  },
)

test('the page of a form: a chosen file stays chosen when another answer is invalid', options, async () => {
  const form = await aForm(service)
  const pageClient = await openPageClient(service.address, { screen: 'desktop' })
  const { page } = pageClient
  await page.goto(form.url)
  await fillIn(page)
  await page.getByLabel('E-mail').fill('nobody')
  await page.getByLabel('Birth certificate').setInputFiles(certificate)
  await page.getByRole('button', { name: 'Send form' }).click()
  await page.getByRole('link', { name: /^E-mail: Enter an e-mail address/ }).waitFor()
  await pageClient.picture('form-faults-desktop')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByRole('button', { name: 'Send form' }).click()
  await page.waitForURL(/\/receipt\//)
  await assertSent(form)
  await pageClient.leave()
})

test('the page of a form without JavaScript: conditions are shown as text, and answers stay', options, async () => {
  const form = await aForm(service)
  const pageClient = await openPageClient(service.address, { javaScript: false })
  const { page } = pageClient
  await page.goto(form.url)
  await page.getByText('Answer only if “School bus?” is Yes.').waitFor()
  await pageClient.picture('form-open-without-script')
  await fillIn(page)
  await page.getByLabel('Full name').fill('A'.repeat(41))
  await page.getByRole('button', { name: 'Send form' }).click()
  await page.getByRole('heading', { name: 'There are 2 problems' }).waitFor()
  assert.equal(await page.locator(':focus').getAttribute('id'), 'problems')
  assert.equal(await page.getByLabel('About you').inputValue(), 'I like\nengines.')
  await page.getByLabel('Full name').fill('Ada Byron')
  await page.getByLabel('Birth certificate').setInputFiles(certificate)
  await page.getByRole('button', { name: 'Send form' }).click()
  await page.waitForURL(/\/receipt\//)
  await assertSent(form)
  await pageClient.leave()
})

test(
  'a draft without JavaScript: saved, opened by its link on another device, and submitted from there',
  options,
  async () => {
    const form = await aForm(service)
    const pageClient = await openPageClient(service.address, { javaScript: false })
    const { page } = pageClient
    await page.goto(form.url)
    await page.getByLabel('Full name').fill('Ada')
    await page.getByLabel('About you').fill('I like\nengines.')
    await page.getByLabel('Birth certificate').setInputFiles(certificate)
    await page.getByRole('button', { name: 'Save and come back later' }).click()
    await page.getByText('Your answers have been saved, but not sent yet.').waitFor()
    await pageClient.picture('form-saved-phone')
    const link = page.url()
    await pageClient.leave()
    const later = await openPageClient(service.address, { screen: 'desktop' })
    await later.page.goto(link)
    await later.assertAccessible('saved')
    await later.page.getByText('Received: certificate.pdf').waitFor()
    assert.equal(await later.page.getByLabel('About you').inputValue(), 'I like\nengines.')
    await fillIn(later.page)
    await later.page.getByLabel('E-mail').fill('nobody')
    await later.page.getByRole('button', { name: 'Send form' }).click()
    await later.page.getByRole('link', { name: /^E-mail: Enter an e-mail address/ }).waitFor()
    await later.page.reload()
    await later.page.getByText('Received: certificate.pdf').waitFor()
    await later.page.getByLabel('E-mail').fill('ada@example.org')
    await later.page.getByRole('button', { name: 'Send form' }).click()
    await later.page.waitForURL(/\/receipt\//)
    await assertSent(form)
    await later.page.goto(link)
    await later.page.waitForURL(/\/receipt\//)
    await later.leave()
  },
)

test('the page of a form on a slow phone and network: filled in, saved and submitted', options, async () => {
  const form = await aForm(service)
  const pageClient = await openPageClient(service.address)
  const { page } = pageClient
  await pageClient.slowDown()
  await page.goto(form.url)
  await fillIn(page)
  await page.getByLabel('Birth certificate').setInputFiles(certificate)
  await page.getByRole('button', { name: 'Save and come back later' }).click()
  await page.getByText('Received: certificate.pdf').waitFor()
  await page.getByRole('button', { name: 'Send form' }).click()
  await page.waitForURL(/\/receipt\//)
  await assertSent(form)
  await pageClient.leave()
})

test(
  'the page of a form offline: says so, keeps the answers, and saving never becomes submitting',
  options,
  async () => {
    const form = await aForm(service)
    const line = await openCutConnection(service.address)
    const pageClient = await openPageClient(line.address)
    const { page } = pageClient
    await page.clock.install()
    await page.goto(form.url.replace(service.address, line.address))
    await fillIn(page)
    line.cut('before', 'POST', /./, 99)
    const save = page.getByRole('button', { name: /^Save and come back later/ })
    await save.click()
    const wait = (messages: string) =>
      until(async () => {
        if ((await page.getByText(messages).count()) > 0) return true
        await page.clock.runFor(1_000)
        return false
      }, messages)
    await wait('Your answers are still here. Send the form again. It counts only once.')
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Ada Byron')
    line.cut('before', 'POST', /./, 0)
    await page.route('**/f/**', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, contentType: 'text/html', body: '<main><p class="lead">Later.</p></main>' })
        : route.continue(),
    )
    await save.click()
    await wait('Later.')
    await page.unroute('**/f/**')
    await save.click()
    await page.getByText('Your answers have been saved, but not sent yet.').waitFor()
    assert.deepEqual(await form.submissions(), [])
    await pageClient.leave()
  },
)
