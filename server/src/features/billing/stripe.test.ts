import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobsOver } from '../../app/composition.ts'
import { checkBilling } from '../../commands/diagnostics/billing-check.ts'
import { aFee } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aDebt, billing, loadRecords } from './card-school.fixture.ts'
import { StripeDouble, stripeEvent } from './stripe.fixture.ts'

const double = await StripeDouble.start()
const service = await startTestService({ cardGatewayUrl: double.url })
const settings = 'Education Settings'
const account = {
  stripe_publishable_key: 'pk_test_of_the_school',
  stripe_secret_key: 'sk_test_of_the_school',
  stripe_webhook_secret: 'whsec_of_the_school',
}
const { stripe_webhook_secret: secret } = account

const note = () => {}
const log = { info: note, warn: note, error: note } as unknown as Parameters<typeof jobsOver>[3]
const config = {
  ...{ mailKeepDays: 90, publicUrl: 'https://matricula.example' },
  ...{ secretKey: service.secretKey, cardGatewayUrl: double.url },
}
const job = jobsOver(service.files, null, config, log).find(({ name }) => name === 'card-payments')

/** A student who owes 1200.50 to an institution with an account at Stripe. */
async function aStripeDebt() {
  const debt = await aDebt(service)
  const set = await debt.resourceClient.update(settings, settings, account)
  assert.equal(set.error, null, set.told)
  const order = async (): Promise<string> => (await debt.options()).body.message.order_id
  const hook = (init: RequestInit) => fetch(`${service.address}/t/${debt.tenant.slug}/hooks/card-gateway`, init)
  const payment = async () => (await debt.tenant.api.get('/payments')).body.data[0]
  const receipts = async () =>
    (await debt.tenant.api.get('/billing/receipts')).body.data.map((each: Record<string, unknown>) => [
      each.method,
      each.amount,
      each.reference,
      each.status,
    ])
  return { ...debt, order, hook, payment, receipts }
}

test('get_payment_options makes a PaymentIntent of what is owed, with what the browser pays it by', async () => {
  const { options } = await aStripeDebt()
  const { status, body, text } = await options()
  assert.equal(status, 200, text)
  const { processor, key_id, order_id, amount, currency, client_secret } = body.message
  assert.deepEqual(
    { processor, key_id, amount, currency, client_secret },
    {
      ...{ processor: 'stripe', key_id: account.stripe_publishable_key, amount: 120_050, currency: 'USD' },
      client_secret: `${order_id}_secret_x`,
    },
  )
  const call = double.calls.at(-1)
  assert.deepEqual(
    [call?.path, call?.authorization, call?.form.amount, call?.form.currency],
    ['/v1/payment_intents', `Bearer ${account.stripe_secret_key}`, '120050', 'usd'],
  )
  assert.ok(!text.includes(account.stripe_secret_key))
})

test('a captured PaymentIntent is booked once by the webhook, however often it is told', async () => {
  const debt = await aStripeDebt()
  const intent = double.capture(await debt.order())
  const event = stripeEvent('payment_intent.succeeded', intent, secret)
  for (const each of [event, event, stripeEvent('payment_intent.succeeded', intent, secret)]) {
    assert.equal((await debt.hook(each)).status, 200)
  }
  const { id, status, processorPaymentIntentId } = await debt.payment()
  assert.deepEqual([status, processorPaymentIntentId], ['paid', intent.latest_charge])
  assert.deepEqual(await debt.receipts(), [['card', 1200.5, intent.latest_charge, 'posted']])
  assert.deepEqual((await debt.tenant.traces(id)).events, ['payment.created', 'payment.status_changed'])
})

test('what the browser reports of Stripe is looked up there by the job, and not believed', async () => {
  const debt = await aStripeDebt()
  const orderId = await debt.order()
  const report = () =>
    debt.me.post(`${billing}.handle_payment_success`, {
      response: { payment_intent: orderId },
      against_invoice: debt.fee,
    })
  assert.equal((await report()).status, 200)
  await job?.run(service.data, debt.tenant)
  assert.equal((await debt.payment()).status, 'pending')
  double.capture(orderId)
  assert.equal((await report()).status, 200)
  await job?.run(service.data, debt.tenant)
  assert.equal((await debt.payment()).status, 'paid')
  const foreign = await debt.me.post(`${billing}.handle_payment_success`, {
    response: { payment_intent: 'pi_of_another_shop' },
    against_invoice: debt.fee,
  })
  assert.deepEqual([foreign.status, foreign.body.exc_type], [417, 'ValidationError'])
})

test('a refund of the whole reverses the receipt, and the payment is refunded; one of a part is left to the staff', async () => {
  const debt = await aStripeDebt()
  const intent = double.capture(await debt.order())
  const charge = { id: intent.latest_charge, object: 'charge', amount: intent.amount, payment_intent: intent.id }
  const early = stripeEvent('charge.refunded', { ...charge, refunded: true }, secret)
  assert.equal((await debt.hook(early)).status, 503) // told again later
  await debt.hook(stripeEvent('payment_intent.succeeded', intent, secret))
  const foreign = stripeEvent('charge.refunded', { ...charge, payment_intent: 'pi_other', refunded: true }, secret)
  assert.equal((await debt.hook(foreign)).status, 200)
  const part = { ...charge, amount_refunded: 100, refunded: false }
  assert.equal((await debt.hook(stripeEvent('charge.refunded', part, secret))).status, 200)
  assert.equal((await debt.payment()).status, 'paid')
  const whole = { ...charge, amount_refunded: intent.amount, refunded: true }
  for (const id of ['evt_a', 'evt_b', 'evt_b']) {
    assert.equal((await debt.hook(stripeEvent('charge.refunded', whole, secret, { id }))).status, 200)
  }
  assert.equal((await debt.payment()).status, 'refunded')
  assert.deepEqual(await debt.receipts(), [['card', 1200.5, intent.latest_charge, 'reversed']])
  const fee = await debt.resourceClient.read('Fees', debt.fee)
  assert.equal(fee.data.outstanding_amount, 1200.5)
})

test('another amount or currency than the order pays nothing and waits for the staff', async () => {
  for (const facts of [{ amount_received: 100 }, { currency: 'eur' }]) {
    const debt = await aStripeDebt()
    const intent = double.capture(await debt.order(), facts)
    assert.equal((await debt.hook(stripeEvent('payment_intent.succeeded', intent, secret))).status, 200)
    assert.equal((await debt.payment()).status, 'pending')
    assert.deepEqual(await debt.receipts(), [])
    const [record] = await loadRecords(debt)
    assert.equal(record.status, 'Captured')
  }
})

test('a webhook call with a wrong, an old or no signature is refused, and books nothing', async () => {
  const debt = await aStripeDebt()
  const intent = double.capture(await debt.order())
  const old = Math.floor(Date.now() / 1000) - 301
  const good = stripeEvent('payment_intent.succeeded', intent, secret)
  for (const init of [
    stripeEvent('payment_intent.succeeded', intent, 'whsec_of_another'),
    stripeEvent('payment_intent.succeeded', intent, secret, { at: old }),
    { ...good, body: `${good.body} ` },
    { ...good, headers: { 'stripe-signature': 't=,v1=' } },
    { ...good, headers: { 'x-razorpay-signature': 'x' } },
  ]) {
    const response = await debt.hook(init)
    assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [401, 'signature_invalid'])
  }
  assert.equal((await debt.payment()).status, 'pending')
  assert.equal((await debt.hook({ ...good, body: 'no JSON', headers: good.headers ?? {} })).status, 401)
})

test('of a fee that two accounts share, the invoice of one is paid by card, and the other stays open', async () => {
  const debt = await aStripeDebt()
  const { api } = debt.tenant
  const [{ id: student }] = (await api.get(`/students?studentCode=${debt.seededTenant.students[0]}`)).body.data
  const ids: string[] = []
  for (const name of ['Mother', 'Father']) ids.push((await api.post('/billing/accounts', { name })).body.data.id)
  const shares = ids.map((accountId) => ({ accountId, percent: 50 }))
  assert.equal((await api.put(`/billing/students/${student}/shares`, { shares })).status, 200)
  const fee = await aFee(debt.seededTenant, debt.enrollment)
  const { body, status, text } = await debt.options({ docname: `${fee}-1` })
  assert.deepEqual(
    [status, body.message?.amount, body.message?.description],
    [200, 60_025, `Payment for ${fee}-1`],
    text,
  )
  const intent = double.capture(body.message.order_id)
  const event = stripeEvent('payment_intent.succeeded', intent, secret)
  for (let times = 0; times < 2; times += 1) assert.equal((await debt.hook(event)).status, 200)
  const balances = await Promise.all(
    ids.map(async (id) => (await api.get(`/billing/accounts/${id}`)).body.data.balance),
  )
  assert.deepEqual(balances.sort(), [0, 600.25])
  assert.deepEqual(await debt.receipts(), [['card', 600.25, intent.latest_charge, 'posted']])
  assert.equal((await debt.resourceClient.read('Fees', fee)).data.outstanding_amount, 600.25)
  const again = await debt.options({ docname: `${fee}-1` })
  assert.deepEqual([again.status, again.body.exc_type], [417, 'ValidationError'])
  assert.equal((await debt.options({ docname: `${fee}-3` })).status, 403)
  assert.equal((await debt.options({ docname: `${fee}-2` })).body.message.amount, 60_025)
})

test('where numbers have no gaps, the invoice of a fee is paid by card under its own number', async () => {
  const debt = await aStripeDebt()
  await service.database.inspect('insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)', [
    debt.tenant.id,
    JSON.stringify({ numbering: { gapless: true } }),
  ])
  const fee = await aFee(debt.seededTenant, debt.enrollment)
  const [{ name }] = (await debt.resourceClient.list('Sales Invoice', { filters: JSON.stringify({ fees: fee }) })).data
  assert.match(name, /^INV-/)
  const { message } = (await debt.options({ docname: name })).body
  const intent = double.capture(message.order_id)
  assert.equal((await debt.hook(stripeEvent('payment_intent.succeeded', intent, secret))).status, 200)
  assert.equal((await debt.resourceClient.read('Fees', fee)).data.outstanding_amount, 0)
})

test('without keys of Stripe orders are made at Razorpay', async () => {
  const debt = await aDebt(service)
  await debt.setAccount()
  const { status } = await debt.options()
  // The double knows no orders of Razorpay: it was asked for one all the same.
  assert.equal(status, 417)
  assert.equal(double.calls.at(-1)?.path, '/v1/orders')
})

test('accounts, obligations, receipts and ledger agree after all of this, as doctor compares them', async () => {
  const { status, detail } = await checkBilling((text, values) => service.database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
})
