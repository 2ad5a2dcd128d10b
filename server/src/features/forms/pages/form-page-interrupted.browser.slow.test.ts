import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cuts, openCutConnection } from '../../../testing/browser/cut-line.ts'
import { openPageClient, withoutBrowser } from '../../../testing/fixtures/page-client.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { aForm, assertSent, certificate, fillIn } from './form-page.fixture.ts'

const service = await startTestService()
const options = { skip: withoutBrowser }

test(
  'the page of a form: whichever request is interrupted, before, during or after, it is saved once and submitted once',
  options,
  async () => {
    const line = await openCutConnection(service.address)
    for (const when of cuts) {
      const form = await aForm(service)
      const pageClient = await openPageClient(line.address)
      const { page } = pageClient
      const cutting = async (method: string, path: RegExp, work: () => Promise<void>) => {
        const before = line.cutCount
        line.cut(when, method, path)
        await work()
        assert.equal(line.cutCount, before + 1, `${method} ${path}, ${when}`)
      }
      await page.goto(form.url.replace(service.address, line.address))
      await fillIn(page)
      await page.getByLabel('Birth certificate').setInputFiles(certificate)
      await cutting('POST', /\/f\/[^/]+\/[^/]+$/, async () => {
        await page.getByRole('button', { name: 'Save and come back later' }).click()
        await page.getByText('Received: certificate.pdf').waitFor()
      })
      await cutting('GET', /\/draft\/[^/]+$/, async () => {
        await page.getByLabel('Siblings').fill('3')
        await page.getByRole('button', { name: 'Save and come back later' }).click()
        await page.locator('#field-siblings[value="3"]').waitFor()
      })
      await page.getByLabel('Siblings').fill('2')
      await cutting('POST', /\/draft\/[^/]+$/, async () => {
        await page.getByRole('button', { name: 'Send form' }).click()
        await page.waitForURL(/\/receipt\//)
      })
      await assertSent(form)
      const left = await service.database.inspect<{ drafts: number; documents: number }>(
        `select (select count(*)::int from form_drafts where tenant_id = $1) as drafts,
              (select count(*)::int from documents where tenant_id = $1 and status <> 'archived') as documents`,
        [form.tenant.id],
      )
      assert.deepEqual(left, [{ drafts: 0, documents: 1 }], when)
      await pageClient.leave()
    }
  },
)
