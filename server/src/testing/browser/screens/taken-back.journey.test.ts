import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocument, aRequest, aStudent } from '../../fixtures/factories.ts'
import { aSampleDocument } from '../../fixtures/files/sample-documents.ts'
import { withoutBrowser } from '../../fixtures/page-client.ts'
import { until } from '../../fixtures/service-process.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { aStaffMember } from '../console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

for (const screen of ['desktop', 'phone'] as const) {
  test(`an approval that is undone puts the document back into the queue: ${screen}`, inBrowser, async () => {
    const tenant = await service.tenant()
    const { id: entityId } = await aStudent(tenant.api, { fullName: 'Zoë Reviewed' })
    const { id } = await aDocument(
      service,
      tenant.api,
      { entityType: 'student', entityId },
      await aSampleDocument({ pages: 2 }),
    )
    const loadStatus = async () => (await tenant.api.get(`/vault/documents/${id}`)).body.data.status
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen })
    const { page } = staff
    await staff.open('/admissions/review')
    await page.getByText('2 pages', { exact: true }).waitFor()
    await page.keyboard.press('a')
    await until(async () => (await loadStatus()) === 'approved', 'the approval')
    await staff.assertAccessible('a document that was approved')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    await page.getByText('2 pages', { exact: true }).waitFor()
    assert.equal(await loadStatus(), 'in_review')
    const { audit } = await tenant.traces(id)
    assert.deepEqual(audit.slice(-2), ['vault_document.updated', 'vault_document.updated'])
    await page.keyboard.press('a')
    await until(async () => (await loadStatus()) === 'approved', 'the second approval')
    await staff.leave()
  })

  test(
    `a request that was revoked is open again when that is undone, and its link works: ${screen}`,
    inBrowser,
    async () => {
      const tenant = await service.tenant()
      const { id: entityId } = await aStudent(tenant.api, { fullName: 'Zoë Requested', email: 'zoe@example.org' })
      const { id, publicUrl } = await aRequest(tenant.api, { entityType: 'student', entityId })
      const loadStatus = async () => (await tenant.api.get(`/vault/requests/${id}`)).body.data.status
      const link = (publicUrl as string).replace('https://matricula.example', service.address)
      const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen })
      const { page } = staff
      await staff.open('/admissions/requests')
      await page.getByRole('button', { name: 'Revoke…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Revoke the request for Zoë Requested…' })
      await dialog.getByRole('textbox').fill('Sent to the wrong family')
      await dialog.getByRole('button', { name: 'Revoke…' }).dblclick()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await loadStatus(), 'revoked')
      assert.notEqual((await fetch(link)).status, 200)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Revoke…' }).waitFor()
      assert.equal(await loadStatus(), 'open')
      assert.equal((await fetch(link)).status, 200)
      const { audit } = await tenant.traces(id)
      assert.deepEqual(audit.slice(-2), ['vault_request.updated', 'vault_request.updated'])
      await staff.leave()
    },
  )
}
