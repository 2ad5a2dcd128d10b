import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const today = () => new Date().toISOString().slice(0, 10)
const iban = 'DE89370400440532013000'

interface Payer {
  readonly accountId: string
  readonly studentId: string
}

/** An account that pays for a student of its own. */
async function aPayer({ api }: TestTenant, fields: object = {}): Promise<Payer> {
  const account = await api.post('/billing/accounts', { name: 'Dyer family', ...fields })
  assert.equal(account.status, 201, account.text)
  const accountId: string = account.body.data.id
  const studentId: string = (await api.post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const put = await api.put(`/billing/students/${studentId}/shares`, { shares: [{ accountId, percent: 100 }] })
  assert.equal(put.status, 200, put.text)
  return { accountId, studentId }
}

/** The id of a payment that the account of a student owes. */
async function owe({ api }: TestTenant, { studentId }: Payer, amount: number, dueDate = '2999-01-05'): Promise<string> {
  const made = await api.post('/payments', { studentId, amount, description: 'Tuition', dueDate })
  assert.equal(made.status, 201, made.text)
  return made.body.data.id
}

test('accounts: an IBAN with wrong check digits is 400, a right one is shown by its last four characters, null removes it', async () => {
  const { api } = await service.tenant()
  const mandate = (of: string) => ({ id: 'M-1', iban: of, signedAt: '2026-01-02' })
  const wrong = await api.post('/billing/accounts', { name: 'Dyer', mandate: mandate('DE88370400440532013000') })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'validation_failed'])
  const made = await api.post('/billing/accounts', { name: 'Dyer', mandate: mandate(iban) })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.data.mandate.sequence, 'FRST')
  assert.ok(!made.text.includes(iban.slice(0, -4)))
  assert.ok(made.body.data.mandate.iban.endsWith('3000'))
  const removed = await api.patch(`/billing/accounts/${made.body.data.id}`, { mandate: null })
  assert.deepEqual([removed.status, removed.body.data.mandate], [200, null])
})

test('accounts: the currency changes until something is posted, then it is 409', async () => {
  const tenant = await service.tenant()
  const payer = await aPayer(tenant)
  const change = (currency: string) => tenant.api.patch(`/billing/accounts/${payer.accountId}`, { currency })
  assert.equal((await change('EUR')).status, 200)
  assert.equal((await change('USD')).status, 200)
  await owe(tenant, payer, 100)
  const refused = await change('EUR')
  assert.deepEqual([refused.status, refused.body.code], [409, 'state_conflict'])
})

test('obligations: what is open stands first, and dueTo includes its day', async () => {
  const tenant = await service.tenant()
  const payer = await aPayer(tenant)
  const first = await owe(tenant, payer, 10, '2999-01-05')
  const second = await owe(tenant, payer, 20, '2999-01-06')
  await tenant.api.patch(`/payments/${first}`, { status: 'paid' })
  const list = async (query = '') => {
    const { body } = await tenant.api.get(`/billing/accounts/${payer.accountId}/obligations${query}`)
    return body.data.map((each: { paymentId: string }) => each.paymentId)
  }
  assert.deepEqual(await list(), [second, first])
  assert.deepEqual(await list('?dueTo=2999-01-05'), [first])
  assert.deepEqual(await list('?dueTo=2999-01-06&status=pending'), [second])
})

test('receipts: zero and negative amounts are 400, unknown ids and those of another institution 422', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const [payer, foreign] = [await aPayer(tenant), await aPayer(other)]
  const paymentId = await owe(tenant, payer, 100)
  const post = (fields: object) => {
    const receipt = { accountId: payer.accountId, receivedOn: today(), method: 'cash', amount: 10, ...fields }
    return tenant.api.post('/billing/receipts', receipt)
  }
  for (const amount of [0, -1]) assert.equal((await post({ amount })).status, 400)
  assert.equal((await post({ receivedOn: '2999-01-01' })).status, 400)
  for (const accountId of [randomUUID(), foreign.accountId]) {
    const refused = await post({ accountId })
    assert.deepEqual([refused.status, refused.body.code], [422, 'reference_not_found'])
  }
  const foreignPayment = await owe(other, foreign, 10)
  const refused = await post({ allocations: [{ paymentId: foreignPayment, amount: 10 }] })
  assert.deepEqual([refused.status, refused.body.code], [422, 'reference_not_found'])
  const finer = await post({ amount: 10.001 })
  assert.deepEqual([finer.status, finer.body.rule], [422, 'finer_than_minor_unit'])
  const mismatch = await post({ currency: 'EUR' })
  assert.deepEqual([mismatch.status, mismatch.body.rule], [422, 'currency_mismatch'])
  const both = await post({ allocate: 'oldest', allocations: [{ paymentId, amount: 10 }] })
  assert.equal(both.status, 400)
  const { body } = await tenant.api.get(`/billing/accounts/${payer.accountId}`)
  assert.equal(body.data.balance, 100)
})

test('receipts: allocations of nothing are credit; what was used of it cannot be reversed before its use is', async () => {
  const tenant = await service.tenant()
  const payer = await aPayer(tenant)
  await owe(tenant, payer, 100)
  const post = (fields: object) =>
    tenant.api.post('/billing/receipts', { accountId: payer.accountId, receivedOn: today(), ...fields })
  const ahead = await post({ method: 'cash', amount: 60, allocations: [] })
  assert.deepEqual([ahead.status, ahead.body.data.unallocated], [201, 60])
  const exceeding = await post({ method: 'credit', amount: 61 })
  assert.deepEqual([exceeding.status, exceeding.body.rule], [422, 'credit_exceeded'])
  const used = await post({ method: 'credit', amount: 60 })
  assert.deepEqual([used.status, used.body.data.unallocated], [201, 0])
  const reverse = (id: string) => tenant.api.post(`/billing/receipts/${id}/reverse`, {})
  assert.equal((await reverse(ahead.body.data.id)).status, 409)
  assert.equal((await reverse(used.body.data.id)).status, 200)
  const reversed = await reverse(ahead.body.data.id)
  assert.deepEqual([reversed.status, reversed.body.data.status], [200, 'reversed'])
  assert.equal((await reverse(ahead.body.data.id)).status, 409)
  const { body } = await tenant.api.get(`/billing/accounts/${payer.accountId}`)
  assert.deepEqual([body.data.balance, body.data.credit], [100, 0])
})

test('split, write-off and credit: parts that do not sum to what is open are refused, and nothing open is 409', async () => {
  const tenant = await service.tenant()
  const payer = await aPayer(tenant)
  const id = await owe(tenant, payer, 100)
  const post = (does: string, body: object) => tenant.api.post(`/billing/obligations/${id}/${does}`, body)
  const parts = (...amounts: number[]) => ({ parts: amounts.map((amount) => ({ amount, dueDate: '2999-02-01' })) })
  assert.ok([400, 422].includes((await post('split', parts(40, 40))).status))
  assert.ok([400, 422].includes((await post('split', parts(100))).status))
  assert.equal((await post('write-off', { amount: 101, reason: 'Moved' })).status, 422)
  const written = await post('write-off', { amount: 100, reason: 'Moved' })
  assert.equal(written.status, 201, written.text)
  const { number, createdAt, id: adjustment, ...rest } = written.body.data
  assert.deepEqual(rest, { paymentId: id, amount: 100, reason: 'Moved' })
  assert.ok(adjustment && createdAt && /\d$/.test(number))
  assert.equal((await tenant.api.get(`/payments/${id}`)).body.data.status, 'cancelled')
  for (const [does, body] of [
    ['split', parts(50, 50)],
    ['write-off', { amount: 1, reason: 'Moved' }],
  ] as const) {
    const refused = await post(does, body)
    assert.deepEqual([refused.status, refused.body.code], [409, 'state_conflict'], does)
  }
})

test('statement, ageing and journal: days that do not fit are 400, and every form of the journal balances', async () => {
  const tenant = await service.tenant()
  const payer = await aPayer(tenant)
  await owe(tenant, payer, 100, '2026-01-05')
  const { api } = tenant
  const statement = `/billing/accounts/${payer.accountId}/statement`
  assert.equal((await api.get(`${statement}?from=2026-02-01&to=2026-01-01`)).status, 400)
  for (const query of ['', '?from=2026-01-01', '?to=2026-01-01', '?from=2026-02-30&to=2026-03-01']) {
    assert.equal((await api.get(`/billing/journal${query}`)).status, 400, query)
  }
  const journal = `/billing/journal?from=2026-01-01&to=${today()}`
  const csv = await api.get(journal)
  assert.ok(csv.headers.get('content-type')?.startsWith('text/csv'))
  assert.equal(csv.text.split(/\r?\n/)[0], 'date,document,account,party,debit,credit,currency,text')
  for (const type of ['text/x-hledger', 'text/x-beancount']) {
    const read = await api.get(journal, { accept: type })
    assert.deepEqual([read.status, read.headers.get('content-type')?.startsWith(type)], [200, true])
  }
  for (const by of ['account', 'student', 'group', 'program', 'year']) {
    const { status, text } = await api.get(`/billing/ageing?by=${by}`)
    assert.equal(status, 200, text)
  }
  const [row] = (await api.get('/billing/ageing?by=student')).body.data
  assert.deepEqual([row.id, row.over90, row.total], [payer.studentId, 100, 100])
  assert.equal((await api.get('/billing/ageing?by=nobody')).status, 400)
})

test('journal: a ledger that is read in many batches has each document once, whole and balanced, in every form', async () => {
  const tenant = await service.tenant()
  const payer = await aPayer(tenant)
  await owe(tenant, payer, 100, '2026-01-05')
  const copies = 1500
  await service.database.inspect(
    `insert into gl_entries
     select made.* from gl_entries g cross join generate_series(1, ${copies}) n,
            jsonb_populate_record(null::gl_entries, to_jsonb(g) || jsonb_build_object(
              'id', gen_random_uuid(), 'name', g.name || '-' || n, 'voucher_no', 'COPY-' || n)) made
      where g.tenant_id = $1`,
    [tenant.id],
  )
  const read = async (accept: string) =>
    (await tenant.api.get(`/billing/journal?from=2000-01-01&to=${today()}`, { accept })).text
  const rows = (await read('text/csv')).trim().split('\r\n').slice(1)
  assert.equal(rows.length, (copies + 1) * 2)
  const journal = (await read('text/x-hledger')).trim().split('\n\n')
  assert.equal(journal.length, copies + 1)
  const ledger = (await read('text/x-beancount')).trim().split('\n\n').slice(1)
  assert.equal(ledger.length, copies + 1)
  for (const transactions of [journal, ledger]) {
    for (const transaction of transactions) {
      const amounts = [...transaction.matchAll(/ {2}(-?[\d.]+) USD/g)].map(([, amount]) => Number(amount))
      assert.deepEqual([amounts.length, amounts.reduce((sum, amount) => sum + amount, 0)], [2, 0], transaction)
    }
  }
})
