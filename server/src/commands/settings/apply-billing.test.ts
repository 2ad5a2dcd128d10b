import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadBillingSettings } from '../../features/billing-accounts/index.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, run, json } = await loadCommandLine(service)

let count = 0
async function apply({ slug }: TestTenant, text: string) {
  count += 1
  const file = join(folder, `billing-${count}.yaml`)
  await writeFile(file, text)
  return ['apply', file, '--tenant', slug, '--yes']
}

async function applied(tenant: TestTenant, text: string) {
  return (await json(await apply(tenant, text))).plan
}

async function refused(tenant: TestTenant, text: string): Promise<string> {
  const { code, stderr } = await run(await apply(tenant, text))
  assert.equal(code, 2, stderr)
  return stderr
}

const load = ({ id }: TestTenant) => service.data.transaction(id, loadBillingSettings)

const whole = `
billing:
  numbering: { gapless: true }
  discounts:
    - { key: merit, kind: scholarship, amount: 150, order: 2 }
    - { key: siblings, kind: sibling, orderBy: entry, fromChild: 3, percent: 10, categories: [Tuition], order: 1, cap: 200 }
  dunning:
    - { level: 2, daysOverdue: 30, fee: 20 }
    - { level: 1, daysOverdue: 14, texts: { en: '{name}, {amount} is overdue.' } }
  bankAccounts:
    - { key: main, iban: CH93 0076 2011 6238 5295 7, currency: chf, csvColumns: { bookedOn: Datum } }
  bankMatching: { bookExact: true }
  creditor: { name: Northfield, creditorId: DE98ZZZ09999999999, iban: DE89 3704 0044 0532 0130 00 }
`

test('the section billing is planned, applied and stored whole, and a second time changes nothing', async () => {
  const tenant = await service.tenant()
  const plan = await applied(tenant, whole)
  assert.deepEqual(
    plan.map(({ action, kind, key }: Record<string, string>) => `${action} ${kind} ${key}`),
    ['change billing of the institution'],
  )
  assert.deepEqual(await load(tenant), {
    numbering: { gapless: true },
    discounts: [
      {
        key: 'siblings',
        kind: 'sibling',
        orderBy: 'entry',
        fromChild: 3,
        studentCategories: null,
        percent: 10,
        amount: null,
        categories: ['Tuition'],
        order: 1,
        cap: 200,
      },
      {
        key: 'merit',
        kind: 'scholarship',
        orderBy: 'age',
        fromChild: 2,
        studentCategories: null,
        percent: null,
        amount: 150,
        categories: null,
        order: 2,
        cap: null,
      },
    ],
    dunning: [
      { level: 1, daysOverdue: 14, fee: null, percent: null, texts: { en: '{name}, {amount} is overdue.' } },
      { level: 2, daysOverdue: 30, fee: 20, percent: null, texts: null },
    ],
    bankAccounts: [{ key: 'main', iban: 'CH9300762011623852957', currency: 'CHF', csvColumns: { bookedOn: 'Datum' } }],
    bankMatching: { bookExact: true },
    creditor: {
      name: 'Northfield',
      creditorId: 'DE98ZZZ09999999999',
      iban: 'DE89370400440532013000',
      bic: null,
      preNotificationDays: 14,
      painVersion: 'pain.008.001.08',
    },
    print: { logo: null, address: null, footer: null, notes: {} },
  })
  assert.deepEqual(await applied(tenant, whole), [])
  const { body } = await tenant.api.get('/audit?action=tenant.billing_changed')
  assert.equal(body.data.length, 1)
})

test('what the section billing leaves out stays, lists are replaced, and another institution keeps the defaults', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  await applied(tenant, whole)
  await applied(tenant, 'billing: { discounts: [], creditor: null, bankMatching: {} }')
  const { discounts, creditor, numbering, dunning, bankMatching } = await load(tenant)
  assert.deepEqual(
    [discounts, creditor, numbering, dunning.length, bankMatching],
    [[], null, { gapless: true }, 2, { bookExact: true }],
  )
  assert.deepEqual(await load(other), {
    numbering: { gapless: false },
    discounts: [],
    dunning: [],
    bankAccounts: [],
    bankMatching: { bookExact: false },
    creditor: null,
    print: { logo: null, address: null, footer: null, notes: {} },
  })
})

test('wrong settings of billing are refused together, each with its line, and nothing is stored', async () => {
  const tenant = await service.tenant()
  const text = await refused(
    tenant,
    `billing:
  numbering: { gapless: true }
  discounts:
    - { key: a, kind: sibling, percent: 10, amount: 5 }
    - { key: b, kind: staff }
    - { key: b, kind: staff, percent: 5 }
  dunning:
    - { level: 1, daysOverdue: 14, fee: 5, percent: 5 }
    - { level: 2, daysOverdue: 14 }
  bankAccounts:
    - { key: main, iban: CH93 0076 2011 6238 5295 8, currency: XXZ }
    - { key: same, iban: CH93 0076 2011 6238 5295 8, currency: CHF }
  creditor: { name: Northfield, creditorId: DE98ZZZ09999999999, iban: DE89370400440532013001 }
`,
  )
  for (const line of [
    'line 4: billing.discounts[1]: needs either percent or amount',
    'line 5: billing.discounts[2]: needs either percent or amount',
    'line 6: billing.discounts[3].key: b appears twice; give each its own',
    'line 8: billing.dunning[1]: costs either a fee or a percent; leave out one of them',
    'line 9: billing.dunning[2].daysOverdue: must be more than the 14 days of level 1',
    'line 11: billing.bankAccounts[1].iban: must be an IBAN with right check digits',
    'line 11: billing.bankAccounts[1].currency: XXZ is no currency of ISO 4217',
    'line 12: billing.bankAccounts[2].iban: CH9300762011623852958 appears twice; give each its own',
    'line 13: billing.creditor.iban: must be an IBAN with right check digits',
  ]) {
    assert.ok(text.includes(line), `${line}\n${text}`)
  }
  assert.equal((await load(tenant)).numbering.gapless, false)
})

test('settings of billing beyond their bounds are refused by name', async () => {
  const tenant = await service.tenant()
  for (const [section, member] of [
    ['discounts: [{ key: a, kind: loyalty, percent: 5 }]', 'kind'],
    ['discounts: [{ key: a, kind: staff, percent: 101 }]', 'percent'],
    ['discounts: [{ key: a, kind: staff, percent: 0 }]', 'percent'],
    ['discounts: [{ key: a, kind: sibling, percent: 5, cap: -1 }]', 'cap'],
    ['dunning: [{ level: 0, daysOverdue: 5 }]', 'level'],
    ['numbering: { gapless: often }', 'gapless'],
    ['creditor: { name: N, creditorId: 12, iban: DE89370400440532013000 }', 'creditorId'],
    ['rounding: up', 'rounding'],
  ] as const) {
    const text = await refused(tenant, `billing: { ${section} }`)
    assert.match(text, new RegExp(`line 1: billing.*${member}`))
  }
})

test('with numbers without gaps, invoices and receipts count on past what was refused', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  await applied(tenant, 'billing: { numbering: { gapless: true } }')
  const studentId = (await api.post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const payment = { studentId, amount: 100, description: 'Tuition', dueDate: '2999-09-01' }
  for (const amount of [100, -1, 50]) await api.post('/payments', { ...payment, amount })
  const accountId = (await api.get(`/billing/accounts?studentId=${studentId}`)).body.data[0].id
  const receivedOn = new Date().toISOString().slice(0, 10)
  const receipt = { accountId, receivedOn, method: 'cash', amount: 10 }
  for (const currency of ['USD', 'EUR', 'USD']) await api.post('/billing/receipts', { ...receipt, currency })
  const { lines } = (await api.get(`/billing/accounts/${accountId}/statement`)).body.data
  const numbers = lines.map(({ number }: { number: string }) => number)
  const year = receivedOn.slice(0, 4)
  assert.deepEqual(numbers.sort(), [`INV-${year}-00001`, `INV-${year}-00002`, `REC-${year}-00001`, `REC-${year}-00002`])
})
