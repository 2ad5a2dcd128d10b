import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A student, and accounts that may pay for it, by number. */
async function aFamily({ api }: TestTenant, ...names: string[]) {
  const student: string = (await api.post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const accounts: string[] = []
  for (const name of names) accounts.push((await api.post('/billing/accounts', { name })).body.data.id)
  const share = (shares: object[]) => api.put(`/billing/students/${student}/shares`, { shares })
  const owe = async () => {
    const sent = { studentId: student, amount: 10, description: 'Tuition', dueDate: '2999-01-01' }
    assert.equal((await api.post('/payments', sent)).status, 201)
  }
  const balances = async () =>
    Promise.all(accounts.map(async (id) => (await api.get(`/billing/accounts/${id}`)).body.data.balance))
  return { student, accounts: accounts as [string, ...string[]], share, owe, balances }
}

test('a payment that is made by itself lies with the largest share of all, of equal ones with the lower account number', async () => {
  const tenant = await service.tenant()
  const { accounts, share, owe, balances } = await aFamily(tenant, 'First', 'Second', 'Third')
  const [first, second, third] = accounts as [string, string, string]
  const shares = [
    { accountId: third, percent: 40 },
    { accountId: second, percent: 40 },
    { accountId: first, percent: 20 },
    { accountId: first, percent: 100, categories: ['Meals'] },
  ]
  assert.equal((await share(shares)).status, 200)
  await owe()
  assert.deepEqual(await balances(), [0, 10, 0])
})

test('a share counts on its first and its last day, and on none outside of them', async () => {
  const tenant = await service.tenant()
  const { accounts, share, owe, balances } = await aFamily(tenant, 'Before', 'Today', 'After')
  const [before, today, after] = accounts as [string, string, string]
  const shares = [
    { accountId: before, percent: 100, validTo: day(-1) },
    { accountId: today, percent: 100, validFrom: day(0), validTo: day(0) },
    { accountId: after, percent: 100, validFrom: day(1) },
  ]
  assert.equal((await share(shares)).status, 200)
  await owe()
  assert.deepEqual(await balances(), [0, 10, 0])
  const overlapping = await share([...shares.slice(0, 2), { accountId: after, percent: 100, validFrom: day(0) }])
  assert.deepEqual([overlapping.status, overlapping.body.rule], [422, 'shares_must_sum_to_100'])
  const backwards = await share([{ accountId: today, percent: 100, validFrom: day(1), validTo: day(0) }])
  assert.equal(backwards.status, 400)
})

test('without shares the student’s own account pays, made once for each currency', async () => {
  const tenant = await service.tenant()
  const { student, owe, share, accounts } = await aFamily(tenant, 'Family')
  await owe()
  await owe()
  const own = (await tenant.api.get(`/billing/accounts?studentId=${student}`)).body.data
  assert.deepEqual(
    own.map(({ kind, balance, name }: Record<string, unknown>) => [kind, balance, name]),
    [['student', 20, 'Tyrone Dyer']],
  )
  assert.equal((await share([{ accountId: accounts[0], percent: 100 }])).status, 200)
  assert.equal((await share([])).status, 200)
  await owe()
  assert.equal((await tenant.api.get(`/billing/accounts/${own[0].id}`)).body.data.balance, 30)
})

test('percentages of 0, below it, above 100 and those that sum to almost 100 are refused', async () => {
  const [tenant, foreign] = [await service.tenant(), await service.tenant()]
  const { accounts, share } = await aFamily(tenant, 'One', 'Other')
  const [one, other] = accounts as [string, string]
  for (const percent of [0, -1, 100.01, '50']) {
    const { status, body } = await share([{ accountId: one, percent }])
    assert.deepEqual([status, body.code], [400, 'validation_failed'], String(percent))
  }
  for (const percent of [49.999999, 50.000001]) {
    const { status, body } = await share([
      { accountId: one, percent: 50 },
      { accountId: other, percent },
    ])
    assert.deepEqual([status, body.rule], [422, 'shares_must_sum_to_100'], String(percent))
  }
  const elsewhere = await aFamily(foreign, 'Elsewhere')
  const refused = await share([{ accountId: elsewhere.accounts[0], percent: 100 }])
  assert.deepEqual([refused.status, refused.body.code], [422, 'reference_not_found'])
  const unknown = await tenant.api.post('/billing/accounts', { name: 'X', paymentTerms: 'No such terms' })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
})

test('what is charged and received is no change of the account: updatedAt stays, and its tag changes', async () => {
  const tenant = await service.tenant()
  const { accounts, share, owe } = await aFamily(tenant, 'Family')
  assert.equal((await share([{ accountId: accounts[0], percent: 100 }])).status, 200)
  const read = () => tenant.api.get(`/billing/accounts/${accounts[0]}`)
  const before = await read()
  await owe()
  const receipt = { accountId: accounts[0], receivedOn: day(0), method: 'cash', amount: 15 }
  assert.equal((await tenant.api.post('/billing/receipts', receipt)).status, 201)
  const after = await read()
  assert.deepEqual([after.body.data.balance, after.body.data.credit], [-5, 5])
  assert.equal(after.body.data.updatedAt, before.body.data.updatedAt)
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
})
