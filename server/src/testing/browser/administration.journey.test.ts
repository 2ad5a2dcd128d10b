import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const mail = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'office@school.example' }
const service = await startTestService({ mail })
const inBrowser = { skip: withoutBrowser }

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `an administrator invites, makes a token whose secret is shown once, and sees it in the audit, ${screen}`,
    inBrowser,
    async () => {
      const tenant = await service.tenant()
      const staff = await aStaffMember(service, tenant, { screen })
      const { page } = staff
      await staff.open('/administration/users')
      await page.getByRole('button', { name: 'Invite…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Full name').fill('Grace Hopper')
      await dialog.getByLabel('E-mail address').fill('grace@school.example')
      await dialog.getByLabel('Academics User').check()
      await staff.assertAccessible('inviting')
      await dialog.getByRole('button', { name: 'Invite…' }).dblclick()
      await page.getByText('grace@school.example was invited').waitFor()
      await page.getByText('No password yet').waitFor()
      await staff.assertAccessible('users')
      await staff.picture(`console-users-${screen}`)
      await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
      await page.getByRole('menuitem', { name: 'Disable log-in' }).click()
      await page.getByText('Log-in disabled').waitFor()
      const mails = await service.database.inspect(
        `select recipient from outgoing_mails where tenant_id = $1 and kind = 'welcome'`,
        [tenant.id],
      )
      assert.deepEqual(mails, [{ recipient: 'grace@school.example' }])

      await staff.open('/administration/tokens')
      await page.getByRole('button', { name: 'New token…' }).click()
      await dialog.getByLabel('Purpose').fill('ERP sync')
      await dialog.getByLabel('students:read').check()
      await staff.assertAccessible('a new token')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const secret = await page.getByLabel('Save this secret now').last().inputValue()
      await staff.assertAccessible('a secret')
      const works = async () =>
        (await fetch(`${service.address}/v1/students`, { headers: { authorization: `Bearer ${secret}` } })).status
      assert.equal(await works(), 200)
      await page.keyboard.press('Escape')
      await page.getByText(`…${secret.slice(-4)}`).waitFor()
      assert.ok(!(await page.content()).includes(secret))
      await staff.assertAccessible('tokens')
      await page.getByRole('button', { name: /^Revoke….*ERP sync/ }).click()
      await dialog.getByRole('button', { name: 'Revoke…' }).click()
      await page.getByText('ERP sync was revoked').waitFor()

      await staff.open('/administration/audit?action=api_key.revoked')
      await page.locator('.entries').getByText('api_key.revoked').waitFor()
      await staff.assertAccessible('the audit')
      await staff.picture(`console-audit-${screen}`)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download as CSV' }).click()
      assert.match(await readFile(await (await download).path(), 'utf8'), /api_key\.revoked/)
      await page.getByLabel('Show', { exact: true }).selectOption('disclosures')
      await page.locator('.entries, .empty').first().waitFor()

      await staff.open('/administration/state')
      await page.getByRole('heading', { name: /^Backups/ }).waitFor()
      await page.getByText('No backup yet.').waitFor()
      await staff.assertAccessible('the state')
      await staff.picture(`console-state-${screen}`)
      await staff.leave()
    },
  )
}

test('a webhook is made, tested and delivered again; its secret is shown once', inBrowser, async () => {
  const tenant = await service.tenant()
  const staff = await aStaffMember(service, tenant, { screen: 'desktop' })
  const { page } = staff
  await staff.open('/administration/webhooks')
  await staff.assertAccessible('no webhooks')
  await page.getByRole('button', { name: 'New webhook…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address (starts with https://)').fill('https://erp.example.org/hooks')
  await dialog.getByRole('button', { name: 'Create' }).dblclick()
  assert.match(await page.getByLabel('Save this secret now').last().inputValue(), /^whsec_/)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'https://erp.example.org/hooks' }).waitFor()
  assert.equal((await tenant.api.get('/webhooks')).body.data.length, 1)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('Test event queued').waitFor()
  await staff.assertAccessible('a webhook')
  await staff.picture('console-webhooks-desktop')
  await page.getByRole('button', { name: 'Remove…' }).click()
  await dialog.getByRole('button', { name: 'Remove…' }).click()
  await page.getByText('Webhook removed').waitFor()
  assert.deepEqual((await tenant.api.get('/webhooks')).body.data, [])
  await staff.leave()
})
