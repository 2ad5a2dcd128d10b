import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { checkBilling } from '../../../commands/diagnostics/billing-check.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const today = () => new Date().toISOString().slice(0, 10)
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

/** An account with a credit, in whole units. */
async function aCreditor(tenant: TestTenant, credit: number, fields: object = {}): Promise<string> {
  const made = await tenant.api.post('/billing/accounts', { name: 'Family Dyer', ...fields })
  assert.equal(made.status, 201, made.text)
  const accountId: string = made.body.data.id
  if (credit > 0) {
    const receipt = { accountId, receivedOn: yesterday(), method: 'cash', amount: credit }
    assert.equal((await tenant.api.post('/billing/receipts', receipt)).status, 201)
  }
  return accountId
}

const payOut = ({ api }: TestTenant, accountId: string, fields: object = {}) =>
  api.post('/billing/payouts', { accountId, paidOn: today(), method: 'transfer', amount: 40.5, ...fields })

const account = async ({ api }: TestTenant, id: string) => (await api.get(`/billing/accounts/${id}`)).body.data

test('POST /v1/billing/payouts: credit goes out with a number, its postings, audit and event, and stands on statement and journal', async () => {
  const tenant = await service.tenant()
  const id = await aCreditor(tenant, 100)
  const made = await payOut(tenant, id, { reference: 'TR-7', reason: 'Left the school' })
  assert.equal(made.status, 201, made.text)
  const { id: payoutId, createdBy, createdAt, updatedAt, ...payout } = made.body.data
  assert.deepEqual(payout, {
    payoutNumber: `PAY-${today().slice(0, 4)}-00001`,
    accountId: id,
    paidOn: today(),
    method: 'transfer',
    reference: 'TR-7',
    reason: 'Left the school',
    amount: 40.5,
    currency: 'USD',
    status: 'posted',
    reversedBy: null,
  })
  assert.ok(createdAt === updatedAt && createdBy.type === 'api_key')
  assert.equal(made.headers.get('location')?.endsWith(`/billing/payouts/${payoutId}`), true)
  assert.deepEqual((await tenant.traces(payoutId)).events, ['payout.posted'])
  const after = await account(tenant, id)
  assert.deepEqual([after.credit, after.balance], [59.5, -59.5])
  const { lines, closingBalance } = (await tenant.api.get(`/billing/accounts/${id}/statement`)).body.data
  assert.deepEqual(lines.at(-1), {
    date: today(),
    kind: 'payout',
    number: payout.payoutNumber,
    debit: 40.5,
    credit: 0,
    balance: -59.5,
  })
  assert.equal(closingBalance, -59.5)
  const path = `/billing/journal?from=${today()}&to=${today()}`
  const { entries } = (await tenant.api.get(path, { accept: 'application/json' })).body.data
  assert.deepEqual(
    entries.map(({ document, account: of, party, debit, credit, text }: Record<string, unknown>) => {
      return [document, String(of).split(' - ')[0], party, debit, credit, text]
    }),
    [
      [payout.payoutNumber, 'Debtors', after.accountNumber, 40.5, 0, `Payout ${payout.payoutNumber}`],
      [payout.payoutNumber, 'Bank', null, 0, 40.5, `Payout ${payout.payoutNumber}`],
    ],
  )
  const listed = await tenant.api.get(`/billing/payouts?accountId=${id}&status=posted&from=${today()}`)
  assert.deepEqual(listed.body.data, [made.body.data])
  assert.deepEqual((await tenant.api.get(`/billing/payouts/${payoutId}`)).body.data, made.body.data)
})

test('POST /v1/billing/payouts: what is wrong is refused by its code and rule, and nothing goes out', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const [id, foreign] = [await aCreditor(tenant, 10), await aCreditor(other, 10)]
  const refused = async (fields: object) => {
    const { status, body } = await payOut(tenant, id, { amount: 10, ...fields })
    return [status, body.rule ?? body.code]
  }
  assert.deepEqual(await refused({ amount: 10.01 }), [422, 'credit_exceeded'])
  assert.deepEqual(await refused({ amount: 1.005 }), [422, 'finer_than_minor_unit'])
  assert.deepEqual(await refused({ amount: 0 }), [400, 'validation_failed'])
  assert.deepEqual(await refused({ amount: -1 }), [400, 'validation_failed'])
  assert.deepEqual(await refused({ paidOn: '2999-01-01' }), [400, 'validation_failed'])
  assert.deepEqual(await refused({ method: 'credit' }), [400, 'validation_failed'])
  for (const accountId of [foreign, randomUUID()]) {
    assert.deepEqual(await refused({ accountId }), [422, 'reference_not_found'])
  }
  await service.database.inspect('update education_settings set books_closed_until = $2 where tenant_id = $1', [
    tenant.id,
    yesterday(),
  ])
  assert.deepEqual(await refused({ paidOn: yesterday() }), [422, 'books_closed'])
  assert.equal((await account(tenant, id)).credit, 10)
  assert.equal((await tenant.api.get('/billing/payouts')).body.pagination.total, 0)
})

test('POST /v1/billing/payouts/{id}/reverse: the money is credit again, once; a receipt whose credit went out is 409 until then', async () => {
  const tenant = await service.tenant()
  const id = await aCreditor(tenant, 40.5)
  const made = await payOut(tenant, id, { paidOn: yesterday() })
  const { id: payoutId, payoutNumber } = made.body.data
  const [receipt] = (await tenant.api.get(`/billing/receipts?accountId=${id}`)).body.data
  const reverseReceipt = () => tenant.api.post(`/billing/receipts/${receipt.id}/reverse`, {})
  assert.equal((await reverseReceipt()).status, 409)
  const reverse = (body: object, headers = {}) => tenant.api.post(`/billing/payouts/${payoutId}/reverse`, body, headers)
  const early = await reverse({ on: '2020-01-01' })
  assert.deepEqual([early.status, early.body.errors[0].pointer], [400, '#/on'])
  assert.equal((await reverse({}, { 'if-match': '"9"' })).status, 412)
  const both = await Promise.all([reverse({ reason: 'Transfer came back' }), reverse({})])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  assert.deepEqual((await tenant.traces(payoutId)).events, ['payout.posted', 'payout.reversed'])
  assert.deepEqual([(await account(tenant, id)).credit], [40.5])
  const { lines } = (await tenant.api.get(`/billing/accounts/${id}/statement`)).body.data
  assert.deepEqual(
    lines.slice(-2).map(({ kind, number, debit, credit }: Record<string, unknown>) => [kind, number, debit, credit]),
    [
      ['payout', payoutNumber, 40.5, 0],
      ['payout_reversal', payoutNumber, 0, 40.5],
    ],
  )
  assert.equal((await reverseReceipt()).status, 200)
})

test('POST /v1/billing/payouts: ten at once pay out no more than the credit, with numbers without gaps', async () => {
  const tenant = await service.tenant()
  const id = await aCreditor(tenant, 100)
  const all = await Promise.all(Array.from({ length: 10 }, () => payOut(tenant, id, { amount: 30 })))
  const paid = all.filter(({ status }) => status === 201)
  assert.deepEqual([paid.length, (await account(tenant, id)).credit], [3, 10])
  assert.ok(all.every(({ status, body }) => status === 201 || body.rule === 'credit_exceeded'))
  assert.deepEqual(paid.map(({ body }) => Number(body.data.payoutNumber.split('-').at(-1))).sort(), [1, 2, 3])
})

test('accounts, obligations, receipts and ledger agree after all of this, as doctor compares them', async () => {
  const { status, detail } = await checkBilling((text, values) => service.database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
})
