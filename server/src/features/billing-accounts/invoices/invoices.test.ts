import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBilling } from '../../../commands/diagnostics/billing-check.ts'
import { aPerson, aRecordCaller } from '../../../testing/fixtures/factories.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make, type School } from '../../fees/fee-school.fixture.ts'

const service = await startTestService()

const path = (type: string, name = '') => `/api/resource/${encodeURIComponent(type)}${name && `/${name}`}`

async function read({ records }: School, type: string, name: string) {
  const { status, body, text } = await records.get(path(type, name))
  assert.equal(status, 200, text)
  return body.data
}

async function list({ records }: School, type: string, filters: object, fields = ['name']) {
  const query = new URLSearchParams({ filters: JSON.stringify(filters), fields: JSON.stringify(fields) })
  const { status, body, text } = await records.get(`${path(type)}?${query}`)
  assert.equal(status, 200, text)
  return body.data
}

async function refused(response: Promise<{ status: number; body: { exc_type?: string }; text: string }>, type: string) {
  const { status, body, text } = await response
  assert.deepEqual([status, body.exc_type], [417, type], text)
  return text
}

/** The sums of the Client API and those of invoices and entries, which must agree, with books that balance. */
async function agree(school: School) {
  const { tenant } = school
  const accounts = await tenant.api.get('/billing/accounts?limit=100')
  for (const { id, accountNumber, balance, credit } of accounts.body.data) {
    const invoices = await list(school, 'Sales Invoice', { customer: accountNumber, docstatus: 1 }, [
      'outstanding_amount',
    ])
    const open = invoices.reduce(
      (sum: number, each: { outstanding_amount: number }) => sum + each.outstanding_amount,
      0,
    )
    assert.equal(open - credit, balance, accountNumber)
    const receipts = await tenant.api.get(`/billing/receipts?accountId=${id}&status=posted&limit=100`)
    const entries = await list(school, 'Payment Entry', { party: accountNumber, docstatus: 1 }, ['paid_amount'])
    assert.deepEqual(
      entries.map((each: { paid_amount: number }) => each.paid_amount).sort(),
      receipts.body.data.map((each: { amount: number }) => each.amount).sort(),
    )
  }
  const { status, detail } = await checkBilling((text, values) => service.database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
}

test('a submitted fee is a Sales Invoice with its items, its schedule and what is outstanding', async () => {
  const school = await aSchool(service)
  const { student, enrollment } = await enroll(school)
  const fee = await make(school.records, 'Fees', { ...feeFields(school, { student, enrollment }), docstatus: 1 })
  const invoice = await read(school, 'Sales Invoice', fee.name)
  const { customer, items, payment_schedule, ...rest } = invoice
  assert.deepEqual(
    [
      rest.student,
      rest.docstatus,
      rest.grand_total,
      rest.outstanding_amount,
      rest.fees,
      rest.posting_date,
      rest.due_date,
    ],
    [student, 1, 1200, 1200, fee.name, '2026-09-01', '2026-09-30'],
  )
  assert.deepEqual(
    items.map((item: { item_code: string; qty: number; amount: number; idx: number }) => [
      item.idx,
      item.item_code,
      item.qty,
      item.amount,
    ]),
    [
      [1, 'Tuition', 1, 1000],
      [2, 'Laboratory', 1, 200],
    ],
  )
  const [due] = payment_schedule
  assert.deepEqual(
    [payment_schedule.length, due.due_date, due.payment_amount, due.outstanding, due.invoice_portion, due.doctype],
    [1, '2026-09-30', 1200, 1200, 100, 'Payment Schedule'],
  )
  const payer = await read(school, 'Customer', customer)
  assert.deepEqual([payer.student, payer.customer_group, payer.customer_type], [student, 'Student', 'Individual'])
  const count = await school.records.post('/api/method/frappe.client.get_count', {
    doctype: 'Sales Invoice',
    filters: { student, status: ['in', ['Unpaid', 'Overdue']] },
  })
  assert.equal(count.body.message, 1)
  await agree(school)
})

test('a Payment Entry that is submitted is a receipt, in parts too; cancelled it is reversed', async () => {
  const school = await aSchool(service)
  const { records, tenant } = school
  const fee = await make(records, 'Fees', { ...feeFields(school, await enroll(school)), docstatus: 1 })
  const { customer } = await read(school, 'Sales Invoice', fee.name)
  const entry = {
    payment_type: 'Receive',
    party_type: 'Customer',
    party: customer,
    posting_date: '2026-09-10',
    mode_of_payment: 'Cash',
    reference_no: 'desk 7',
    paid_amount: 500,
    received_amount: 500,
    references: [{ reference_doctype: 'Sales Invoice', reference_name: fee.name, allocated_amount: 450 }],
  }
  const draft = await make(records, 'Payment Entry', entry)
  assert.match(draft.name, /^ACC-PAY-\d{4}-\d{5}$/)
  assert.deepEqual([draft.docstatus, draft.status, draft.unallocated_amount], [0, 'Draft', 50])
  assert.deepEqual((await tenant.api.get('/billing/receipts')).body.data, [])
  const changed = await records.put(path('Payment Entry', draft.name), { mode_of_payment: 'Cheque' })
  assert.equal(changed.body.data?.mode_of_payment, 'Cheque', changed.text)
  const submitted = await records.put(path('Payment Entry', draft.name), { docstatus: 1 })
  assert.equal(submitted.status, 200, submitted.text)
  const { references, ...posted } = submitted.body.data
  assert.deepEqual(
    [posted.name, posted.docstatus, posted.status, posted.paid_amount, posted.unallocated_amount, posted.reference_no],
    [draft.name, 1, 'Submitted', 500, 50, 'desk 7'],
  )
  assert.deepEqual(
    references.map((row: { reference_name: string; allocated_amount: number }) => [
      row.reference_name,
      row.allocated_amount,
    ]),
    [[fee.name, 450]],
  )
  const [receipt] = (await tenant.api.get('/billing/receipts')).body.data
  assert.deepEqual(
    [receipt.receiptNumber, receipt.method, receipt.amount, receipt.unallocated, receipt.receivedOn],
    [posted.receipt_number, 'cheque', 500, 50, '2026-09-10'],
  )
  assert.ok((await tenant.traces(receipt.id)).events.includes('receipt.posted'))
  const partly = await read(school, 'Sales Invoice', fee.name)
  assert.ok(['Partly Paid', 'Overdue'].includes(partly.status), partly.status)
  assert.deepEqual([partly.outstanding_amount, partly.paid_amount], [750, 450])
  assert.equal((await read(school, 'Fees', fee.name)).outstanding_amount, 750)
  await agree(school)

  await refused(
    records.post(path('Payment Entry'), {
      ...entry,
      references: [{ ...entry.references[0], allocated_amount: 750.01 }],
    }),
    'ValidationError',
  )
  const rest = { ...entry, docstatus: 1, paid_amount: 750, received_amount: 750 }
  const last = await make(records, 'Payment Entry', {
    ...rest,
    references: [{ reference_doctype: 'Sales Invoice', reference_name: fee.name, allocated_amount: 750 }],
  })
  assert.equal((await read(school, 'Sales Invoice', fee.name)).status, 'Paid')
  const [payment] = (await tenant.api.get('/payments')).body.data
  assert.equal(payment.status, 'paid')
  await agree(school)

  await refused(records.put(path('Sales Invoice', fee.name), { docstatus: 2 }), 'LinkExistsError')
  const cancelled = await records.post('/api/method/frappe.client.cancel', {
    doctype: 'Payment Entry',
    name: last.name,
  })
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.deepEqual([cancelled.body.message.docstatus, cancelled.body.message.status], [2, 'Cancelled'])
  assert.equal((await read(school, 'Sales Invoice', fee.name)).outstanding_amount, 750)
  assert.equal((await tenant.api.get('/billing/receipts?status=reversed')).body.data.length, 1)
  await agree(school)
  await refused(records.put(path('Payment Entry', last.name), { docstatus: 1 }), 'ValidationError')
})

test('a Sales Invoice that a client makes is a payment with its items; it is cancelled until money comes in', async () => {
  const school = await aSchool(service)
  const { records, tenant } = school
  const { student } = await enroll(school)
  const family = (await make(records, 'Customer', { customer_name: 'Family Dyer', email_id: 'dyer@example.org' })).name
  const account = (await tenant.api.get('/billing/accounts?search=dyer')).body.data[0]
  assert.deepEqual([account.accountNumber, account.kind, account.email], [family, 'family', 'dyer@example.org'])
  const body = {
    customer: family,
    student,
    posting_date: '2026-09-01',
    due_date: '2026-09-20',
    items: [
      { item_code: 'Excursion', qty: 2, rate: 12.5 },
      { item_name: 'Uniform', rate: 40 },
    ],
  }
  const draft = await make(records, 'Sales Invoice', body)
  assert.deepEqual([draft.docstatus, draft.status, draft.grand_total, draft.items.length], [0, 'Draft', 65, 2])
  assert.equal((await tenant.api.get('/payments')).body.data.length, 0)
  const found = await records.post('/api/method/frappe.client.submit', { doc: JSON.stringify(draft) })
  assert.equal(found.status, 200, found.text)
  const [payment] = (await tenant.api.get('/payments')).body.data
  assert.deepEqual([payment.amount, payment.status, payment.dueDate], [65, payment.status, '2026-09-20T00:00:00.000Z'])
  const invoice = await read(school, 'Sales Invoice', draft.name)
  assert.deepEqual(
    invoice.items.map((item: { item_name: string; amount: number }) => [item.item_name, item.amount]),
    [
      ['Excursion', 25],
      ['Uniform', 40],
    ],
  )
  assert.deepEqual([invoice.outstanding_amount, invoice.customer_name], [65, 'Family Dyer'])
  await agree(school)
  const cancelled = await records.put(path('Sales Invoice', draft.name), { docstatus: 2 })
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.equal((await tenant.api.get(`/payments/${payment.id}`)).body.data.status, 'cancelled')
  assert.deepEqual((await read(school, 'Sales Invoice', draft.name)).status, 'Cancelled')
  await agree(school)
  await refused(records.delete(path('Sales Invoice', draft.name)), 'LinkExistsError')
  const other = await make(records, 'Sales Invoice', { student, items: [{ item_code: 'Lunch', rate: 3 }] })
  assert.equal((await records.delete(path('Sales Invoice', other.name))).status, 202)
  await refused(
    records.post(path('Sales Invoice'), { ...body, items: [{ item_code: 'Nothing', rate: 0 }] }),
    'ValidationError',
  )
  await refused(records.post(path('Sales Invoice'), { ...body, customer: 'BA-999999' }), 'LinkValidationError')
  await refused(records.post(path('Sales Invoice'), { ...body, due_date: '2026-08-31' }), 'ValidationError')
})

test('accounts that share a fee have an invoice each, in instalments by their terms', async () => {
  const school = await aSchool(service)
  const { records, tenant } = school
  const { student, enrollment } = await enroll(school)
  const { id } = (await tenant.api.get('/students')).body.data[0]
  await make(records, 'Payment Terms Template', {
    template_name: 'Halves',
    terms: [
      { invoice_portion: 50, credit_days: 0 },
      { invoice_portion: 50, credit_days: 30 },
    ],
  })
  const [one, two] = [
    await make(records, 'Customer', { customer_name: 'Mother', payment_terms: 'Halves' }),
    await make(records, 'Customer', { customer_name: 'Father' }),
  ]
  const ids = (await tenant.api.get('/billing/accounts')).body.data.map((each: { id: string }) => each.id)
  const shares = ids.map((accountId: string, index: number) => ({
    accountId,
    categories: null,
    percent: index === 0 ? 75 : 25,
    validFrom: null,
    validTo: null,
  }))
  const put = await tenant.api.put(`/billing/students/${id}/shares`, { shares })
  assert.equal(put.status, 200, JSON.stringify(put.body))
  const fee = await make(records, 'Fees', { ...feeFields(school, { student, enrollment }), docstatus: 1 })
  const invoices = await list(school, 'Sales Invoice', { fees: fee.name }, ['name', 'customer', 'grand_total'])
  assert.deepEqual(
    invoices.sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)),
    [
      { name: `${fee.name}-1`, customer: one.name, grand_total: 900 },
      { name: `${fee.name}-2`, customer: two.name, grand_total: 300 },
    ],
  )
  const mothers = await read(school, 'Sales Invoice', `${fee.name}-1`)
  assert.deepEqual(
    mothers.payment_schedule.map((row: { due_date: string; payment_amount: number }) => [
      row.due_date,
      row.payment_amount,
    ]),
    [
      ['2026-09-01', 450],
      ['2026-10-01', 450],
    ],
  )
  assert.deepEqual([mothers.items.length, mothers.items[0].amount], [1, 900])
  await refused(
    records.post(path('Payment Entry'), {
      payment_type: 'Receive',
      party_type: 'Customer',
      party: two.name,
      paid_amount: 10,
      references: [{ reference_doctype: 'Sales Invoice', reference_name: `${fee.name}-1`, allocated_amount: 10 }],
    }),
    'ValidationError',
  )
  await make(records, 'Payment Entry', {
    payment_type: 'Receive',
    party_type: 'Customer',
    party: one.name,
    docstatus: 1,
    paid_amount: 600,
    references: [{ reference_doctype: 'Sales Invoice', reference_name: `${fee.name}-1`, allocated_amount: 600 }],
  })
  const paid = (await read(school, 'Sales Invoice', `${fee.name}-1`)).payment_schedule
  assert.deepEqual(
    paid.map((row: { outstanding: number }) => row.outstanding),
    [0, 300],
  )
  await refused(records.put(path('Sales Invoice', `${fee.name}-2`), { docstatus: 2 }), 'ValidationError')
  await agree(school)
})

test('a student reads its own invoices, the accounts users all; only a manager cancels, and the academics have none', async () => {
  const school = await aSchool(service)
  const { records, tenant } = school
  const [own, other] = [await enroll(school), await enroll(school)]
  const mine = await make(records, 'Fees', { ...feeFields(school, own), docstatus: 1 })
  const foreign = await make(records, 'Fees', { ...feeFields(school, other), docstatus: 1 })
  const { email, caller } = await aPerson(service, tenant, ['Student'])
  const linked = await records.put(path('Student', own.student), { user: email })
  assert.equal(linked.status, 200, linked.text)
  const listed = await caller.get(path('Sales Invoice'))
  assert.deepEqual(listed.body.data, [{ name: mine.name }], listed.text)
  assert.equal((await caller.get(path('Sales Invoice', foreign.name))).status, 403)
  assert.equal((await caller.get(path('Payment Entry'))).status, 403)
  assert.equal((await caller.put(path('Sales Invoice', mine.name), { docstatus: 2 })).status, 403)
  const portal = await caller.post('/api/method/education.education.api.get_student_invoices', { student: own.student })
  assert.deepEqual(
    portal.body.message.invoices.map((each: { invoice: string; amount: string }) => [each.invoice, each.amount]),
    [[mine.name, '$ 1,200.00']],
  )
  const user = await aRecordCaller(service, tenant, ['Accounts User'])
  assert.equal((await user.get(path('Sales Invoice'))).body.data.length, 2)
  assert.equal((await user.put(path('Sales Invoice', mine.name), { docstatus: 2 })).status, 403)
  assert.equal((await user.post(path('Customer'), { customer_name: 'X' })).status, 403)
  const academics = await aRecordCaller(service, tenant, ['Academics User'])
  for (const type of ['Sales Invoice', 'Payment Entry', 'Customer']) {
    assert.equal((await academics.get(path(type))).status, 403, type)
  }
  const manager = await aRecordCaller(service, tenant, ['Accounts Manager'])
  const cancelled = await manager.put(path('Sales Invoice', mine.name), { docstatus: 2 })
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.equal((await read(school, 'Fees', mine.name)).docstatus, 2)
  const otherTenant = await aSchool(service)
  assert.equal((await otherTenant.records.get(path('Sales Invoice', foreign.name))).status, 404)
  await agree(school)
})

test('get_payment_entry proposes what is outstanding; sent back twice at once it is posted as often as it was sent', async () => {
  const school = await aSchool(service)
  const { records, tenant } = school
  const fee = await make(records, 'Fees', { ...feeFields(school, await enroll(school)), docstatus: 1 })
  const proposing = 'erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry'
  const proposed = await records.post(`/api/method/${proposing}`, { dt: 'Sales Invoice', dn: fee.name })
  const { message } = proposed.body
  assert.deepEqual([message?.paid_amount, message?.references[0].allocated_amount], [1200, 1200], proposed.text)
  const sent = { ...message, docstatus: 1 }
  const responses = await Promise.all([1, 2].map(() => records.post(path('Payment Entry'), sent)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 417])
  assert.equal((await tenant.api.get('/billing/receipts')).body.data.length, 1)
  const again = await records.post(`/api/method/${proposing}`, { dt: 'Sales Invoice', dn: fee.name })
  assert.equal(again.status, 417)
  const future = { ...sent, posting_date: '2999-01-01' }
  await refused(records.post(path('Payment Entry'), future), 'ValidationError')
  await refused(records.post(path('Payment Entry'), { ...sent, payment_type: 'Pay' }), 'ValidationError')
  await refused(
    records.post(path('Payment Entry'), { ...sent, paid_amount: 0.001, received_amount: 0 }),
    'ValidationError',
  )
  await agree(school)
})
