import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { aPlan, aResult, aScale, seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `the office sees who lacks what, and prints the report cards of a group as one PDF, ${screen}`,
    inBrowser,
    async () => {
      const seeded = await seedTenant(service)
      await aScale(seeded)
      const plan = await aPlan(seeded, { assessment_name: 'Midterm' })
      await aResult(seeded, plan, { Written: 54, Oral: 36 }, { docstatus: 1 })
      const staff = await aStaffMember(service, seeded.tenant, { roles: ['Academics User'], screen })
      const { page } = staff
      await staff.open(`/records/student-group/named/${encodeURIComponent(seeded.group)}`)
      await page.getByRole('link', { name: 'Report cards', exact: true }).click()
      await page.getByText('1 of 2 report cards are complete.').waitFor()
      await page.getByRole('link', { name: 'Anatomy: Midterm' }).waitFor()
      await staff.assertAccessible('who lacks what')
      await staff.picture(`console-report-cards-${screen}`)
      await page.getByRole('button', { name: 'Print 2 cards' }).dblclick()
      await page.getByText('2 cards are ready. They can be downloaded for a day.').waitFor()
      await staff.assertAccessible('printed')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download PDF' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'Report cards Nursing A.pdf')
      const pdf: Buffer[] = []
      for await (const chunk of await download.createReadStream()) pdf.push(chunk as Buffer)
      assert.match(Buffer.concat(pdf).toString('latin1'), /^%PDF-[\s\S]*%%EOF\s*$/)
      await page.getByLabel('Only complete report cards').check()
      await page.getByRole('button', { name: 'Print 1 card' }).click()
      await page.getByText('1 card is ready.').waitFor()
      await page.getByLabel('Term').selectOption({ label: seeded.term })
      await page.getByText(`${seeded.group} · ${seeded.term}`).waitFor()
      await staff.leave()
    },
  )
}
