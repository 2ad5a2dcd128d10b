import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBilling } from '../../commands/diagnostics/billing-check.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { chargeOlderJob } from './index.ts'

const service = await startTestService()

async function aStudent(tenant: TestTenant): Promise<string> {
  const made = await tenant.api.post('/students', { fullName: 'Tyrone Dyer' })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.data.id
}

async function aPayment(tenant: TestTenant, studentId: string, amount: number, more: object = {}) {
  const sent = { studentId, amount, description: 'Tuition', dueDate: '2999-09-01', ...more }
  const made = await tenant.api.post('/payments', sent)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.data
}

async function findAccount(tenant: TestTenant, studentId: string) {
  const { status, body } = await tenant.api.get(`/billing/accounts?studentId=${studentId}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data[0]
}

async function closeBooks({ id }: TestTenant, until: string): Promise<void> {
  await service.database.inspect('update education_settings set books_closed_until = $2 where tenant_id = $1', [
    id,
    until,
  ])
}

const today = () => new Date().toISOString().slice(0, 10)

/** Receivables of the ledger by billing account, and whether all lines balance. */
async function ledger(tenant: TestTenant) {
  const rows = await service.database.inspect<{ account: string; receivable: string }>(
    `select a.account_number as account, sum(g.debit - g.credit)::text as receivable
       from gl_entries g join billing_accounts a on a.tenant_id = g.tenant_id and a.id = g.billing_account_id
      where g.tenant_id = $1 group by 1`,
    [tenant.id],
  )
  const [sum] = await service.database.inspect<{ sum: string }>(
    'select coalesce(sum(debit - credit), 0)::text as sum from gl_entries where tenant_id = $1',
    [tenant.id],
  )
  assert.equal(Number(sum?.sum), 0)
  return Object.fromEntries(rows.map(({ account, receivable }) => [account, Number(receivable)]))
}

test('POST /v1/billing/accounts: an account has defaults, an ETag and its event; PATCH honours If-Match', async () => {
  const tenant = await service.tenant()
  const made = await tenant.api.post('/billing/accounts', { name: 'Family Dyer', externalId: 'FAM-1' })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id, ...account } = made.body.data
  assert.deepEqual(
    { ...account, createdAt: null, updatedAt: null },
    {
      externalId: 'FAM-1',
      accountNumber: 'BA-000001',
      name: 'Family Dyer',
      kind: 'family',
      currency: 'USD',
      language: 'en',
      email: null,
      phone: null,
      country: null,
      stateProvince: null,
      city: null,
      address: null,
      postalCode: null,
      taxId: null,
      deliverBy: 'none',
      paymentTerms: null,
      mandate: null,
      shares: [],
      balance: 0,
      overdue: 0,
      credit: 0,
      createdAt: null,
      updatedAt: null,
    },
  )
  assert.deepEqual((await tenant.traces(id)).events, ['billing_account.created'])
  const patched = await tenant.api.patch(
    `/billing/accounts/${id}`,
    { mandate: { id: 'M-1', iban: 'DE89 3704 0044 0532 0130 00', signedAt: '2026-01-02' } },
    { 'if-match': made.headers.get('etag') as string },
  )
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  assert.deepEqual(patched.body.data.mandate, { id: 'M-1', iban: '3000', signedAt: '2026-01-02', sequence: 'FRST' })
  const again = await tenant.api.patch(`/billing/accounts/${id}`, patched.body.data)
  assert.equal(again.status, 200, JSON.stringify(again.body))
  assert.equal(again.body.data.updatedAt, patched.body.data.updatedAt)
  const stale = await tenant.api.patch(`/billing/accounts/${id}`, { name: 'X' }, { 'if-match': '"1"' })
  assert.equal(stale.status, 412)
  const wrong = await tenant.api.patch(`/billing/accounts/${id}`, {
    mandate: { id: 'M-1', iban: 'DE88370400440532013000', signedAt: '2026-01-02' },
  })
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '#/mandate/iban'])
  const taken = await tenant.api.post('/billing/accounts', { name: 'Other', externalId: 'FAM-1' })
  assert.deepEqual([taken.status, taken.body.existingId], [409, id])
  const put = await tenant.api.put('/billing/accounts/external/FAM-1', { name: 'Dyer' })
  assert.deepEqual([put.status, put.body.data.name], [200, 'Dyer'])
  const found = await tenant.api.get('/billing/accounts?search=dyer&kind=family&externalId=FAM-1')
  assert.deepEqual([found.status, found.body.pagination?.total], [200, 1])
})

test('PUT /v1/billing/students/{id}/shares: shares sum to 100 or 0 on every day, for each category', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  const account = async (name: string) => (await tenant.api.post('/billing/accounts', { name })).body.data.id
  const [mother, father] = [await account('Mother'), await account('Father')]
  const put = (shares: object[]) => tenant.api.put(`/billing/students/${student}/shares`, { shares })
  const uneven = await put([{ accountId: mother, percent: 60 }])
  assert.deepEqual([uneven.status, uneven.body.rule], [422, 'shares_must_sum_to_100'])
  const gap = await put([
    { accountId: mother, percent: 50 },
    { accountId: father, percent: 50, validTo: '2026-12-31' },
  ])
  assert.deepEqual([gap.status, gap.body.rule], [422, 'shares_must_sum_to_100'])
  const unknown = await put([{ accountId: student, percent: 100 }])
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
  const even = await put([
    { accountId: mother, percent: 33.4 },
    { accountId: father, percent: 66.6 },
    { accountId: mother, percent: 100, categories: ['Meals'] },
  ])
  assert.equal(even.status, 200, JSON.stringify(even.body))
  assert.equal(even.body.data.shares.length, 3)
  const partial = await tenant.api.patch(`/billing/accounts/${father}`, { shares: [] })
  assert.deepEqual([partial.status, partial.body.rule], [422, 'shares_must_sum_to_100'])
  const missing = await tenant.api.put(`/billing/students/${mother}/shares`, { shares: [] })
  assert.equal(missing.status, 404)
  // Lies wholly with the payer of the largest share of what is not named.
  await aPayment(tenant, student, 90)
  assert.equal((await tenant.api.get(`/billing/accounts/${father}`)).body.data.balance, 90)
})

test('a receipt pays what is oldest, the rest is credit, and its reversal gives everything back', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  const late = await aPayment(tenant, student, 70, { dueDate: '2999-10-01' })
  const early = await aPayment(tenant, student, 30, { dueDate: '2020-01-01' })
  const account = await findAccount(tenant, student)
  assert.deepEqual([account.balance, account.overdue, account.kind, account.name], [100, 30, 'student', 'Tyrone Dyer'])
  const pay = (more: object) =>
    tenant.api.post('/billing/receipts', { accountId: account.id, receivedOn: today(), method: 'cash', ...more })
  const first = await pay({ amount: 40.5 })
  assert.equal(first.status, 201, JSON.stringify(first.body))
  assert.deepEqual(first.body.data.allocations, [
    { paymentId: early.id, amount: 30 },
    { paymentId: late.id, amount: 10.5 },
  ])
  const paid = await tenant.api.get(`/payments/${early.id}`)
  assert.deepEqual([paid.body.data.status, paid.body.data.paidAt], ['paid', `${today()}T00:00:00.000Z`])
  const list = await tenant.api.get(`/billing/accounts/${account.id}/obligations`)
  assert.equal(list.status, 200, JSON.stringify(list.body))
  assert.deepEqual(
    list.body.data.map((each: Record<string, unknown>) => [
      each.paymentId,
      each.status,
      each.paidAmount,
      each.openAmount,
    ]),
    [
      [late.id, 'pending', 10.5, 59.5],
      [early.id, 'paid', 30, 0],
    ],
  )
  const over = await pay({ amount: 100 })
  assert.deepEqual([over.status, over.body.data.unallocated], [201, 40.5])
  const rich = await findAccount(tenant, student)
  assert.deepEqual([rich.balance, rich.credit], [-40.5, 40.5])
  assert.deepEqual(await ledger(tenant), { [account.accountNumber]: -40.5 })
  const third = await aPayment(tenant, student, 40)
  const byCredit = await pay({ amount: 40, method: 'credit' })
  assert.equal(byCredit.status, 201, JSON.stringify(byCredit.body))
  assert.equal((await tenant.api.get(`/payments/${third.id}`)).body.data.status, 'paid')
  const used = await tenant.api.post(`/billing/receipts/${over.body.data.id}/reverse`, {})
  assert.deepEqual([used.status, used.body.code], [409, 'state_conflict'])
  for (const { body } of [byCredit, over, first]) {
    const back = await tenant.api.post(`/billing/receipts/${body.data.id}/reverse`, { reason: 'Error' })
    assert.equal(back.status, 200, JSON.stringify(back.body))
    assert.equal(back.body.data.status, 'reversed')
    assert.deepEqual((await tenant.traces(body.data.id)).events, ['receipt.posted', 'receipt.reversed'])
  }
  const twice = await tenant.api.post(`/billing/receipts/${first.body.data.id}/reverse`, {})
  assert.deepEqual([twice.status, twice.body.code], [409, 'state_conflict'])
  const due = await tenant.api.get(`/payments/${early.id}`)
  assert.deepEqual([due.body.data.status, due.body.data.paidAt], ['overdue', null])
  assert.deepEqual(await ledger(tenant), { [account.accountNumber]: 140 })
})

test('POST /v1/billing/receipts: what is wrong is refused by its rule', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  const payment = await aPayment(tenant, student, 100)
  const other = await aPayment(tenant, await aStudent(tenant), 10)
  const account = await findAccount(tenant, student)
  const pay = async (more: object) => {
    const sent = { accountId: account.id, receivedOn: today(), method: 'cash', amount: 10, ...more }
    const { status, body } = await tenant.api.post('/billing/receipts', sent)
    return [status, body.rule ?? body.code]
  }
  const allocations = (paymentId: string, amount: number) => ({ allocations: [{ paymentId, amount }] })
  assert.deepEqual(await pay({ receivedOn: '2999-01-01' }), [400, 'validation_failed'])
  assert.deepEqual(await pay({ amount: 0 }), [400, 'validation_failed'])
  assert.deepEqual(await pay({ amount: -1 }), [400, 'validation_failed'])
  assert.deepEqual(await pay({ allocate: 'oldest', allocations: [] }), [400, 'validation_failed'])
  assert.deepEqual(await pay({ accountId: student }), [422, 'reference_not_found'])
  assert.deepEqual(await pay(allocations(account.id, 1)), [422, 'reference_not_found'])
  assert.deepEqual(await pay(allocations(other.id, 1)), [422, 'obligation_of_another_account'])
  assert.deepEqual(await pay({ amount: 200, ...allocations(payment.id, 101) }), [422, 'allocation_exceeds_open'])
  assert.deepEqual(await pay(allocations(payment.id, 11)), [422, 'allocations_exceed_amount'])
  assert.deepEqual(await pay({ currency: 'EUR' }), [422, 'currency_mismatch'])
  assert.deepEqual(await pay({ amount: 1.005 }), [422, 'finer_than_minor_unit'])
  assert.deepEqual(await pay({ method: 'credit' }), [422, 'credit_exceeded'])
  assert.deepEqual(await ledger(tenant), {
    [account.accountNumber]: 100,
    [(await findAccount(tenant, other.studentId)).accountNumber]: 10,
  })
})

test('PATCH /v1/payments/{id}: paid posts a receipt, pending reverses it, cancelled reverses the charge', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  const { id } = await aPayment(tenant, student, 100)
  const account = await findAccount(tenant, student)
  const patch = async (body: object) => (await tenant.api.patch(`/payments/${id}`, body)).body
  const open = async () => (await findAccount(tenant, student)).balance
  assert.equal((await patch({ status: 'paid' })).data.status, 'paid')
  const listed = await tenant.api.get(`/billing/receipts?accountId=${account.id}`)
  assert.deepEqual(
    listed.body.data.map((each: Record<string, unknown>) => [each.method, each.amount, each.status]),
    [['other', 100, 'posted']],
  )
  assert.equal(await open(), 0)
  assert.equal((await patch({ status: 'pending' })).data.paidAt, null)
  assert.equal(await open(), 100)
  assert.equal((await patch({ status: 'cancelled' })).data.status, 'cancelled')
  assert.equal(await open(), 0)
  assert.equal((await patch({ status: 'pending', amount: 120 })).data.amount, 120)
  assert.equal(await open(), 120)
  assert.equal((await patch({ status: 'paid', amount: 130 })).data.status, 'paid')
  assert.equal(await open(), 0)
  assert.equal((await patch({ status: 'refunded' })).data.status, 'refunded')
  assert.equal(await open(), 130)
  assert.equal((await patch({ currency: 'EUR' })).data.currency, 'EUR')
  const accounts = (await tenant.api.get(`/billing/accounts?studentId=${student}`)).body.data
  assert.deepEqual(
    accounts.map((each: Record<string, unknown>) => [each.currency, each.balance]),
    [
      ['USD', 0],
      ['EUR', 130],
    ],
  )
  const sums = await ledger(tenant)
  assert.deepEqual([sums['BA-000001'], sums['BA-000002']], [0, 130])
})

test('PATCH /v1/payments/{id}: what several receipts paid keeps the status that is said, and all of them are reversed', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  for (const status of ['refunded', 'cancelled', 'pending']) {
    const { id } = await aPayment(tenant, student, 100)
    const account = await findAccount(tenant, student)
    const receipt = { accountId: account.id, receivedOn: today(), method: 'cash', amount: 40 }
    for (const amount of [40, 60]) {
      const posted = await tenant.api.post('/billing/receipts', {
        ...receipt,
        amount,
        allocations: [{ paymentId: id, amount }],
      })
      assert.equal(posted.status, 201, posted.text)
    }
    assert.equal((await tenant.api.get(`/payments/${id}`)).body.data.status, 'paid')
    const changed = await tenant.api.patch(`/payments/${id}`, { status })
    assert.deepEqual([changed.status, changed.body.data.status], [200, status], changed.text)
    const read = await tenant.api.get(`/payments/${id}`)
    assert.deepEqual([read.body.data, read.headers.get('etag')], [changed.body.data, changed.headers.get('etag')])
    const { body } = await tenant.api.get(`/billing/receipts?accountId=${account.id}&status=posted`)
    assert.equal(body.pagination.total, 0)
    const { data } = (await tenant.api.get(`/billing/accounts/${account.id}/obligations`)).body
    const own = data.find((each: { paymentId: string }) => each.paymentId === id)
    assert.deepEqual([own.openAmount, own.paidAmount], [status === 'cancelled' ? 0 : 100, 0])
  }
})

test('closed books: payments by their own operations are refused by the rule', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  const { id } = await aPayment(tenant, student, 100)
  await closeBooks(tenant, today())
  const fields = { studentId: student, amount: 5, description: 'Book', dueDate: '2999-01-01' }
  for (const response of [
    await tenant.api.post('/payments', fields),
    await tenant.api.put('/payments/external/P-1', fields),
    await tenant.api.patch(`/payments/${id}`, { status: 'paid' }),
  ]) {
    assert.deepEqual([response.status, response.body.rule], [422, 'books_closed'], response.text)
  }
})

test('split, write off and credit change what is open and say so', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  const { id } = await aPayment(tenant, student, 100)
  const path = `/billing/obligations/${id}`
  const parts = [
    { amount: 60, dueDate: '2999-01-01' },
    { amount: 40, dueDate: '2999-02-01' },
  ]
  const wrong = await tenant.api.post(`${path}/split`, { parts: [parts[0], parts[0]] })
  assert.deepEqual([wrong.status, wrong.body.rule], [422, 'parts_must_sum_to_open'])
  const split = await tenant.api.post(`${path}/split`, { parts })
  assert.equal(split.status, 200, JSON.stringify(split.body))
  assert.deepEqual(
    split.body.data.map((each: Record<string, unknown>) => [each.amount, each.openAmount, each.status]),
    [
      [60, 60, 'pending'],
      [40, 40, 'pending'],
    ],
  )
  assert.equal(split.body.data[0].paymentId, id)
  const off = await tenant.api.post(`${path}/write-off`, { amount: 10, reason: 'Hardship' })
  assert.equal(off.status, 201, JSON.stringify(off.body))
  assert.deepEqual(Object.keys(off.body.data), ['id', 'number', 'paymentId', 'amount', 'reason', 'createdAt'])
  assert.match(off.body.data.number, /\d$/)
  const much = await tenant.api.post(`${path}/write-off`, { amount: 51, reason: 'Hardship' })
  assert.equal(much.status, 422)
  const credit = await tenant.api.post(`${path}/credit`, { amount: 50, reason: 'Left' })
  assert.equal(credit.status, 201, JSON.stringify(credit.body))
  assert.equal((await tenant.api.get(`/payments/${id}`)).body.data.status, 'cancelled')
  const none = await tenant.api.post(`${path}/credit`, { amount: 1, reason: 'Left' })
  assert.deepEqual([none.status, none.body.code], [409, 'state_conflict'])
  const account = await findAccount(tenant, student)
  assert.equal(account.balance, 40)
  assert.deepEqual(await ledger(tenant), { [account.accountNumber]: 40 })
  assert.deepEqual(
    (await tenant.traces(id)).events.filter((type) => type.startsWith('obligation')),
    ['obligation.split', 'obligation.written_off', 'obligation.credited'],
  )
})

test('thirty clients on one account: what comes in is allocated once, and the numbers have no gaps', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  for (let n = 0; n < 5; n += 1) await aPayment(tenant, student, 50)
  const account = await findAccount(tenant, student)
  const sent = { accountId: account.id, receivedOn: today(), method: 'cash', amount: 10 }
  const all = await Promise.all(Array.from({ length: 30 }, () => tenant.api.post('/billing/receipts', sent)))
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]))
  const after = await findAccount(tenant, student)
  assert.deepEqual([after.balance, after.credit], [-50, 50])
  const numbers = all.map(({ body }) => Number(body.data.receiptNumber.split('-').at(-1))).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
  assert.deepEqual(await ledger(tenant), { [account.accountNumber]: -50 })
})

test('statement, ageing and journal: what stands on an account, as it stood then, in books that balance', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  await aPayment(tenant, student, 100, { dueDate: '2020-01-01' })
  const account = await findAccount(tenant, student)
  const sent = { accountId: account.id, receivedOn: today(), method: 'cash', amount: 30 }
  const receipt = (await tenant.api.post('/billing/receipts', sent)).body.data
  const path = `/billing/accounts/${account.id}/statement`
  const statement = await tenant.api.get(`${path}?from=2000-01-01&to=${today()}`)
  assert.equal(statement.status, 200, JSON.stringify(statement.body))
  const { openingBalance, lines, closingBalance } = statement.body.data
  assert.deepEqual([openingBalance, closingBalance], [0, 70])
  assert.deepEqual(
    lines.map((line: Record<string, unknown>) => [line.kind, line.debit, line.credit, line.balance]),
    [
      ['invoice', 100, 0, 100],
      ['receipt', 0, 30, 70],
    ],
  )
  assert.equal((await tenant.api.get(`${path}?from=2026-02-01&to=2026-01-01`)).status, 400)
  for (const pdf of [path, `/billing/receipts/${receipt.id}`]) {
    const printed = await tenant.api.get(pdf, { accept: 'application/pdf' })
    assert.deepEqual([printed.status, printed.headers.get('content-type')], [200, 'application/pdf'])
    assert.match(printed.text, /^%PDF-/)
  }
  const ageing = await tenant.api.get('/billing/ageing')
  assert.deepEqual(
    ageing.body.data.map((row: Record<string, unknown>) => [row.id, row.over90, row.total]),
    [[account.id, 70, 70]],
  )
  assert.deepEqual((await tenant.api.get('/billing/ageing?asOf=2019-01-01')).body.data, [])
  assert.equal((await tenant.api.get('/billing/ageing?by=student')).body.data[0].id, student)
  const journal = await tenant.api.get(`/billing/journal?from=2000-01-01&to=${today()}`)
  assert.match(journal.headers.get('content-type') ?? '', /^text\/csv/)
  const [heading, ...rows] = journal.text.trim().split('\r\n')
  assert.equal(heading, 'date,document,account,party,debit,credit,currency,text')
  assert.equal(rows.length, 4)
  const hledger = await tenant.api.get(`/billing/journal?from=2000-01-01&to=${today()}`, { accept: 'text/x-hledger' })
  assert.match(hledger.text, /Assets:Debtors.* {2}100 USD/)
  const beancount = await tenant.api.get(`/billing/journal?from=2000-01-01&to=${today()}`, {
    accept: 'text/x-beancount',
  })
  assert.match(beancount.text, /open Assets:Debtors/)
  assert.equal((await tenant.api.get('/billing/journal?from=2026-01-01')).status, 400)
})

test('closed books: nothing is posted on or before their end, and reversals post today', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  await aPayment(tenant, student, 100)
  const account = await findAccount(tenant, student)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const pay = (receivedOn: string) =>
    tenant.api.post('/billing/receipts', { accountId: account.id, receivedOn, method: 'cash', amount: 10 })
  const early = await pay(yesterday)
  assert.equal(early.status, 201)
  await closeBooks(tenant, yesterday)
  const closed = await pay(yesterday)
  assert.deepEqual([closed.status, closed.body.rule], [422, 'books_closed'])
  const path = `/billing/receipts/${early.body.data.id}/reverse`
  const on = await tenant.api.post(path, { on: yesterday })
  assert.deepEqual([on.status, on.body.rule], [422, 'books_closed'])
  assert.equal((await tenant.api.post(path, {})).status, 200)
})

test('payments of an earlier version get their accounts, receipts and postings by the job', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant)
  await service.database.load(
    tenant.id,
    `insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date, paid_at)
     values ($1, new_uuid7(), $2, 10, 'USD', 'paid', 'Old', '2026-01-01', '2026-01-01'),
            ($1, new_uuid7(), $2, 20, 'USD', 'pending', 'Old', '2026-01-01', null),
            ($1, new_uuid7(), $2, 40, 'USD', 'cancelled', 'Old', '2026-01-01', null)`,
    [tenant.id, student],
  )
  await chargeOlderJob.run(service.data, { ...tenant } as never)
  const account = await findAccount(tenant, student)
  assert.equal(account.balance, 20)
  const receipts = (await tenant.api.get(`/billing/receipts?accountId=${account.id}`)).body.data
  assert.deepEqual(
    receipts.map((each: Record<string, unknown>) => [each.amount, each.receivedOn, each.method]),
    [[10, '2026-01-01', 'other']],
  )
  assert.deepEqual(await ledger(tenant), { [account.accountNumber]: 20 })
})

test('accounts, obligations, receipts and ledger agree in every tenant of this file, as doctor compares them', async () => {
  const { status, detail } = await checkBilling((text, values) => service.database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
})
