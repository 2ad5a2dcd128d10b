import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

/** Two brothers and sisters with a mother in common, each of whom owes something. */
async function aFamily() {
  const tenant = await service.tenant()
  const records = await aRecordCaller(service, tenant)
  const { name: guardian } = (await records.post('/api/resource/Guardian', { guardian_name: 'Rosa Núñez' })).body.data
  const ids: string[] = []
  for (const fullName of ['Gael Núñez', 'Ana Núñez']) {
    const { id, studentCode } = (await tenant.api.post('/students', { fullName })).body.data
    const guardians = [{ guardian, relation: 'Mother' }]
    assert.equal((await records.put(`/api/resource/Student/${studentCode}`, { guardians })).status, 200)
    ids.push(id)
  }
  const owes = async (studentId: string, amount: number, dueDate: string, description: string) => {
    const made = await tenant.api.post('/payments', { studentId, amount, dueDate, description })
    assert.equal(made.status, 201, made.text)
  }
  const [gael, ana] = ids as [string, string]
  await owes(gael, 100, '2026-01-01', 'Tuition January')
  await owes(gael, 100, '2999-01-01', 'Tuition later')
  await owes(ana, 45.5, '2026-02-01', 'Bus')
  const accounts = async () => {
    const { data } = (await tenant.api.get('/billing/accounts')).body
    return Object.fromEntries(
      data.map(({ name, balance, credit }: Record<string, unknown>) => [name, [balance, credit]]),
    )
  }
  const receipts = async () =>
    (await tenant.api.get('/billing/receipts')).body.data.map(
      ({ amount, method, status }: Record<string, unknown>) => `${amount} ${method} ${status}`,
    )
  return { tenant, gael, accounts, receipts }
}

test(
  'a bursar takes money of two children with the keyboard alone, and double Enter pays once, desktop',
  inBrowser,
  async () => {
    const { tenant, accounts, receipts } = await aFamily()
    const staff = await aStaffMember(service, tenant, { roles: ['Accounts User'], screen: 'desktop' })
    const { page } = staff
    await staff.open('/fees/desk')
    await staff.assertAccessible('the search')
    const began = Date.now()
    await page.keyboard.type('nunez gael', { delay: 20 })
    // Enter takes the first one, whether or not the answer is there.
    await page.keyboard.press('Enter')
    const amount = page.getByLabel('Amount received')
    await amount.waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'amount')
    assert.equal(await amount.inputValue(), '145.50')
    await staff.assertAccessible('what is open')
    await staff.picture('console-fee-desk-desktop')
    await page.keyboard.type('120')
    await page.getByText('$125.50 remains open.').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('$120.00 received').waitFor()
    assert.ok(Date.now() - began < 20_000, `it took ${Date.now() - began} ms`)
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^Print one receipt for all/)
    const printed = page.waitForResponse((response) => response.url().includes('/fee-desk/receipt?') && response.ok())
    await page.keyboard.press('Enter')
    assert.match((await printed).headers()['content-type'] ?? '', /application\/pdf/)
    assert.deepEqual((await receipts()).sort(), ['100 cash posted', '20 cash posted'])
    assert.deepEqual(await accounts(), { 'Gael Núñez': [100, 0], 'Ana Núñez': [25.5, 0] })
    const { data: audit } = (await tenant.api.get('/audit?action=receipt.posted')).body
    assert.deepEqual(
      audit.map(({ actor }: { actor: { type: string } }) => actor.type),
      ['user', 'user'],
    )
    assert.equal((await tenant.api.get('/events?types=receipt.posted')).body.data.length, 2)
    await staff.picture('console-fee-desk-taken-desktop')
    await staff.assertAccessible('what was taken')
    await staff.leave()
  },
)

test('money that is more becomes credit, and a receipt is reversed with a reason, phone', inBrowser, async () => {
  const { tenant, accounts, receipts } = await aFamily()
  const staff = await aStaffMember(service, tenant, { roles: ['Accounts User'], screen: 'phone' })
  const { page } = staff
  await staff.open('/fees/desk')
  await page.getByLabel('Family', { exact: true }).first().fill('rosa')
  await page.getByRole('option', { name: /Rosa Núñez/ }).click()
  await page.getByLabel('Payment for').selectOption({ label: 'Ana Núñez (BA-000002)' })
  const amount = page.getByLabel('Amount received')
  assert.equal(await amount.inputValue(), '45.50')
  await amount.fill('0')
  await page.getByRole('button', { name: 'Take $0.00' }).click()
  await page.getByText('Enter an amount above 0').waitFor()
  await staff.assertAccessible('a wrong amount')
  await amount.fill('60')
  await page.getByText('$14.50 is left over and becomes credit of Ana Núñez.').waitFor()
  await page.getByLabel('Pay now for Bus, Ana Núñez').fill('50')
  await page.getByText('Enter an amount from 0 to $45.50.').waitFor()
  await page.getByLabel('Pay now for Bus, Ana Núñez').fill('40')
  await page.getByText('$20.00 is left over and becomes credit of Ana Núñez.').waitFor()
  await page.getByLabel('Method').selectOption('card')
  await staff.picture('console-fee-desk-phone')
  await page.getByRole('button', { name: 'Take $60.00' }).dblclick()
  await page.getByText('$60.00 received').waitFor()
  assert.deepEqual(await receipts(), ['60 card posted'])
  assert.deepEqual((await accounts())['Ana Núñez'], [-14.5, 20])
  await page.getByRole('button', { name: /^Reverse… REC-/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reverse…' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await staff.assertAccessible('a reason is missing')
  await dialog.getByLabel('Reason').fill('Money given back')
  await dialog.getByRole('button', { name: 'Reverse…' }).dblclick()
  await page.getByText(/^Receipt REC-.* reversed$/).waitFor()
  await page.getByText('Reversed', { exact: true }).waitFor()
  assert.deepEqual(await receipts(), ['60 card reversed'])
  assert.deepEqual((await accounts())['Ana Núñez'], [45.5, 0])
  await staff.assertAccessible('a reversed receipt')
  assert.equal((await tenant.api.get('/events?types=receipt.reversed')).body.data.length, 1)
  await staff.leave()
})

test(
  'what was not answered is sent again as it was and taken once; the account and the payments show it',
  inBrowser,
  async () => {
    const { tenant, gael, receipts } = await aFamily()
    const staff = await aStaffMember(service, tenant, { roles: ['Accounts Manager'], screen: 'desktop' })
    const { page } = staff
    await staff.open(`/fees/desk?of=student&id=${gael}`)
    await page.getByLabel('Payment for').selectOption({ label: 'Gael Núñez (BA-000001)' })
    await page.getByLabel('Amount received').fill('30')
    const responded = page.waitForResponse(/fee-desk\/payments$/)
    await page.route(
      /fee-desk\/payments$/,
      async (route) => {
        // It arrives, and its answer does not.
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.keyboard.press('Enter')
    await page.getByText('The payment could not be confirmed').waitFor()
    await staff.assertAccessible('without an answer')
    await page.getByRole('button', { name: 'Send again' }).click()
    await responded
    await page.getByText('$30.00 received').waitFor()
    assert.deepEqual(await receipts(), ['30 cash posted'])
    await page.getByRole('link', { name: 'Gael Núñez' }).last().click()
    await page.getByRole('heading', { name: 'Statement' }).waitFor()
    await page.getByText('$170.00').first().waitFor()
    await staff.assertAccessible('the account')
    await staff.picture('console-account-desktop')
    await staff.open(`/fees/payments?student=${gael}`)
    await page.getByText('2 records').waitFor()
    await staff.assertAccessible('the payments')
    await page.getByRole('button', { name: 'Show all students' }).click()
    await page.getByText('3 records').waitFor()
    await page.getByLabel('Status').selectOption('paid')
    await page.getByText('No results').waitFor()
    await staff.leave()
  },
)
