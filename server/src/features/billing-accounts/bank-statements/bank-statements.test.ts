import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { billingSettings, loadBillingSettings, saveBillingSettings } from '../index.ts'
import { camt, camtEntry, mt940, ofx } from './formats/formats.fixture.ts'

const service = await startTestService()

const iban = 'DE89370400440532013000'

const operator = { actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null } as const

/** A tenant with a bank account, and what it says of matching. */
async function aTenant({ bookExact = false } = {}): Promise<TestTenant> {
  const tenant = await service.tenant()
  await service.data.transaction(tenant.id, async (tx) => {
    const before = await loadBillingSettings(tx)
    const entry = { bankAccounts: [{ key: 'main', iban, currency: 'EUR' }], bankMatching: { bookExact } }
    const context = { ...operator, tenant: { id: tenant.id } } as unknown as Parameters<typeof saveBillingSettings>[1]
    await saveBillingSettings(tx, context, before, billingSettings(entry, before))
  })
  return tenant
}

const send = (tenant: TestTenant, mediaType: string, text: string | Uint8Array, query = '') =>
  tenant.api.send('POST', `/billing/bank-statements${query}`, text, { 'content-type': mediaType })

const sendCamt = (tenant: TestTenant, text: string) => send(tenant, 'application/xml', text)

async function linesOf(tenant: TestTenant, statementId: string) {
  const { status, body } = await tenant.api.get(`/billing/bank-statements/${statementId}/lines`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** The first line of a file that is imported. */
async function imported(tenant: TestTenant, text: string) {
  const { status, body } = await sendCamt(tenant, text)
  assert.equal(status, 201, JSON.stringify(body))
  const [line] = await linesOf(tenant, body.data.id)
  return { ...line, path: `/billing/bank-statements/${body.data.id}/lines/${line.id}`, statementId: body.data.id }
}

/** A student's obligation of an amount in EUR. */
async function owed(tenant: TestTenant, amount: number, fullName = 'Ada Dyer', more: object = {}) {
  const student = (await tenant.api.post('/students', { fullName })).body.data.id
  const sent = { studentId: student, amount, currency: 'EUR', description: 'Tuition', dueDate: '2999-09-01', ...more }
  const payment = await tenant.api.post('/payments', sent)
  assert.equal(payment.status, 201, JSON.stringify(payment.body))
  const account = (await tenant.api.get(`/billing/accounts?studentId=${student}`)).body.data[0]
  const { data } = (await tenant.api.get(`/billing/accounts/${account.id}/obligations`)).body
  return { paymentId: payment.body.data.id, accountId: account.id, accountNumber: account.accountNumber, ...data[0] }
}

const statusOf = async (tenant: TestTenant, paymentId: string) =>
  (await tenant.api.get(`/payments/${paymentId}`)).body.data.status

test('POST /v1/billing/bank-statements: a file is a record with its lines, its event, and once only', async () => {
  const tenant = await aTenant()
  const file = camt({ entries: [camtEntry()] })
  const made = await sendCamt(tenant, file)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id, createdAt: _, ...record } = made.body.data
  assert.match(made.headers.get('location') ?? '', new RegExp(`/v1/billing/bank-statements/${id}$`))
  assert.deepEqual(record, {
    format: 'camt.053.001.08',
    account: iban,
    currency: 'EUR',
    number: '7',
    from: '2026-02-01',
    to: '2026-02-03',
    openingBalance: 100,
    closingBalance: 350.5,
    lines: { total: 1, new: 1, known: 0 },
    warnings: [],
  })
  const again = await sendCamt(tenant, file)
  assert.deepEqual([again.status, again.body.data], [200, made.body.data])
  const { audit, events } = await tenant.traces(id)
  assert.deepEqual([audit, events], [['bank_statement.imported'], ['bank_statement.imported']])
  assert.deepEqual((await tenant.api.get(`/billing/bank-statements/${id}`)).body.data, made.body.data)
  assert.equal((await tenant.api.get(`/billing/bank-statements?account=${iban}`)).body.pagination.total, 1)
  const [line] = await linesOf(tenant, id)
  assert.deepEqual(
    { ...line, id: null },
    {
      id: null,
      bookedOn: '2026-02-02',
      valueOn: '2026-02-03',
      amount: 250.5,
      currency: 'EUR',
      bankReference: 'BANK-1',
      endToEndId: 'E2E-1',
      reference: 'RF18539007547034',
      name: 'Ada Dyer',
      iban: 'FR1420041010050500013M02606',
      text: 'Fees of February',
      returnReason: null,
      details: [],
      status: 'open',
      receiptIds: [],
      proposals: [],
    },
  )
})

test('POST /v1/billing/bank-statements: two at once make one record', async () => {
  const tenant = await aTenant()
  const file = camt({ entries: [camtEntry()] })
  const both = await Promise.all([sendCamt(tenant, file), sendCamt(tenant, file)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201])
  assert.equal(both[0]?.body.data.id, both[1]?.body.data.id)
})

test('a line is known by the reference of the bank or by its content, from any file and format', async () => {
  const tenant = await aTenant()
  const first = await imported(tenant, camt({ entries: [camtEntry()] }))
  const headings = 'bookedOn,valueOn,amount,bankReference,text\n'
  const csv = async (rows: string) => {
    const { status, body } = await send(tenant, 'text/csv', headings + rows, `?account=${iban}`)
    assert.equal(status, 201, JSON.stringify(body))
    return { counts: body.data.lines, ids: (await linesOf(tenant, body.data.id)).map(({ id }: { id: string }) => id) }
  }
  const byReference = await csv('2026-02-05,,250.50,BANK-1,Other words\n')
  assert.deepEqual(byReference, { counts: { total: 1, new: 0, known: 1 }, ids: [first.id] })
  const byContent = await csv('2026-02-02,2026-02-03,250.50,,Fees of February\n')
  assert.deepEqual(byContent, { counts: { total: 1, new: 0, known: 1 }, ids: [first.id] })
  const twice = '2026-02-02,2026-02-03,250.50,,Fees of February\n'.repeat(2)
  const two = await csv(twice)
  assert.deepEqual([two.counts, two.ids[0]], [{ total: 2, new: 1, known: 1 }, first.id])
  const three = await csv(`${twice}2026-02-06,,1,,New\n`)
  assert.deepEqual([three.counts, three.ids.slice(0, 2)], [{ total: 3, new: 1, known: 2 }, two.ids])
  const german = await send(tenant, 'text/plain', mt940())
  assert.deepEqual([german.status, german.body.data?.lines], [201, { total: 1, new: 0, known: 1 }])
  assert.equal(german.body.data.account, iban)
  const other = await send(tenant, 'application/x-ofx', ofx({ reference: 'BANK-1' }))
  assert.deepEqual([other.status, other.body.data?.lines], [201, { total: 1, new: 0, known: 1 }])
})

test('two bookings of one day that differ only in the reference of the bank are two lines, also from two files', async () => {
  const tenant = await aTenant()
  await imported(tenant, camt({ entries: [camtEntry({ bankReference: 'A' })] }))
  const second = camt({
    opening: '350.50',
    closing: '851.50',
    entries: ['B', 'A'].map((bankReference) => camtEntry({ bankReference })),
  })
  const { body } = await sendCamt(tenant, second)
  assert.deepEqual(body.data.lines, { total: 2, new: 1, known: 1 })
})

test('statement_rejected: whole, with what is wrong by line and column', async () => {
  const tenant = await aTenant()
  const refusals: [string, string, string, string?][] = [
    ['application/xml', camt({ closing: '350.49', entries: [camtEntry()] }), 'balance_mismatch'],
    ['application/xml', camt({ entries: [camtEntry()] }).slice(0, 900), 'truncated'],
    ['application/xml', camt({ iban: 'GB82WEST12345698765432', entries: [camtEntry()] }), 'other_account'],
    ['application/xml', camt({ currency: 'USD', entries: [], closing: '100.00' }), 'other_currency'],
    ['text/plain', mt940({ closing: 'C260203EUR1,00' }), 'balance_mismatch'],
    ['text/csv', 'bookedOn,amount\n2026-02-30,1\n', 'wrong_date', `?account=${iban}`],
    ['text/csv', 'bookedOn,amount\n', 'other_account', '?account=GB82WEST12345698765432'],
    ['application/x-ofx', ofx({ account: '99' }), 'other_account'],
  ]
  for (const [mediaType, text, code, query] of refusals) {
    const { status, body } = await send(tenant, mediaType, text, query)
    assert.deepEqual(
      [status, body.code, body.errors?.[0]?.code],
      [422, 'statement_rejected', code],
      JSON.stringify(body),
    )
    const { line, column, detail } = body.errors[0]
    assert.ok(line >= 1 && column >= 1 && detail.length > 10, JSON.stringify(body))
  }
  assert.equal((await tenant.api.get('/billing/bank-statements')).body.pagination.total, 0)
})

test('POST /v1/billing/bank-statements: 415 for another media type, 400 for CSV without its account and for no body', async () => {
  const tenant = await aTenant()
  const json = await send(tenant, 'application/json', '{}')
  assert.deepEqual([json.status, json.body.code], [415, 'unsupported_media_type'])
  const csv = await send(tenant, 'text/csv', 'bookedOn,amount\n')
  assert.deepEqual([csv.status, csv.body.errors?.[0]?.name], [400, 'account'])
  const none = await tenant.api.send('POST', '/billing/bank-statements', undefined)
  assert.equal(none.status, 400, JSON.stringify(none.body))
  const empty = await send(tenant, 'text/csv; charset=utf-8', 'bookedOn,amount\n', `?account=${iban}`)
  assert.deepEqual([empty.status, empty.body.data?.lines.total], [201, 0])
})

test('POST /v1/billing/bank-statements: a file of more than 1 MiB is read, one of more than 25 MiB is 413', async () => {
  const tenant = await aTenant()
  const padded = (bytes: number) => `bookedOn,amount,text\n2026-02-01,1,"${'x'.repeat(bytes)}"\n`
  const large = await send(tenant, 'text/csv', padded(1_500_000), `?account=${iban}`)
  assert.equal(large.status, 201, JSON.stringify(large.body))
  const larger = await send(tenant, 'text/csv', padded(26 * 1024 * 1024), `?account=${iban}`)
  assert.deepEqual([larger.status, larger.body?.code, larger.body?.maxBytes], [413, 'content_too_large', 26_214_400])
})

test('a gap before a statement is accepted and told until the statement between is imported', async () => {
  const tenant = await aTenant()
  await imported(tenant, camt({ entries: [camtEntry()] }))
  const late = camt({
    number: '9',
    from: '2026-02-05',
    to: '2026-02-06',
    opening: '400.00',
    closing: '400.00',
    entries: [],
  })
  const { status, body } = await sendCamt(tenant, late)
  assert.deepEqual([status, body.data.warnings.map(({ code }: { code: string }) => code)], [201, ['gap']])
  const missing = camtEntry({ amount: '49.50', bankReference: 'BANK-2', bookedOn: '2026-02-04' })
  await sendCamt(
    tenant,
    camt({
      number: '8',
      from: '2026-02-04',
      to: '2026-02-04',
      opening: '350.50',
      closing: '400.00',
      entries: [missing],
    }),
  )
  assert.deepEqual((await tenant.api.get(`/billing/bank-statements/${body.data.id}`)).body.data.warnings, [])
})

test('match posts a receipt for the account and what it pays, unmatch reverses it', async () => {
  const tenant = await aTenant()
  const { paymentId, accountId } = await owed(tenant, 200)
  const line = await imported(tenant, camt({ entries: [camtEntry()] }))
  const matched = await tenant.api.post(`${line.path}/match`, { accountId })
  assert.equal(matched.status, 200, JSON.stringify(matched.body))
  const [receiptId] = matched.body.data.receiptIds
  assert.deepEqual([matched.body.data.id, matched.body.data.status], [line.id, 'booked'])
  const receipt = (await tenant.api.get(`/billing/receipts/${receiptId}`)).body.data
  assert.deepEqual(
    [receipt.method, receipt.receivedOn, receipt.amount, receipt.allocations, receipt.unallocated],
    ['transfer', '2026-02-02', 250.5, [{ paymentId, amount: 200 }], 50.5],
  )
  assert.deepEqual((await tenant.traces(receiptId)).events, ['receipt.posted'])
  assert.equal(await statusOf(tenant, paymentId), 'paid')
  const twice = await tenant.api.post(`${line.path}/match`, { accountId })
  assert.deepEqual([twice.status, twice.body.code], [409, 'state_conflict'])
  const undone = await tenant.api.post(`${line.path}/unmatch`, undefined)
  assert.deepEqual([undone.status, undone.body.data?.status, undone.body.data?.receiptIds], [200, 'open', []])
  assert.equal((await tenant.api.get(`/billing/receipts/${receiptId}`)).body.data.status, 'reversed')
  assert.equal(await statusOf(tenant, paymentId), 'pending')
  const again = await tenant.api.post(`${line.path}/unmatch`, undefined)
  assert.deepEqual([again.status, again.body.code], [409, 'state_conflict'])
})

test('match: two at once book once', async () => {
  const tenant = await aTenant()
  const { accountId } = await owed(tenant, 250.5)
  const line = await imported(tenant, camt({ entries: [camtEntry()] }))
  const both = await Promise.all([1, 2].map(() => tenant.api.post(`${line.path}/match`, { accountId })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await tenant.api.get(`/billing/receipts?accountId=${accountId}`)).body.pagination.total, 1)
})

test('match: parts of a batch each post a receipt; a debit and more than the line are 422', async () => {
  const tenant = await aTenant()
  const [one, other] = [await owed(tenant, 100), await owed(tenant, 150.5, 'Bea Ruiz')]
  const part = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`
  const debit = camtEntry({ sign: 'DBIT', amount: '10.00', bankReference: 'D' })
  const batch = camtEntry({ details: part('100.00') + part('150.50') })
  const line = await imported(tenant, camt({ closing: '340.50', entries: [batch, debit] }))
  const match = (body: object, path = line.path) => tenant.api.post(`${path}/match`, body)
  const much = await match({
    parts: [
      { accountId: one.accountId, amount: 100 },
      { accountId: other.accountId, amount: 150.51 },
    ],
  })
  assert.deepEqual([much.status, much.body.rule], [422, 'match_exceeds_line'])
  const over = await match({ accountId: one.accountId, allocations: [{ paymentId: one.paymentId, amount: 300 }] })
  assert.equal(over.status, 422, JSON.stringify(over.body))
  const foreign = await match({ accountId: one.accountId, allocations: [{ paymentId: other.paymentId, amount: 1 }] })
  assert.deepEqual([foreign.status, foreign.body.rule], [422, 'obligation_of_another_account'])
  const [, second] = await linesOf(tenant, line.statementId)
  assert.deepEqual([second.amount, second.status], [-10, 'ignored'])
  const down = await match(
    { accountId: one.accountId },
    `/billing/bank-statements/${line.statementId}/lines/${second.id}`,
  )
  assert.deepEqual([down.status, down.body.rule], [422, 'line_is_debit'])
  const unknown = await match({ accountId: '01985b2e-5a00-7000-8000-000000000301' })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
  const neither = await match({ allocate: 'oldest' })
  assert.deepEqual([neither.status, neither.body.errors?.[0]?.pointer], [400, '#/accountId'])
  const booked = await match({ parts: [{ accountId: one.accountId }, { accountId: other.accountId }] })
  assert.deepEqual([booked.status, booked.body.data?.receiptIds.length], [200, 2], JSON.stringify(booked.body))
  assert.deepEqual([await statusOf(tenant, one.paymentId), await statusOf(tenant, other.paymentId)], ['paid', 'paid'])
})

test('proposals: by creditor reference, Swiss QR reference, own numbers, end-to-end id, then amount and name', async () => {
  const tenant = await aTenant()
  const due = await owed(tenant, 250.5, 'Ada Dyer', { externalId: 'INV-77' })
  await owed(tenant, 250.5, 'Zoe Other')
  const digits = (due.paymentReference as string).slice(4).padStart(26, '0')
  const carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
  const carry = [...digits].reduce((at, digit) => carries[(at + Number(digit)) % 10] as number, 0)
  const swiss = `${digits}${(10 - carry) % 10}`
  const spaced = (due.paymentReference as string).replace(/(.{4})/g, '$1 ').trim()
  const entries = [
    camtEntry({ bankReference: '1', reference: due.paymentReference, name: 'X' }),
    camtEntry({ bankReference: '2', reference: '', text: `Payment ${spaced}`, name: 'X' }),
    camtEntry({ bankReference: '3', reference: swiss, name: 'X' }),
    camtEntry({ bankReference: '4', reference: '', text: `for ${due.accountNumber}`, name: 'X' }),
    camtEntry({ bankReference: '5', reference: '', endToEndId: 'INV-77', name: 'X' }),
    camtEntry({ bankReference: '6', reference: '', name: 'DYER, ADA' }),
    camtEntry({ bankReference: '7', reference: '', name: 'Nobody' }),
    camtEntry({
      bankReference: '8',
      reference: due.paymentReference.replace(/^RF../, 'RF00'),
      name: 'X',
      amount: '1.00',
    }),
  ]
  const { body } = await sendCamt(tenant, camt({ closing: '1854.50', entries }))
  const wanted = [{ accountId: due.accountId, paymentId: due.paymentId, amount: 250.5 }]
  const read = async () =>
    (await linesOf(tenant, body.data.id)).map(({ proposals }: { proposals: object[] }) => proposals)
  const proposals = await read()
  assert.deepEqual(proposals, [wanted, wanted, wanted, wanted, wanted, wanted, [], []])
  assert.deepEqual(await read(), proposals)
})

test('bookExact books what has a valid reference and the amount that is open, once, and nothing else', async () => {
  const tenant = await aTenant({ bookExact: true })
  const due = await owed(tenant, 250.5)
  const entries = [
    camtEntry({ bankReference: '1', reference: due.paymentReference }),
    camtEntry({ bankReference: '2', reference: due.paymentReference }),
    camtEntry({ bankReference: '3', reference: due.paymentReference, amount: '250.49' }),
    camtEntry({ bankReference: '4', reference: '' }),
  ]
  const { body } = await sendCamt(tenant, camt({ closing: '1101.99', entries }))
  const lines = await linesOf(tenant, body.data.id)
  assert.deepEqual(
    lines.map(({ status }: { status: string }) => status),
    ['booked', 'open', 'open', 'open'],
  )
  assert.equal(await statusOf(tenant, due.paymentId), 'paid')
})

test('a returned debit reverses its receipt with the reason of the bank', async () => {
  const tenant = await aTenant()
  const { paymentId, accountId } = await owed(tenant, 250.5)
  const sent = { accountId, receivedOn: '2026-02-01', method: 'direct_debit', amount: 250.5, reference: 'E2E-1' }
  const receipt = (await tenant.api.post('/billing/receipts', sent)).body.data.id
  assert.equal(await statusOf(tenant, paymentId), 'paid')
  const returned = camtEntry({ sign: 'DBIT', extra: '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' })
  const line = await imported(tenant, camt({ closing: '-150.50', entries: [returned] }))
  assert.deepEqual([line.status, line.returnReason, line.receiptIds], ['booked', 'AC04', [receipt]])
  assert.deepEqual((await tenant.traces(receipt)).events, ['receipt.posted', 'receipt.reversed'])
  assert.equal(await statusOf(tenant, paymentId), 'pending')
  const rows = await service.database.inspect<{ reason: string; day: string }>(
    `select reversal_reason as reason, reversed_on::text as day from billing_receipts where tenant_id = $1 and id = $2`,
    [tenant.id, receipt],
  )
  assert.deepEqual(rows, [{ reason: 'AC04', day: '2026-02-02' }])
  const undone = await tenant.api.post(`${line.path}/unmatch`, undefined)
  assert.equal(undone.status, 409)
})

test('what no text can hold, and what is longer than any reference, is taken without failing', async () => {
  const tenant = await aTenant()
  const long = Array.from({ length: 9000 }, (_, index) => index.toString(36)).join('')
  const rows = `2026-02-01,1,${long},${long},a\u0000b\n`
  const { status, body } = await send(
    tenant,
    'text/csv',
    `bookedOn,amount,bankReference,name,text\n${rows}`,
    `?account=${iban}`,
  )
  assert.equal(status, 201, JSON.stringify(body))
  const [line] = await linesOf(tenant, body.data.id)
  assert.deepEqual([line.text, line.bankReference.length, line.name.length], ['a b', 255, 255])
})

test('match: a line in closed books is booked on the first day that is open', async () => {
  const tenant = await aTenant()
  const { accountId } = await owed(tenant, 250.5)
  const line = await imported(tenant, camt({ entries: [camtEntry()] }))
  await service.database.inspect('update education_settings set books_closed_until = $2 where tenant_id = $1', [
    tenant.id,
    '2026-02-28',
  ])
  const matched = await tenant.api.post(`${line.path}/match`, { accountId })
  assert.equal(matched.status, 200, JSON.stringify(matched.body))
  const [receiptId] = matched.body.data.receiptIds
  assert.equal((await tenant.api.get(`/billing/receipts/${receiptId}`)).body.data.receivedOn, '2026-03-01')
})

test('match: a batch for one account is booked whole, what is not allocated as its credit', async () => {
  const tenant = await aTenant()
  const { accountId, paymentId } = await owed(tenant, 100)
  const part = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`
  const line = await imported(tenant, camt({ entries: [camtEntry({ details: part('100.00') + part('150.50') })] }))
  const body = { accountId, allocations: [{ paymentId, amount: 100 }] }
  const matched = await tenant.api.post(`${line.path}/match`, body)
  assert.equal(matched.status, 200, JSON.stringify(matched.body))
  const receipt = (await tenant.api.get(`/billing/receipts/${matched.body.data.receiptIds[0]}`)).body.data
  assert.deepEqual([receipt.amount, receipt.unallocated], [250.5, 150.5])
})

test('lines and statements of another tenant are not found', async () => {
  const [tenant, other] = [await aTenant(), await aTenant()]
  const line = await imported(tenant, camt({ entries: [camtEntry()] }))
  for (const path of [
    `/billing/bank-statements/${line.statementId}`,
    `/billing/bank-statements/${line.statementId}/lines`,
  ]) {
    assert.equal((await other.api.get(path)).status, 404)
  }
  const { accountId } = await owed(other, 1)
  assert.equal((await other.api.post(`${line.path}/match`, { accountId })).status, 404)
  assert.equal((await tenant.api.get('/billing/bank-statements/x/lines')).status, 404)
})
