import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { checkBilling } from '../../../commands/diagnostics/billing-check.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()

const creditor = {
  name: 'Dyer Academy',
  creditorId: 'DE98ZZZ09999999999',
  iban: 'DE75512108001245126199',
  bic: null,
  preNotificationDays: 5,
  painVersion: 'pain.008.001.08',
}

const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const collectionDate = dayFromToday(9)

/** An institution that collects direct debits. */
async function aCollectingTenant(settings: object = {}): Promise<TestTenant> {
  const tenant = await service.tenant()
  await service.database.inspect(
    `insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)
     on conflict (tenant_id) do update set settings = excluded.settings`,
    [tenant.id, JSON.stringify({ creditor: { ...creditor, ...settings } })],
  )
  return tenant
}

const mandate = { id: 'M-1', iban: 'DE89370400440532013000', signedAt: '2026-01-02' }

/** An account in euro that pays for a student of its own, with what it owes. */
async function aPayer(tenant: TestTenant, amounts: readonly number[], more: object = {}) {
  const sent = { name: 'Família Müller & Søn', currency: 'EUR', mandate, ...more }
  const account = await tenant.api.post('/billing/accounts', sent)
  assert.equal(account.status, 201, JSON.stringify(account.body))
  const student = (await tenant.api.post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const { id } = account.body.data
  const shares = [{ accountId: id, percent: 100 }]
  assert.equal((await tenant.api.put(`/billing/students/${student}/shares`, { shares })).status, 200)
  const payments: string[] = []
  for (const [index, amount] of amounts.entries()) {
    const dueDate = index === 0 ? '2020-01-01' : dayFromToday(20)
    const payment = { studentId: student, amount, currency: 'EUR', description: 'Tuition', dueDate }
    const made = await tenant.api.post('/payments', payment)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    payments.push(made.body.data.id)
  }
  return { id, student, payments }
}

const collect = (tenant: TestTenant, more: object = {}) =>
  tenant.api.post('/billing/direct-debits', { collectionDate, dueTo: dayFromToday(30), ...more })

async function findAccount(tenant: TestTenant, id: string) {
  return (await tenant.api.get(`/billing/accounts/${id}`)).body.data
}

/** What stands on ledger accounts whose name begins so. */
async function ledgerOn(tenant: TestTenant, account: string): Promise<number> {
  const [row] = await service.database.inspect<{ sum: string }>(
    `select coalesce(sum(debit - credit), 0)::text as sum from gl_entries where tenant_id = $1 and account like $2 || '%'`,
    [tenant.id, account],
  )
  return Number(row?.sum)
}

test('POST /v1/billing/direct-debits: each account with a mandate is collected once, by receipts of the collection date', async () => {
  const tenant = await aCollectingTenant()
  const payer = await aPayer(tenant, [100, 50.5])
  await aPayer(tenant, [70], { name: 'Without', mandate: null })
  const made = await collect(tenant)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal(made.headers.get('location')?.endsWith(`/v1/billing/direct-debits/${made.body.data.id}`), true)
  const { id, debits } = made.body.data
  const [debit] = debits
  assert.deepEqual(made.body.data, {
    id,
    collectionDate,
    status: 'collected',
    debits: [
      {
        endToEndId: debit.endToEndId,
        accountId: payer.id,
        mandateId: 'M-1',
        sequence: 'FRST',
        amount: 150.5,
        receiptId: debit.receiptId,
        status: 'collected',
        reasonCode: null,
      },
    ],
  })
  assert.match(debit.endToEndId, /^[A-Za-z0-9-]{1,35}$/)
  assert.deepEqual((await tenant.traces(id)).events, ['direct_debit.created'])
  const receipt = (await tenant.api.get(`/billing/receipts/${debit.receiptId}`)).body.data
  assert.deepEqual(
    [receipt.receivedOn, receipt.method, receipt.reference, receipt.amount, receipt.unallocated],
    [collectionDate, 'direct_debit', debit.endToEndId, 150.5, 0],
  )
  assert.deepEqual((await tenant.traces(debit.receiptId)).events, ['receipt.posted'])
  for (const payment of payer.payments) {
    const { status, paidAt } = (await tenant.api.get(`/payments/${payment}`)).body.data
    assert.deepEqual([status, paidAt], ['paid', `${collectionDate}T00:00:00.000Z`])
  }
  assert.equal(await ledgerOn(tenant, 'Direct Debit Clearing'), 150.5)
  const account = await findAccount(tenant, payer.id)
  assert.deepEqual([account.balance, account.mandate.sequence], [0, 'RCUR'])
  assert.deepEqual((await tenant.traces(payer.id)).events.at(-1), 'billing_account.updated')
  const again = await collect(tenant)
  assert.deepEqual([again.status, again.body.data.debits], [201, []])
  const list = await tenant.api.get('/billing/direct-debits')
  assert.deepEqual(
    list.body.data.map((run: { id: string }) => run.id),
    [id, again.body.data.id],
  )
  assert.equal(list.body.pagination.total, 2)
  const read = await tenant.api.get(`/billing/direct-debits/${id}`)
  assert.deepEqual([read.status, read.body.data], [200, made.body.data])
  assert.equal(read.headers.get('etag'), made.headers.get('etag'))
})

test('POST /v1/billing/direct-debits: after the first collection a mandate is collected as RCUR', async () => {
  const tenant = await aCollectingTenant()
  const { student } = await aPayer(tenant, [10])
  assert.equal((await collect(tenant)).body.data.debits[0].sequence, 'FRST')
  const sent = { studentId: student, amount: 20, currency: 'EUR', description: 'Meals', dueDate: '2020-02-01' }
  assert.equal((await tenant.api.post('/payments', sent)).status, 201)
  const { debits } = (await collect(tenant)).body.data
  assert.deepEqual([debits.length, debits[0].sequence, debits[0].amount], [1, 'RCUR', 20])
})

test('POST /v1/billing/direct-debits: dueTo is inclusive, accountIds narrow, and refunded payments are left out', async () => {
  const tenant = await aCollectingTenant()
  const one = await aPayer(tenant, [10, 20])
  const other = await aPayer(tenant, [30])
  const early = await collect(tenant, { dueTo: '2019-12-31' })
  assert.deepEqual([early.status, early.body.data.debits], [201, []])
  const narrow = await collect(tenant, { dueTo: '2020-01-01', accountIds: [one.id.toUpperCase(), one.id] })
  assert.equal(narrow.status, 201, JSON.stringify(narrow.body))
  assert.deepEqual(
    narrow.body.data.debits.map((debit: Record<string, unknown>) => [debit.accountId, debit.amount]),
    [[one.id, 10]],
  )
  const path = `/payments/${other.payments[0]}`
  for (const status of ['paid', 'refunded']) assert.equal((await tenant.api.patch(path, { status })).status, 200)
  const none = await collect(tenant, { accountIds: [other.id] })
  assert.deepEqual([none.status, none.body.data.debits], [201, []])
  assert.deepEqual((await collect(tenant, { accountIds: [] })).body.data.debits, [])
})

test('POST /v1/billing/direct-debits: what is wrong is refused by its rule, and nothing is collected', async () => {
  const tenant = await aCollectingTenant()
  const payer = await aPayer(tenant, [10])
  const refuse = async (more: object) => {
    const { status, body } = await collect(tenant, more)
    return [status, body.rule ?? body.code]
  }
  assert.deepEqual(await refuse({ collectionDate: dayFromToday(4) }), [422, 'collection_date_too_early'])
  assert.deepEqual(await refuse({ collectionDate: '2026-02-30' }), [400, 'validation_failed'])
  assert.deepEqual(await refuse({ dueTo: null }), [400, 'validation_failed'])
  assert.deepEqual(await refuse({ accountIds: [payer.id, randomUUID()] }), [422, 'reference_not_found'])
  await service.database.inspect('update education_settings set books_closed_until = $2 where tenant_id = $1', [
    tenant.id,
    collectionDate,
  ])
  assert.deepEqual(await refuse({}), [422, 'books_closed'])
  const other = await service.tenant()
  const unset = await collect(other)
  assert.deepEqual([unset.status, unset.body.rule], [422, 'creditor_not_configured'])
  assert.equal((await findAccount(tenant, payer.id)).balance, 10)
  assert.equal((await tenant.api.get('/billing/direct-debits')).body.pagination.total, 0)
})

test('POST /v1/billing/direct-debits: the last day of notice is enough, and two runs at once collect once', async () => {
  const tenant = await aCollectingTenant()
  await aPayer(tenant, [10])
  const runs = await Promise.all([1, 2, 3].map(() => collect(tenant, { collectionDate: dayFromToday(5) })))
  assert.deepEqual(
    runs.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal(runs.flatMap(({ body }) => body.data.debits).length, 1)
  assert.equal(await ledgerOn(tenant, 'Direct Debit Clearing'), 10)
})

for (const painVersion of ['pain.008.001.02', 'pain.008.001.08']) {
  test(`GET /v1/billing/direct-debits/{id} as application/xml: the run as ${painVersion}, as it was made`, async () => {
    const tenant = await aCollectingTenant({ painVersion, bic: 'SOGEDEFF' })
    const payer = await aPayer(tenant, [100, 50.5])
    const { id, debits } = (await collect(tenant)).body.data
    const renamed = await tenant.api.patch(`/billing/accounts/${payer.id}`, { name: 'Other', mandate: null })
    assert.equal(renamed.status, 200)
    const file = await tenant.api.get(`/billing/direct-debits/${id}`, { accept: 'application/xml' })
    assert.equal(file.status, 200, file.text)
    assert.match(file.headers.get('content-type') ?? '', /^application\/xml/)
    const find = (name: string) => new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(file.text)?.[1]
    assert.ok(file.text.includes(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${painVersion}">`))
    assert.deepEqual(['CtrlSum', 'InstdAmt', 'EndToEndId', 'SeqTp', 'ReqdColltnDt', 'MndtId', 'DtOfSgntr'].map(find), [
      '150.50',
      '150.50',
      debits[0].endToEndId,
      'FRST',
      collectionDate,
      'M-1',
      '2026-01-02',
    ])
    assert.equal(find(painVersion.endsWith('02') ? 'BIC' : 'BICFI'), 'SOGEDEFF')
    assert.ok(file.text.includes('<Nm>Familia Muller + Son</Nm>'))
    assert.ok(file.text.includes('<IBAN>DE89370400440532013000</IBAN>'))
    const empty = (await collect(tenant)).body.data.id
    const none = await tenant.api.get(`/billing/direct-debits/${empty}`, { accept: 'application/xml' })
    assert.deepEqual([none.status, none.body.code], [409, 'state_conflict'])
  })
}

test('POST /v1/billing/direct-debits/{id}/returns: what was paid is open again, once, and the reason is told', async () => {
  const tenant = await aCollectingTenant()
  const one = await aPayer(tenant, [100])
  const other = await aPayer(tenant, [30])
  const run = (await collect(tenant)).body.data
  const path = `/billing/direct-debits/${run.id}/returns`
  const [first, second] = run.debits
  const toReturn = (endToEndId: string, returnedOn = dayFromToday(11)) => ({
    endToEndId,
    reasonCode: 'AM04',
    returnedOn,
  })
  const wrong = await tenant.api.post(path, { returns: [toReturn(first.endToEndId), toReturn('DD-unknown')] })
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'reference_not_found'])
  assert.equal((await findAccount(tenant, one.id)).balance, 0)
  const returned = await tenant.api.post(path, { returns: [toReturn(first.endToEndId), toReturn(first.endToEndId)] })
  assert.equal(returned.status, 200, JSON.stringify(returned.body))
  assert.deepEqual(returned.body.data, {
    ...run,
    status: 'partially_returned',
    debits: [{ ...first, status: 'returned', reasonCode: 'AM04' }, second],
  })
  const account = await findAccount(tenant, one.id)
  assert.deepEqual([account.balance, account.mandate.sequence], [100, 'RCUR'])
  assert.equal((await tenant.api.get(`/payments/${one.payments[0]}`)).body.data.status, 'overdue')
  const { status, reversedBy } = (await tenant.api.get(`/billing/receipts/${first.receiptId}`)).body.data
  assert.deepEqual([status, reversedBy.type], ['reversed', 'api_key'])
  assert.equal(await ledgerOn(tenant, 'Direct Debit Clearing'), 30)
  const again = await tenant.api.post(path, { returns: [{ ...toReturn(first.endToEndId), reasonCode: 'MD06' }] })
  assert.deepEqual([again.status, again.body.data], [200, returned.body.data])
  assert.equal(again.headers.get('etag'), returned.headers.get('etag'))
  const refused = await tenant.api.post(path, { returns: [toReturn(second.endToEndId, dayFromToday(0))] })
  assert.deepEqual([refused.status, refused.body.data.status], [200, 'returned'])
  assert.deepEqual((await tenant.traces(run.id)).events, [
    'direct_debit.created',
    'direct_debit.returned',
    'direct_debit.returned',
  ])
  assert.deepEqual((await tenant.traces(first.receiptId)).events, ['receipt.posted', 'receipt.reversed'])
  assert.equal(await ledgerOn(tenant, 'Direct Debit Clearing'), 0)
  assert.equal((await findAccount(tenant, other.id)).balance, 30)
  const collected = (await collect(tenant)).body.data.debits
  assert.deepEqual(
    collected.map((debit: Record<string, unknown>) => [debit.amount, debit.sequence]),
    [
      [100, 'RCUR'],
      [30, 'RCUR'],
    ],
  )
})

test('POST /v1/billing/direct-debits/{id}/returns: two at once return once, and other institutions have none of it', async () => {
  const tenant = await aCollectingTenant()
  await aPayer(tenant, [100])
  const payer = await aPayer(tenant, [30])
  const run = (await collect(tenant)).body.data
  const [first, second] = run.debits
  const path = `/billing/direct-debits/${run.id}/returns`
  const returns = [{ endToEndId: first.endToEndId, reasonCode: 'AC04', returnedOn: dayFromToday(10) }]
  const both = await Promise.all([tenant.api.post(path, { returns }), tenant.api.post(path, { returns })])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual((await tenant.traces(run.id)).events, ['direct_debit.created', 'direct_debit.returned'])
  const on = { on: dayFromToday(0) }
  const early = await tenant.api.post(`/billing/receipts/${second.receiptId}/reverse`, on)
  assert.equal(early.status, 400)
  // Whatever reverses the receipt, the debit says so.
  assert.equal((await tenant.api.patch(`/payments/${payer.payments[0]}`, { status: 'pending' })).status, 200)
  const read = await tenant.api.get(`/billing/direct-debits/${run.id}`)
  assert.equal(read.body.data.status, 'returned')
  assert.notEqual(read.headers.get('etag'), both[0]?.headers.get('etag'))
  assert.equal((await tenant.traces(run.id)).events.at(-1), 'direct_debit.returned')
  const missing = await tenant.api.post(`/billing/direct-debits/${payer.id}/returns`, { returns })
  assert.deepEqual([missing.status, missing.body.code], [404, 'resource_not_found'])
  const none = await tenant.api.post(path, { returns: [] })
  assert.deepEqual([none.status, none.body.code], [400, 'validation_failed'])
  const stranger = await aCollectingTenant()
  const foreign = await stranger.api.post(path, { returns })
  assert.equal(foreign.status, 404)
  assert.equal((await stranger.api.get(`/billing/direct-debits/${run.id}`)).status, 404)
})

test('POST /v1/billing/bank-statements: the credit of collected debits clears them and makes no receipt', async () => {
  const tenant = await aCollectingTenant()
  const bank = 'CH9300762011623852957'
  await service.database.inspect('update billing_settings set settings = settings || $2::jsonb where tenant_id = $1', [
    tenant.id,
    JSON.stringify({ bankAccounts: [{ key: 'main', iban: bank, currency: 'EUR', csvColumns: null }] }),
  ])
  await aPayer(tenant, [100])
  const [debit] = (await collect(tenant)).body.data.debits
  const file = `bookedOn,amount,endToEndId\n${dayFromToday(0)},100,${debit.endToEndId}\n`
  const headers = { 'content-type': 'text/csv' }
  const sent = await tenant.api.send('POST', `/billing/bank-statements?account=${bank}`, file, headers)
  assert.equal(sent.status, 201, sent.text)
  const path = `/billing/bank-statements/${sent.body.data.id}/lines`
  const [line] = (await tenant.api.get(path)).body.data
  assert.deepEqual([line.status, line.receiptIds], ['booked', []])
  assert.equal(await ledgerOn(tenant, 'Direct Debit Clearing'), 0)
  assert.equal((await tenant.api.get('/billing/receipts')).body.pagination.total, 1)
  const open = await tenant.api.post(`${path}/${line.id}/unmatch`, {})
  assert.deepEqual([open.status, open.body.data.status], [200, 'open'])
  assert.equal(await ledgerOn(tenant, 'Direct Debit Clearing'), 100)
  assert.equal((await tenant.api.get(`/billing/receipts/${debit.receiptId}`)).body.data.status, 'posted')
})

test('accounts, obligations, receipts and ledger agree after all of this, as doctor compares them', async () => {
  const { status, detail } = await checkBilling((text, values) => service.database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
})
