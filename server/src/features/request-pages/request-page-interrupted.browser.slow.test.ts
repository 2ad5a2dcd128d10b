import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cuts, openCutConnection } from '../../testing/browser/cut-line.ts'
import { openPageClient, withoutBrowser } from '../../testing/fixtures/page-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aLink, certificate, choose, item, received } from './request-page.fixture.ts'

const service = await startTestService()
const options = { skip: withoutBrowser }

test('the request page: whichever request is interrupted, nothing is lost or doubled', options, async () => {
  const tenant = await service.tenant()
  const line = await openCutConnection(service.address)
  for (const when of cuts) {
    const { url, request, api } = await aLink(service.address, tenant)
    const stored = async () => (await api.get(`/vault/requests/${request.id}`)).body.data
    const pageClient = await openPageClient(line.address)
    const { page } = pageClient
    const card = item(page, 'Birth certificate')
    /** Runs an action while the next request of a kind is interrupted. */
    const cutting = async (method: string, path: RegExp, work: () => Promise<void>) => {
      const before = line.cutCount
      line.cut(when, method, path)
      await work()
      assert.equal(line.cutCount, before + 1, `${method} ${path}, ${when}`)
    }
    const send = async () => {
      await choose(page, 'Birth certificate', certificate)
      await received(page, 'Birth certificate')
      assert.equal((await stored()).items[0].status, 'uploaded')
    }
    await page.goto(url.replace(service.address, line.address))
    await cutting('POST', /\/items\/[^/]+$/, send)
    await cutting('POST', /\/remove$/, async () => {
      await card.getByText('Replace file').click()
      await card.getByRole('button', { name: 'Remove file' }).click()
      await card.getByText('Missing', { exact: true }).waitFor()
      assert.equal((await stored()).items[0].status, 'pending')
    })
    await cutting('GET', /\/r\/[^/]+$/, send)
    await cutting('POST', /\/submit$/, async () => {
      await page.getByRole('button', { name: 'Send documents' }).click()
      await page.getByText('Thank you, Ada.').waitFor()
    })
    assert.notEqual((await stored()).submittedAt, null)
    await page.goBack()
    await cutting('GET', /\/receipt$/, async () => {
      await choose(page, 'Transcript', certificate)
      await received(page, 'Transcript')
      await page.getByRole('button', { name: 'Send documents' }).click()
      await page.getByText('Thank you, Ada.').waitFor()
    })
    const files = await service.database.inspect<{ versions: number }>(
      `select (select count(*)::int from document_versions v where v.tenant_id = d.tenant_id and v.document_id = d.id) as versions
         from documents d where d.request_id = $1`,
      [request.id],
    )
    // One was removed; nothing sent twice is stored twice.
    assert.deepEqual(
      files.map(({ versions }) => versions),
      [1, 1, 1],
      when,
    )
    await pageClient.leave()
  }
})
