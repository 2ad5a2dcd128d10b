import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUser } from '../../testing/fixtures/factories.ts'
import { aFee } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { account, billing, aDebt as debtIn, loadRecords } from './card-school.fixture.ts'
import { StandInGateway, signed as signedBy } from './stand-in-gateway.fixture.ts'

const gateway = await StandInGateway.start()
const service = await startTestService({ cardGatewayUrl: gateway.url })
const address = { address_line_1: '1 Main Street', city: 'Springfield', country: 'United States' }
const aDebt = () => debtIn(service)
const signed = (orderId: string, paymentId: string, secret: string = account.razorpay_secret) =>
  signedBy(orderId, paymentId, secret)

test('paying by card: rejected without a gateway account, and no call is made', async () => {
  const { seededTenant, me, fee, options } = await aDebt()
  const before = gateway.calls.length
  for (const response of [
    await options(),
    await me.post(`${billing}.handle_payment_success`, { response: signed('o', 'p'), against_invoice: fee }),
  ]) {
    assert.deepEqual([response.status, response.body.exc_type], [417, 'ValidationError'])
    assert.match(response.body.exception, /no Razorpay Key and Secret in Education Settings/)
  }
  assert.equal(gateway.calls.length, before)
  assert.deepEqual(await loadRecords(seededTenant), [])
})

test('paying by card: order, verified signature, and the fee paid in both APIs', async () => {
  const { seededTenant, resourceClient, tenant, me, fee, options, setAccount } = await aDebt()
  await setAccount()
  const { status, body } = await options()
  assert.equal(status, 200)
  const { order_id, ...shown } = body.message
  assert.deepEqual(shown, {
    key_id: account.razorpay_key,
    name: tenant.name,
    description: `Payment for ${fee}`,
    amount: 120050,
    currency: 'USD',
    prefill: { name: 'Ada Byron', email: 'ada@example.org', contact: '+1 555 123 4567' },
  })
  const basic = Buffer.from(`${account.razorpay_key}:${account.razorpay_secret}`).toString('base64')
  assert.deepEqual(gateway.calls.at(-1), {
    path: '/v1/orders',
    authorization: `Basic ${basic}`,
    order: { amount: 120050, currency: 'USD' },
  })
  const pay = () =>
    me.post(`${billing}.handle_payment_success`, {
      response: signed(order_id, 'pay_1'),
      against_invoice: fee,
      billing_details: address,
    })
  assert.deepEqual((await pay()).body, {})
  const [record] = await loadRecords(seededTenant)
  assert.deepEqual(
    [record.status, record.payment_id, record.against_invoice, record.amount, record.city],
    ['Captured', 'pay_1', fee, 1200.5, 'Springfield'],
  )
  assert.deepEqual(await resourceClient.traces('Payment Record', record.name), [
    'payment_record.created',
    'payment_record.updated',
  ])
  assert.equal((await resourceClient.read('Fees', fee)).data.outstanding_amount, 0)
  const { body: payments } = await tenant.api.get('/payments')
  const [payment] = payments.data
  assert.deepEqual([payment.status, payment.processorPaymentIntentId], ['paid', 'pay_1'])
  const { events } = await tenant.traces(payment.id)
  assert.deepEqual(events, ['payment.created', 'payment.status_changed'])
  assert.deepEqual((await pay()).body, {}, 'told again it is the same')
  assert.deepEqual((await tenant.traces(payment.id)).events, events)
  const over = await options()
  assert.deepEqual([over.status, over.body.exc_type], [417, 'ValidationError'])
  for (const secret of [account.razorpay_secret, signed(order_id, 'pay_1').razorpay_signature]) {
    assert.ok(!service.logged.some((line) => line.includes(secret)))
  }
})

test('paying by card: a wrong signature or order marks nothing as paid', async () => {
  const { seededTenant, resourceClient, me, fee, enrollment, options, setAccount } = await aDebt()
  await setAccount()
  const small = await aFee(seededTenant, enrollment, { amount: 1 })
  const { order_id: cheap } = (await options({ docname: small })).body.message
  const { order_id } = (await options()).body.message
  const claim = async (response: object) => {
    const { status, body } = await me.post(`${billing}.handle_payment_success`, { response, against_invoice: fee })
    return [status, body.exc_type]
  }
  const right = signed(order_id, 'pay_2')
  for (const response of [
    { ...right, razorpay_payment_id: 'pay_3' },
    { ...right, razorpay_signature: '' },
    { ...right, razorpay_signature: right.razorpay_signature.slice(0, 62) },
    signed(order_id, 'pay_2', 'another secret'),
    signed(cheap, 'pay_2'),
    signed('order_of_nobody', 'pay_2'),
    {},
  ]) {
    assert.deepEqual(await claim(response), [417, 'ValidationError'], JSON.stringify(response))
  }
  assert.equal((await resourceClient.read('Fees', fee)).data.outstanding_amount, 1200.5)
  assert.deepEqual(
    (await loadRecords(seededTenant)).map(({ status }: { status: string }) => status),
    ['Created', 'Created'],
  )
})

test('paying by card: a failure is recorded with its reason, and a paid fee stays paid', async () => {
  const { seededTenant, me, fee, options, setAccount } = await aDebt()
  await setAccount()
  const { order_id } = (await options()).body.message
  const error = { description: 'The bank declined.', metadata: { order_id, payment_id: 'pay_4' } }
  const fail = () => me.post(`${billing}.handle_payment_failure`, { response: { error }, against_invoice: fee })
  assert.deepEqual((await fail()).body, {})
  const [failed] = await loadRecords(seededTenant)
  assert.deepEqual(
    [failed.status, failed.failure_description, failed.payment_id],
    ['Failed', 'The bank declined.', 'pay_4'],
  )
  const paid = { response: JSON.stringify(signed(order_id, 'pay_5')), against_invoice: fee }
  assert.equal((await me.post(`${billing}.handle_payment_success`, paid)).status, 200)
  await fail()
  assert.equal((await loadRecords(seededTenant))[0].status, 'Captured')
})

test('paying by card: rejected for another student’s fee, other records and invalid telephones', async () => {
  const { seededTenant, me, options, setAccount } = await aDebt()
  await setAccount()
  const other = await aDebt()
  const unknown = { doctype: 'Fees', docname: 'EDU-FEE-1999-00001', phone: '+1 555 123 4567' }
  assert.equal((await options(unknown)).body.exc_type, 'PermissionError')
  assert.equal(
    (await seededTenant.resourceClient.call('billing.get_payment_options', unknown)).error,
    'DoesNotExistError',
  )
  assert.deepEqual(
    (await options({ doctype: 'Student', docname: seededTenant.students[0] })).body.exc_type,
    'ValidationError',
  )
  assert.deepEqual((await options({ phone: 'call me' })).body.exc_type, 'InvalidPhoneNumberError')
  assert.deepEqual((await options({ currency: 'EUR' })).body.exc_type, 'ValidationError')
  const grace = await aUser(service, seededTenant.tenant, { email: 'grace@example.org', roles: ['Student'] })
  await seededTenant.resourceClient.update('Student', seededTenant.students[0], { user: grace.email })
  const rejected = await options()
  assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
  const foreign = await me.post(`${billing}.handle_payment_failure`, { response: {}, against_invoice: other.fee })
  assert.ok([403, 404].includes(foreign.status))
})

test('paying by card: 417 when the gateway rejects the order, 503 when it is unavailable', async () => {
  const { seededTenant, options, setAccount } = await aDebt()
  await setAccount()
  gateway.responseStatus = 401
  const rejected = await options()
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
  gateway.responseStatus = 502
  const silent = await options()
  assert.deepEqual([silent.status, silent.headers.get('retry-after')], [503, '10'])
  gateway.responseStatus = 200
  assert.deepEqual(await loadRecords(seededTenant), [])
})
