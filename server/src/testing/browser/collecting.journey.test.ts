import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { billingSettings, loadBillingSettings, saveBillingSettings } from '../../features/billing-accounts/index.ts'
import { aRecordCaller } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }
const iban = 'DE89370400440532013000'
const operator = { actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null } as const
const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** An institution in euro with levels of reminders, a bank account and a creditor; two families owe something. */
async function aSchool() {
  const tenant = await service.tenant({ currency: 'EUR' })
  const settings = {
    dunning: [
      { level: 1, daysOverdue: 10, texts: { en: '{name}: {amount} since {dueDate}.' } },
      { level: 2, daysOverdue: 30, fee: 15 },
    ],
    bankAccounts: [{ key: 'main', iban, currency: 'EUR' }],
    creditor: {
      ...{ name: 'Dyer Academy', creditorId: 'DE98ZZZ09999999999', iban: 'DE75512108001245126199', bic: null },
      ...{ preNotificationDays: 5, painVersion: 'pain.008.001.08' as const },
    },
  }
  const context = { ...operator, tenant: { id: tenant.id } } as unknown as Parameters<typeof saveBillingSettings>[1]
  await service.data.transaction(tenant.id, async (tx) => {
    const before = await loadBillingSettings(tx)
    await saveBillingSettings(tx, context, before, billingSettings(settings, before))
  })
  const owes = async (name: string, fields: object, debts: readonly (readonly [number, number])[]) => {
    const account = await tenant.api.post('/billing/accounts', { name, currency: 'EUR', ...fields })
    assert.equal(account.status, 201, account.text)
    const { id } = account.body.data
    const student = (await tenant.api.post('/students', { fullName: `Child of ${name}` })).body.data.id
    const shares = [{ accountId: id, percent: 100 }]
    assert.equal((await tenant.api.put(`/billing/students/${student}/shares`, { shares })).status, 200)
    for (const [amount, days] of debts) {
      const payment = {
        studentId: student,
        amount,
        currency: 'EUR',
        description: 'Tuition',
        dueDate: dayFromToday(-days),
      }
      assert.equal((await tenant.api.post('/payments', payment)).status, 201)
    }
    const { data } = (await tenant.api.get(`/billing/accounts/${id}/obligations`)).body
    return { id, reference: data[0].paymentReference as string }
  }
  const mandate = { id: 'M-1', iban, signedAt: '2026-01-02' }
  const dyer = await owes('Family Dyer', { mandate }, [
    [100, 12],
    [40.5, -20],
  ])
  const ruiz = await owes('Familia =Ruiz', {}, [[250, 100]])
  return { tenant, dyer, ruiz }
}

for (const screen of ['desktop', 'phone'] as const) {
  test(`what is outstanding is exported as it is seen, and sums to what is open, ${screen}`, inBrowser, async () => {
    const { tenant } = await aSchool()
    const records = await aRecordCaller(service, tenant)
    for (const [name, from, to] of [
      ['Earlier', -400, -60],
      ['Now', -59, 300],
    ] as const) {
      const dates = { year_start_date: dayFromToday(from), year_end_date: dayFromToday(to) }
      const made = await records.post('/api/resource/Academic Year', { academic_year_name: name, ...dates })
      assert.equal(made.status, 200, made.text)
    }
    const staff = await aStaffMember(service, tenant, { roles: ['Accounts User'], screen })
    const { page } = staff
    await staff.open('/fees/outstanding')
    await page.getByText('Sum of 2 rows').waitFor()
    const foot = page.locator('tfoot')
    await foot.getByText('390.50').waitFor()
    await foot.getByText(/\D40\.50$/).waitFor()
    await staff.assertAccessible('outstanding by payer')
    await staff.picture(`console-outstanding-${screen}`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const [head, ...rows] = text.replace(/\r\n$/, '').split('\r\n')
    assert.equal(head, '\uFEFFPayer,Currency,Not due,1–30 days,31–60 days,61–90 days,Over 90 days,Total')
    assert.deepEqual(rows.sort(), ['Familia =Ruiz,EUR,0,0,0,0,250,250', 'Family Dyer,EUR,40.5,100,0,0,0,140.5'])
    await page.getByLabel('Group by').selectOption('program')
    await page
      .getByText('€390.50 of the amount outstanding belongs to students who have none of these.')
      .or(page.getByText('Nothing outstanding'))
      .first()
      .waitFor()
    await page.getByLabel('Group by').selectOption('year')
    await page.getByRole('row', { name: /^Earlier .*250\.00/ }).waitFor()
    await foot.getByText('390.50').waitFor()
    const ofYears = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const [, ...years] = (await readFile(await (await ofYears).path(), 'utf8')).replace(/\r\n$/, '').split('\r\n')
    assert.deepEqual(years, ['Earlier,EUR,0,0,0,0,250,250', 'Now,EUR,40.5,100,0,0,0,140.5'])
    await page.getByLabel('Group by').selectOption('student')
    await page.getByText('Child of Family Dyer').waitFor()
    await staff.leave()
  })
}

test(
  'reminders are proposed by level, looked at, and sent to those who are picked; double tap sends once',
  inBrowser,
  async () => {
    const { tenant, dyer, ruiz } = await aSchool()
    const staff = await aStaffMember(service, tenant, { roles: ['Accounts Manager'], screen: 'desktop' })
    const { page } = staff
    await staff.open('/fees/reminders')
    await staff.assertAccessible('no reminders yet')
    await page.getByRole('button', { name: 'Propose reminders' }).dblclick()
    await page
      .getByRole('heading', { name: 'Level 1' })
      .waitFor({ timeout: 15_000 })
      .catch(async (e) => {
        await staff.picture('debug-reminders')
        console.log(staff.refusedCalls(), page.url())
        throw e
      })
    await page.getByText('Family Dyer').first().waitFor()
    await staff.assertAccessible('what is proposed')
    await staff.picture('console-reminders-desktop')
    await page.getByLabel('Send to Familia =Ruiz').uncheck()
    await page.getByRole('button', { name: 'Send 1 reminder…' }).click()
    await page.getByRole('dialog').getByText('1 payer, €100.00 in total').waitFor()
    await staff.assertAccessible('asking to send')
    await page.getByRole('dialog').getByRole('button', { name: 'Send 1 reminder…' }).dblclick()
    await page.getByText('0 e-mails queued, 1 letter to print').waitFor()
    await page.getByText('Text', { exact: false }).first().waitFor()
    const sentTo = async (id: string) => (await tenant.api.get(`/billing/accounts/${id}/timeline`)).body.data.length
    assert.deepEqual([await sentTo(dyer.id), await sentTo(ruiz.id)], [1, 0])
    const { data } = (await tenant.api.get('/audit?action=dunning_notice.sent')).body
    assert.deepEqual(
      data.map(({ actor }: { actor: { type: string } }) => actor.type),
      ['user'],
    )
    await staff.open(`/fees/accounts/${dyer.id}`)
    await page.getByText('Level 1').waitFor()
    await staff.leave()
  },
)

test(
  'a bank statement is imported, one key accepts what is proposed, and a booking is taken back',
  inBrowser,
  async () => {
    const { tenant, dyer } = await aSchool()
    const staff = await aStaffMember(service, tenant, { roles: ['Accounts User'], screen: 'desktop' })
    const { page } = staff
    await staff.open('/fees/bank')
    await staff.assertAccessible('no statement yet')
    const lines = [
      'bookedOn,valueOn,amount,currency,bankReference,reference,name,text',
      `${dayFromToday(-2)},${dayFromToday(-2)},100.00,EUR,B-1,${dyer.reference},Tyrone Dyer,Fees`,
      `${dayFromToday(-1)},${dayFromToday(-1)},30.00,EUR,B-2,,Somebody,No idea`,
    ]
    await page.locator('#statement-file').setInputFiles({
      name: 'statement.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${lines.join('\n')}\n`),
    })
    await page.getByLabel('IBAN (CSV files only)').fill(iban)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('€100.00 of €100.00 for Family Dyer').waitFor()
    await staff.assertAccessible('what is proposed of lines')
    await staff.picture('console-bank-desktop')
    await page.keyboard.press('Escape')
    await page.locator('main').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByText('€100.00 booked').waitFor()
    const balance = async () => (await tenant.api.get(`/billing/accounts/${dyer.id}`)).body.data.balance
    assert.equal(await balance(), 40.5)
    await page.getByLabel('Payer of €30.00').fill('dyer')
    await page.getByRole('option', { name: /Family Dyer/ }).click()
    await page.getByText('€30.00 booked').waitFor()
    assert.equal(await balance(), 10.5)
    await page.getByText('No lines left.').waitFor()
    await page.getByLabel('Only open lines').uncheck()
    await page.getByRole('button', { name: /^Undo booking….*€30.00/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo booking…' }).dblclick()
    await page.getByText('Booking undone').waitFor()
    await until(async () => (await balance()) === 40.5, 'the booking that was taken back')
    await staff.assertAccessible('all lines')
    await staff.leave()
  },
)

test(
  'what is due is collected by direct debit once, the file is saved, and a debit is returned',
  inBrowser,
  async () => {
    const { tenant, dyer } = await aSchool()
    const staff = await aStaffMember(service, tenant, { roles: ['Accounts Manager'], screen: 'desktop' })
    const { page } = staff
    await staff.open('/fees/direct-debits')
    await page.getByLabel('Collection date').fill(dayFromToday(9))
    await page.getByLabel('Include amounts due by').fill(dayFromToday(0))
    await page.getByRole('button', { name: 'Create collection…' }).click()
    await staff.assertAccessible('asking to collect')
    await page.getByRole('dialog').getByRole('button', { name: 'Collect by direct debit' }).dblclick()
    await page.getByText('€100.00').waitFor()
    const runs = async () => (await tenant.api.get('/billing/direct-debits')).body.data
    assert.equal((await runs()).length, 1)
    assert.equal((await tenant.api.get(`/billing/accounts/${dyer.id}`)).body.data.balance, 40.5)
    await staff.assertAccessible('a run')
    await staff.picture('console-direct-debits-desktop')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'File for the bank' }).click()
    assert.match(await readFile(await (await download).path(), 'utf8'), /pain\.008\.001\.08/)
    await page.getByRole('button', { name: /^Returned… Family Dyer/ }).click()
    await page.getByLabel('Reason code, such as AM04').fill('AM04')
    await page.getByLabel('As of').fill(dayFromToday(9))
    await page.getByRole('dialog').getByRole('button', { name: 'Returned…' }).dblclick()
    await page.getByText('Returned AM04').waitFor()
    assert.deepEqual(
      (await runs())[0].debits.map(({ status }: { status: string }) => status),
      ['returned'],
    )
    await staff.leave()
  },
)
