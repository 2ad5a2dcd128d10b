import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import type { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { aFee } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aFamily, loggedIn } from './family.fixture.ts'

const service = await startTestService()
const family = await aFamily(service)
const { children, mother, guardians, seededTenant } = family
const { resourceClient, tenant } = seededTenant
const [child] = children
const father = (await loggedIn(service, seededTenant, 'george@work.example', ['Guardian'])).caller
assert.equal((await resourceClient.update('Guardian', guardians.father, { user: 'george@work.example' })).error, null)

const { id: studentId } = (await tenant.api.get(`/students?search=Ada`)).body.data[0]
const enrollment = (family.records['Program Enrollment'] as readonly string[])[0] as string

/** Accounts that share what the child owes in equal parts, by name. */
async function share(accounts: readonly object[]): Promise<{ accountNumber: string }[]> {
  const made: { id: string; accountNumber: string }[] = []
  for (const account of accounts) made.push((await tenant.api.post('/billing/accounts', account)).body.data)
  const shares = made.map(({ id }) => ({ accountId: id, percent: 100 / made.length }))
  const { status, text } = await tenant.api.put(`/billing/students/${studentId}/shares`, { shares })
  assert.equal(status, 200, text)
  return made
}

/** The payers of the invoices of a fee that a guardian sees: in the list, of the portal, and as paper. */
async function payersSeen(caller: RecordCaller, fee: string): Promise<string[]> {
  const all = (
    await resourceClient.list('Sales Invoice', { filters: JSON.stringify({ fees: fee }), fields: '["name"]' })
  ).data as { name: string }[]
  const query = new URLSearchParams({ filters: JSON.stringify({ fees: fee }), fields: '["name","customer_name"]' })
  const { body } = await caller.get(`/api/resource/Sales%20Invoice?${query}`)
  const listed = body.data as { name: string; customer_name: string }[]
  const { message } = (
    await caller.post('/api/method/education.education.api.get_student_invoices', { student: child })
  ).body
  const shown = new Set(message.invoices.map(({ invoice }: { invoice: string }) => invoice))
  for (const { name } of all) {
    const isListed = listed.some((each) => each.name === name)
    assert.equal(shown.has(name), isListed, `${name} in the portal`)
    const print = `/api/method/frappe.utils.print_format.download_pdf?doctype=Sales%20Invoice&name=${name}`
    assert.equal((await caller.get(print)).status, isListed ? 200 : 403, `${name} as paper`)
    assert.equal((await caller.get(`/api/resource/Sales%20Invoice/${name}`)).status, isListed ? 200 : 403, name)
  }
  return listed.map(({ customer_name }) => customer_name).sort()
}

/** Whether a guardian is given the paper of a fee as a whole, which says what all payers owe of it. */
async function isPrinted(caller: RecordCaller, fee: string): Promise<boolean> {
  const { status } = await caller.get(
    `/api/method/frappe.utils.print_format.download_pdf?doctype=Fees&name=${encodeURIComponent(fee)}`,
  )
  assert.ok(status === 200 || status === 403, `${status}`)
  return status === 200
}

const feeOf = () => aFee(seededTenant, enrollment, { student: child })

test('invoices of two households: each parent sees those of the own account, and pays no other by card', async () => {
  await share([
    { name: 'Milbanke', email: 'Annabella@example.org' },
    { name: 'Gordon', email: 'george@work.example' },
  ])
  const fee = await feeOf()
  assert.deepEqual(await payersSeen(mother, fee), ['Milbanke'])
  assert.deepEqual(await payersSeen(father, fee), ['Gordon'])
  const theirs = (
    await resourceClient.list('Sales Invoice', { filters: JSON.stringify({ fees: fee, customer_name: 'Gordon' }) })
  ).data[0].name
  const order = { doctype: 'Sales Invoice', docname: theirs, phone: '+41 44 000 00 00', currency: null }
  const paid = await mother.post('/api/method/education.education.billing.get_payment_options', order)
  assert.equal(paid.status, 403, paid.text)
  assert.deepEqual([await isPrinted(mother, fee), await isPrinted(father, fee)], [false, false])
})

test('invoices of a sponsor: no guardian sees them, and the office sees all', async () => {
  await share([
    { name: 'Milbanke', email: 'annabella@example.org' },
    { name: 'The Fund', kind: 'sponsor' },
  ])
  const fee = await feeOf()
  assert.deepEqual(await payersSeen(mother, fee), ['Milbanke'])
  assert.deepEqual(await payersSeen(father, fee), [])
  assert.deepEqual([await isPrinted(mother, fee), await isPrinted(father, fee)], [false, false])
  const office = await aRecordCaller(service, tenant)
  assert.equal(await isPrinted(office, fee), true)
  assert.deepEqual(await payersSeen(office, fee), ['Milbanke', 'The Fund'])
})

test('invoices of a family account of which no guardian is known to be: all guardians of the child see them', async () => {
  await share([{ name: 'Byron', email: 'office@byron.example' }])
  const fee = await feeOf()
  assert.deepEqual(await payersSeen(mother, fee), ['Byron'])
  assert.deepEqual(await payersSeen(father, fee), ['Byron'])
  assert.deepEqual([await isPrinted(mother, fee), await isPrinted(father, fee)], [true, true])
})

test('a Guardian with a Customer sees its invoices, and only who sees accounts enters one', async () => {
  const [account] = await share([{ name: 'Byron', email: 'annabella@example.org' }])
  const fee = await feeOf()
  assert.deepEqual(await payersSeen(father, fee), [])
  const registrar = await aRecordCaller(service, tenant, ['Academics User'])
  const customer = account?.accountNumber
  const refused = await registrar.put(`/api/resource/Guardian/${guardians.father}`, { customer })
  assert.equal(refused.status, 403, refused.text)
  assert.deepEqual(await payersSeen(father, fee), [])
  const bursar = await aRecordCaller(service, tenant, ['Academics User', 'Accounts User'])
  assert.equal((await bursar.put(`/api/resource/Guardian/${guardians.father}`, { customer })).status, 200)
  assert.deepEqual(await payersSeen(father, fee), ['Byron'])
  assert.equal((await registrar.put(`/api/resource/Guardian/${guardians.father}`, { occupation: 'Poet' })).status, 200)
})
