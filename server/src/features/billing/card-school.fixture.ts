import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { aFee, anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import type { TestService } from '../../testing/fixtures/test-service.ts'
import { signed } from './stand-in-gateway.fixture.ts'

export const billing = '/api/method/education.education.billing'

/** The gateway account of the seeded schools. */
export const account = {
  razorpay_key: 'rzp_test_key',
  razorpay_secret: 'a secret of the gateway',
  razorpay_webhook_secret: 'a secret of the webhook',
}

/** A seeded tenant whose first student is logged in and owes 1200.50. */
export async function aDebt(service: TestService) {
  const seededTenant = await seedTenant(service)
  const { resourceClient, tenant, students } = seededTenant
  const { data: enrollment } = await anEnrollment(seededTenant, { docstatus: 1 })
  const { email, password } = await aUser(service, tenant, { email: 'ada@example.org', roles: ['Student'] })
  await resourceClient.update('Student', students[0], { user: email })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  const me = guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
  const fee = await aFee(seededTenant, enrollment.name)
  const options = (more: object = {}) =>
    me.post(`${billing}.get_payment_options`, {
      doctype: 'Sales Invoice',
      docname: fee,
      phone: '+1 555 123 4567',
      country: 'x',
      ...more,
    })
  const setAccount = () => resourceClient.update('Education Settings', 'Education Settings', account)
  return {
    seededTenant,
    resourceClient,
    tenant,
    me,
    fee,
    enrollment: enrollment.name,
    options,
    setAccount,
  }
}

/** A debt in a tenant with an account at the gateway. */
export async function aCardDebt(service: TestService) {
  const debt = await aDebt(service)
  await debt.setAccount()
  const { me, tenant, fee, resourceClient, options } = debt
  /** Creates an order at the gateway for the fee. */
  const order = async (): Promise<string> => (await options()).body.message.order_id
  /** Reports a payment as the browser does. */
  const confirm = (orderId: string, paymentId: string) =>
    me.post(`${billing}.handle_payment_success`, {
      response: signed(orderId, paymentId, account.razorpay_secret),
      against_invoice: fee,
    })
  /** Calls the webhook. */
  const hook = (init: RequestInit) => fetch(`${service.address}/t/${tenant.slug}/hooks/card-gateway`, init)
  const payment = async () => (await tenant.api.get('/payments')).body.data[0]
  const patch = async (status: string) => tenant.api.patch(`/payments/${(await payment()).id}`, { status })
  /** The lines of the ledger as `account debit credit`, oldest first. */
  const ledger = async () => {
    const fields = JSON.stringify(['account', 'debit', 'credit', 'voucher_type', 'party', 'name'])
    const { data } = await resourceClient.list('GL Entry', { fields, order_by: 'name', limit_page_length: '0' })
    return data as { account: string; debit: number; credit: number; voucher_type: string; party: string | null }[]
  }
  const suspense = async () =>
    (await ledger()).filter((line) => line.account.startsWith('Unapplied Payments')).map(({ credit }) => credit)
  const tasks = async () => (await resourceClient.list('ToDo', { fields: '["*"]', order_by: 'creation asc' })).data
  return { ...debt, order, confirm, hook, payment, patch, ledger, suspense, tasks }
}

/** The payment records, oldest first. */
export const loadRecords = async ({ resourceClient }: Pick<SeededTenant, 'resourceClient'>) =>
  (await resourceClient.list('Payment Record', { fields: '["*"]', order_by: 'creation asc, name asc' })).data
