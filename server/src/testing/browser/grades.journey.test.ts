import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { aPlan, aScale, seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `a teacher types scores, pastes a column, is told at once what is out of range, and submits, ${screen}`,
    inBrowser,
    async () => {
      const seeded = await seedTenant(service)
      await aScale(seeded)
      const plan = await aPlan(seeded)
      const stored = async (index: number) => {
        const filters = JSON.stringify([['student', '=', seeded.students[index]]])
        const { data } = await seeded.resourceClient.list('Assessment Result', {
          filters,
          fields: '["total_score","docstatus"]',
        })
        return data.map(({ total_score, docstatus }: Record<string, number>) => [total_score, docstatus])
      }
      const staff = await aStaffMember(service, seeded.tenant, { roles: ['Academics User'], screen })
      const { page } = staff
      await staff.open(`/records/assessment-plan/named/${plan}`)
      await page.getByRole('link', { name: 'Enter scores' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      const cell = (criterion: string, student: string) => page.getByLabel(`${criterion}, ${student}`)
      await staff.assertAccessible('open sheet')
      await cell('Written', 'Ada Byron').fill('61')
      await page.getByText('Enter a score from 0 to 60.').waitFor()
      await staff.assertAccessible('out of range')
      await cell('Written', 'Ada Byron').fill('54')
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Written, Alan Turing')
      await cell('Oral', 'Ada Byron').focus()
      await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', '30\\n25.5\\n')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
      await until(
        async () => JSON.stringify([await stored(0), await stored(1)]) === '[[[84,0]],[[25.5,0]]]',
        'the scores',
      )
      await page.getByText('All scores are saved.').waitFor()
      await staff.picture(`console-grades-${screen}`)
      // What the network loses waits, and goes when it is back.
      await page.context().setOffline(true)
      await cell('Written', 'Alan Turing').fill('40')
      await page.keyboard.press('Enter')
      await page.getByText('1 score is waiting for a connection.').waitFor()
      await staff.assertAccessible('waiting')
      await page.context().setOffline(false)
      await until(async () => JSON.stringify(await stored(1)) === '[[65.5,0]]', 'the score that waited')
      await page.getByText('All scores are saved.').waitFor()
      await page.getByRole('button', { name: 'Submit results…' }).click()
      await page.getByRole('dialog').getByText('2 results will be submitted.').waitFor()
      await staff.assertAccessible('submitting')
      await page.getByRole('dialog').getByRole('button', { name: 'Submit results…' }).dblclick()
      await page.getByText('2 results submitted').waitFor()
      assert.deepEqual([await stored(0), await stored(1)], [[[84, 1]], [[65.5, 1]]])
      await staff.assertAccessible('submitted')
      staff.refusedCalls()
      await staff.leave()
    },
  )
}

test(
  'two teachers type the same cell: the second one sees what the first one entered, and decides',
  inBrowser,
  async () => {
    const seeded = await seedTenant(service)
    await aScale(seeded)
    const plan = await aPlan(seeded)
    const address = `/grades/${plan}`
    const [one, other] = [await aStaffMember(service, seeded.tenant), await aStaffMember(service, seeded.tenant)]
    const cell = ({ page }: typeof one) => page.getByLabel('Written, Ada Byron')
    await one.open(address)
    await other.open(address)
    await cell(other).waitFor()
    await cell(one).fill('50')
    await one.page.keyboard.press('Enter')
    await one.page.getByText('50 / 60').or(one.page.getByText('50 / 100')).first().waitFor()
    await cell(other).fill('20')
    await other.page.keyboard.press('Enter')
    await other.page.getByText('Someone else entered 50 in the meantime.').waitFor()
    await other.assertAccessible('somebody else was there')
    await other.picture('console-grades-conflict-desktop')
    await other.page.getByRole('button', { name: /^Keep mine/ }).click()
    await other.page.getByText('All scores are saved.').waitFor()
    const { data } = await seeded.resourceClient.list('Assessment Result', { fields: '["total_score"]' })
    assert.deepEqual(data, [{ total_score: 20 }])
    await one.leave()
    await other.leave()
  },
)
