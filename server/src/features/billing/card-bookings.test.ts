import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobsOver } from '../../app/composition.ts'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aCardDebt, account, loadRecords } from './card-school.fixture.ts'
import { gatewayEvent, StandInGateway } from './stand-in-gateway.fixture.ts'

const gateway = await StandInGateway.start()
const service = await startTestService({ cardGatewayUrl: gateway.url })
const { razorpay_webhook_secret: hookSecret } = account
type Debt = Awaited<ReturnType<typeof aCardDebt>>

const lines: string[] = []
const note = (facts: object, message: string) => void lines.push(JSON.stringify({ ...facts, message }))
const log = { info: note, warn: note, error: note } as unknown as Parameters<typeof jobsOver>[3]
const config = {
  mailKeepDays: 90,
  publicUrl: 'https://matricula.example',
  secretKey: service.secretKey,
  cardGatewayUrl: gateway.url,
}
const job = jobsOver(service.files, null, config, log).find(({ name }) => name === 'card-payments')
const reconcile = ({ tenant }: Debt) => job?.run(service.data, tenant) as Promise<void>

/** Makes the orders of a tenant due for a check, also with small clock differences. */
const makeDue = ({ tenant }: Debt) =>
  service.database.inspect(
    `update card_order_checks set next_check_at = now() - interval '1 minute' where tenant_id = $1`,
    [tenant.id],
  )

const loadEvents = async (debt: Debt) => (await debt.tenant.traces((await debt.payment()).id)).events

async function requireBalance(debt: Debt): Promise<void> {
  const ledger = await debt.ledger()
  const cents = ledger.map(({ debit, credit }) => BigInt(Math.round(debit * 100)) - BigInt(Math.round(credit * 100)))
  assert.equal(
    cents.reduce((sum, each) => sum + each, 0n),
    0n,
  )
}

async function requirePaidOnce(debt: Debt): Promise<void> {
  const payment = await debt.payment()
  assert.equal(payment.status, 'paid')
  assert.deepEqual(await loadEvents(debt), ['payment.created', 'payment.status_changed'])
  assert.equal((await debt.ledger()).filter(({ voucher_type }) => voucher_type === 'Payment').length, 2)
  assert.deepEqual([await debt.suspense(), await debt.tasks()], [[], []])
  await requireBalance(debt)
}

for (const status of ['cancelled', 'refunded', 'paid'] as const) {
  test(`paying by card: no order for a payment that is ${status}`, async () => {
    const debt = await aCardDebt(service)
    assert.equal((await debt.patch(status)).status, 200)
    const asked = gateway.calls.length
    const rejected = await debt.options()
    assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'], rejected.text)
    assert.match(rejected.body.exception, /Nothing is owed/)
    assert.equal(gateway.calls.length, asked)
  })

  test(`captured for a payment that is ${status}: posted to suspense, with event and task`, async () => {
    const debt = await aCardDebt(service)
    const order = await debt.order()
    assert.equal((await debt.patch(status)).status, 200)
    const before = await debt.payment()
    const paid = gateway.capture(order)
    const response = await debt.confirm(order, paid.id)
    assert.equal(response.status, 200, response.text)
    assert.match(response.body._server_messages, /does not ask for this any more/)
    assert.deepEqual(await debt.suspense(), [1200.5])
    await requireBalance(debt)
    assert.deepEqual(await debt.payment(), before)
    assert.equal((await loadEvents(debt)).at(-1), 'payment.unapplied')
    const [record] = await loadRecords(debt)
    assert.deepEqual([record.status, record.payment_id], ['Captured', paid.id])
    const [task, ...others] = await debt.tasks()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [task.status, task.priority, task.role, task.reference_type, task.reference_name],
      ['Open', 'High', 'Accounts Manager', 'Payment Record', record.name],
    )
    assert.ok(task.description.includes('USD 1,200.50') && task.description.includes(paid.id), task.description)
    await debt.confirm(order, paid.id)
    assert.equal((await debt.hook(gatewayEvent(paid, hookSecret))).status, 200)
    assert.deepEqual([await debt.suspense(), (await debt.tasks()).length], [[1200.5], 1], 'told again it is the same')
  })
}

test('unapplied payments: the task is for accounts staff only', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  await debt.patch('cancelled')
  await debt.confirm(order, gateway.capture(order).id)
  const [{ name }] = await debt.tasks()
  const accountant = debt.resourceClient.as('Accounts User')
  assert.equal((await accountant.list('ToDo', {})).data.length, 1)
  assert.equal((await accountant.update('ToDo', name, { status: 'Closed' })).data.status, 'Closed')
  assert.equal((await accountant.update('ToDo', name, { status: 'Forgotten' })).error, 'ValidationError')
  assert.equal((await debt.me.get('/api/resource/ToDo')).status, 403)
  assert.equal((await debt.resourceClient.as('Instructor').read('ToDo', name)).error, 'PermissionError')
})

test('captures: a second order and a second payment of one order are booked too', async () => {
  const debt = await aCardDebt(service)
  const [first, second] = [await debt.order(), await debt.order()]
  await debt.confirm(first, gateway.capture(first).id)
  await debt.confirm(second, gateway.capture(second).id)
  await debt.hook(gatewayEvent(gateway.capture(first), hookSecret))
  assert.equal((await debt.payment()).status, 'paid')
  assert.deepEqual(await debt.suspense(), [1200.5, 1200.5])
  assert.equal((await debt.tasks()).length, 2)
  const records = await loadRecords(debt)
  assert.deepEqual(
    records.map(({ status }: { status: string }) => status),
    ['Captured', 'Captured', 'Captured'],
  )
  assert.equal(new Set(records.map(({ payment_id }: { payment_id: string }) => payment_id)).size, 3)
  await requireBalance(debt)
})

test('captures: another amount or currency is not applied to the fee', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  for (const facts of [{ amount: 120049 }, { amount: 120051 }, { amount: 120050, currency: 'EUR' }]) {
    assert.equal((await debt.hook(gatewayEvent(gateway.capture(order, facts), hookSecret))).status, 200)
  }
  assert.deepEqual(await debt.suspense(), [1200.49, 1200.51, 1200.5])
  assert.equal((await debt.payment()).status, 'pending')
  assert.equal((await debt.resourceClient.read('Fees', debt.fee)).data.outstanding_amount, 1200.5)
  await requireBalance(debt)
})

test('the card webhook: books a payment at its time, once, without the browser', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  const paid = gateway.capture(order, { created_at: Date.parse('2026-08-31T23:30:00Z') / 1000 })
  for (const id of ['evt_1', 'evt_1', 'evt_2', '']) {
    const response = await debt.hook(gatewayEvent(paid, hookSecret, { id }))
    assert.deepEqual([response.status, await response.text()], [200, '{}'])
  }
  assert.equal((await debt.hook(gatewayEvent(paid, hookSecret, { event: 'order.paid', id: 'evt_3' }))).status, 200)
  await requirePaidOnce(debt)
  const { paidAt, processorPaymentIntentId } = await debt.payment()
  assert.deepEqual([paidAt, processorPaymentIntentId], ['2026-08-31T23:30:00.001Z', paid.id])
  const [record] = await loadRecords(debt)
  assert.deepEqual(await debt.resourceClient.traces('Payment Record', record.name), [
    'payment_record.created',
    'payment_record.updated',
  ])
  await debt.confirm(order, paid.id)
  await requirePaidOnce(debt)
})

test('the card webhook: other events, unknown orders and other tenants change nothing', async () => {
  const debt = await aCardDebt(service)
  const other = await aCardDebt(service)
  const order = await debt.order()
  for (const init of [
    gatewayEvent(gateway.capture(order, { status: 'authorized' }), hookSecret),
    gatewayEvent(gateway.capture(order, { status: 'refunded' }), hookSecret),
    gatewayEvent(gateway.capture(order), hookSecret, { event: 'payment.failed' }),
    gatewayEvent(gateway.capture('order_of_a_shop'), hookSecret),
    gatewayEvent(
      { id: { toString: 1 }, order_id: [order], amount: '1', currency: 'usd', status: 'captured' },
      hookSecret,
    ),
    gatewayEvent({ ...gateway.capture(order), amount: -5 }, hookSecret),
    gatewayEvent({ ...gateway.capture(order), amount: 1e300 }, hookSecret),
  ]) {
    assert.equal((await debt.hook(init)).status, 200)
  }
  assert.equal((await other.hook(gatewayEvent(gateway.capture(order), hookSecret))).status, 200)
  assert.deepEqual([(await debt.payment()).status, await debt.suspense(), await other.suspense()], ['pending', [], []])
})

test('the card webhook: 401 without a valid signature or secret, recorded without the body', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  const paid = gateway.capture(order)
  const right = gatewayEvent(paid, hookSecret)
  const { 'x-razorpay-signature': _, ...unsigned } = right.headers as Record<string, string>
  for (const init of [
    gatewayEvent(paid, account.razorpay_secret),
    { ...right, headers: unsigned },
    { ...right, body: `${right.body} ` },
    { ...right, headers: { ...right.headers, 'x-razorpay-signature': 'é' } },
  ]) {
    const rejected = await debt.hook(init)
    assert.equal(rejected.status, 401)
    assert.equal(((await rejected.json()) as { code: string }).code, 'signature_invalid')
  }
  const audit = await service.database.inspect<{ action: string; after: object }>(
    `select action, after from audit_entries where tenant_id = $1 and action = 'card_webhook.refused'`,
    [debt.tenant.id],
  )
  assert.deepEqual(audit, [{ action: 'card_webhook.refused', after: { reason: 'wrong signature' } }], 'once a minute')
  assert.equal(service.logged.filter((line) => line.includes('card webhook refused')).length, 4)
  for (const text of [paid.id, hookSecret]) assert.ok(!service.logged.some((line) => line.includes(text)))
  assert.equal((await debt.payment()).status, 'pending')
  await debt.resourceClient.update('Education Settings', 'Education Settings', { razorpay_webhook_secret: '' })
  assert.equal((await debt.hook(gatewayEvent(paid, ''))).status, 401)
})

test('the card webhook: rejects bodies that are no JSON object or too large, and unknown tenants', async () => {
  const debt = await aCardDebt(service)
  const { createHmac } = await import('node:crypto')
  const send = (body: string, path = `/t/${debt.tenant.slug}/hooks/card-gateway`) =>
    fetch(service.address + path, {
      method: 'POST',
      body,
      headers: { 'x-razorpay-signature': createHmac('sha256', hookSecret).update(body).digest('hex') },
    })
  for (const body of ['', 'null', '[', '"x"']) assert.equal((await send(body)).status, 400, body)
  assert.equal((await send('[]')).status, 200)
  assert.equal((await send(' '.repeat(300_000))).status, 413)
  for (const path of ['/hooks/card-gateway', '/t/nobody/hooks/card-gateway']) {
    assert.equal((await send('{}', path)).status, 404, path)
  }
  assert.equal((await fetch(`${service.address}/t/${debt.tenant.slug}/hooks/card-gateway`)).status, 404)
})

test('the job card-payments: checks open orders at growing intervals and books captures', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  await reconcile(debt)
  const isAsked = () => gateway.calls.some(({ path }) => path === `/v1/orders/${order}/payments`)
  assert.ok(!isAsked(), 'not before five minutes')
  await makeDue(debt)
  await reconcile(debt)
  assert.ok(isAsked())
  const waits = () =>
    service.database.inspect<{ checks: number; minutes: number }>(
      `select checks, round(extract(epoch from next_check_at - now()) / 60)::integer as minutes
         from card_order_checks where tenant_id = $1`,
      [debt.tenant.id],
    )
  assert.deepEqual(await waits(), [{ checks: 1, minutes: 10 }])
  await makeDue(debt)
  await reconcile(debt)
  assert.deepEqual(await waits(), [{ checks: 2, minutes: 20 }])
  gateway.capture(order)
  await makeDue(debt)
  await reconcile(debt)
  await requirePaidOnce(debt)
  assert.deepEqual(await waits(), [], 'what is paid is not asked for any more')
  assert.ok(!lines.some((line) => line.includes(account.razorpay_secret)))
})

test('the job card-payments: checks failed orders too, and ends after a week', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  const error = { description: 'The bank declined.', metadata: { order_id: order, payment_id: 'pay_declined' } }
  const failed = { response: { error }, against_invoice: debt.fee }
  await debt.me.post('/api/method/education.education.billing.handle_payment_failure', failed)
  await service.database.inspect(
    `update payment_records set created_at = now() - interval '8 days' where tenant_id = $1`,
    [debt.tenant.id],
  )
  await makeDue(debt)
  await reconcile(debt)
  await makeDue(debt)
  const asked = gateway.calls.length
  await reconcile(debt)
  assert.equal(gateway.calls.length, asked)
  gateway.capture(order)
  await debt.hook(gatewayEvent(gateway.capture(order), hookSecret))
  assert.equal((await debt.payment()).status, 'paid', 'the webhook is believed for ever')
})

test('the job card-payments: an unavailable gateway costs one call per tenant and run', async () => {
  const debt = await aCardDebt(service)
  for (let count = 0; count < 3; count += 1) await debt.order()
  await makeDue(debt)
  gateway.responseStatus = 502
  const before = gateway.calls.length
  await reconcile(debt)
  assert.equal(gateway.calls.length, before + 1)
  gateway.responseStatus = 401
  await reconcile(debt)
  assert.equal(gateway.calls.length, before + 3, 'a refusal is no reason to stop')
  gateway.responseStatus = 200
  assert.equal((await debt.payment()).status, 'pending')
})

test('captures: concurrent reports by browser, webhook and job book once', async () => {
  for (let round = 0; round < 4; round += 1) {
    const debt = await aCardDebt(service)
    const order = await debt.order()
    const paid = gateway.capture(order)
    await makeDue(debt)
    const answers = await Promise.all([
      debt.confirm(order, paid.id),
      debt.hook(gatewayEvent(paid, hookSecret, { id: 'evt_a' })),
      reconcile(debt),
      debt.hook(gatewayEvent(paid, hookSecret, { id: 'evt_a' })),
      debt.hook(gatewayEvent(paid, hookSecret, { event: 'order.paid', id: 'evt_b' })),
      debt.confirm(order, paid.id),
    ])
    for (const response of answers) if (response !== undefined) assert.equal(response.status, 200)
    await requirePaidOnce(debt)
  }
})

test('captures: concurrent with a cancellation, the money is applied or in suspense', async () => {
  for (let round = 0; round < 4; round += 1) {
    const debt = await aCardDebt(service)
    const order = await debt.order()
    const paid = gateway.capture(order)
    const [hook, cancelled] = await Promise.all([debt.hook(gatewayEvent(paid, hookSecret)), debt.patch('cancelled')])
    assert.deepEqual([hook.status, cancelled.status], [200, 200])
    const booked = (await debt.ledger()).filter(({ voucher_type }) => voucher_type !== 'Fees').length
    assert.ok(booked >= 2, 'booked')
    await requireBalance(debt)
    const unapplied = (await debt.suspense()).length
    assert.equal((await debt.tasks()).length, unapplied)
  }
})

test('unapplied payments: a company without the account gets one', async () => {
  const debt = await aCardDebt(service)
  const order = await debt.order()
  await service.database.inspect('update companies set default_unapplied_account = null where tenant_id = $1', [
    debt.tenant.id,
  ])
  await service.database.inspect(`delete from accounts where tenant_id = $1 and account_name = 'Unapplied Payments'`, [
    debt.tenant.id,
  ])
  await debt.patch('cancelled')
  await debt.confirm(order, gateway.capture(order).id)
  assert.deepEqual(await debt.suspense(), [1200.5])
  const staff = await aRecordCaller(service, debt.tenant)
  const made = await staff.post('/api/resource/Company', { company_name: 'Second', abbr: 'S', default_currency: 'USD' })
  assert.equal(made.status, 200, made.text)
  const second = await debt.resourceClient.read('Company', 'Second')
  assert.equal(second.data.default_unapplied_account, 'Unapplied Payments - S')
})
