import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

/** A register of 960 students as a school has it: headings of its own, and some rows with faults. */
function register(): string {
  const rows = Array.from({ length: 960 }, (_, index) => {
    const born = index === 400 ? '31/02/2011' : '03/02/2011'
    const mail = index === 17 ? 'nowhere' : `s${index}@school.example`
    return `R-${index + 1};Student;Number ${index + 1};${born};${mail};x\n`
  })
  return `Student number;First name;Surname;DOB;Mail;Remarks\n${rows.join('')}`
}

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `a registrar imports 960 students: columns are suggested, faults named, the file corrected, imported and undone, ${screen}`,
    inBrowser,
    async () => {
      const tenant = await service.tenant()
      const count = async () => (await tenant.api.get('/students')).body.pagination.total
      const staff = await aStaffMember(service, tenant, { roles: ['Academics User'], screen })
      const { page } = staff
      await staff.open('/imports')
      await staff.assertAccessible('upload')
      const upload = async (name: string, content: string) => {
        await page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
        await page.getByRole('button', { name: 'Upload' }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      await upload('register.csv', register())
      assert.equal(await page.getByLabel('Surname').inputValue(), 'familyNames')
      await page.getByText('1 column is not imported.').waitFor()
      await page.getByLabel('Dates').selectOption('dmy')
      await staff.assertAccessible('columns')
      await staff.picture(`console-import-columns-${screen}`)
      await page.getByRole('button', { name: 'Check file' }).click()
      await page.getByRole('heading', { name: '2 errors' }).waitFor()
      await page.getByRole('cell', { name: '5 · Mail' }).waitFor()
      await staff.assertAccessible('faults')
      await staff.picture(`console-import-faults-${screen}`)
      assert.equal(await count(), 0)
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download rejected rows' }).click()
      const download = await downloading
      assert.equal(download.suggestedFilename(), 'register.refused.csv')
      const refused = await readFile(await download.path(), 'utf8')
      assert.match(refused, /^Student number;First name;Surname;DOB;Mail;Remarks;faults/)
      // The sound rows first, then the corrected ones.
      await page.getByLabel('Import the other rows without the rejected ones').check()
      await page.getByRole('button', { name: 'Import 958 records' }).dblclick()
      await page.getByRole('status').filter({ hasText: 'Imported' }).waitFor()
      assert.equal(await count(), 958)
      await staff.assertAccessible('imported')
      await staff.open('/imports')
      await upload('corrected.csv', refused.replace('31/02/2011', '28/02/2011').replace('nowhere', 'a@b.example'))
      await page.getByLabel('Dates').selectOption('dmy')
      await page.getByRole('button', { name: 'Check file' }).click()
      await page.getByRole('button', { name: 'Import 2 records' }).click()
      await page.getByRole('status').filter({ hasText: 'Imported' }).waitFor()
      assert.equal(await count(), 960)
      await page.getByRole('button', { name: 'Undo import…' }).click()
      await staff.assertAccessible('undoing')
      await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
      await page.getByText('2 records were undone.').waitFor()
      assert.equal(await count(), 958)
      await page.getByRole('link', { name: 'All imports' }).click()
      await page.getByRole('link', { name: 'register.csv' }).waitFor()
      await staff.assertAccessible('list')
      await staff.leave()
    },
  )
}

test('who may import nothing does not see the screen in the navigation', inBrowser, async () => {
  const tenant = await service.tenant()
  const staff = await aStaffMember(service, tenant, { roles: ['Instructor'] })
  await staff.untilRead()
  assert.equal(await staff.page.getByRole('link', { name: 'Import' }).count(), 0)
  await staff.leave()
})
