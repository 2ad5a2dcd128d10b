import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockRows } from '../../concurrency/locks.ts'
import { sql } from '../../database/index.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { untilWaiting } from '../../testing/fixtures/waiting.ts'
import { aSchool, enroll, feeFields, make, type School, year } from './fee-school.fixture.ts'

const service = await startTestService()

async function loadLedger({ records }: School, fee: string) {
  const filters = JSON.stringify([['voucher_type', 'in', ['Fees', 'Payment']]])
  const fields = JSON.stringify(['account', 'debit', 'credit', 'against_voucher', 'voucher_no', 'is_cancelled'])
  const { body } = await records.get(`/api/resource/GL Entry?limit_page_length=0&filters=${filters}&fields=${fields}`)
  const balance = body.data.reduce(
    (sum: number, row: { debit: number; credit: number }) => sum + row.debit - row.credit,
    0,
  )
  assert.equal(balance, 0)
  return body.data.filter((row: { against_voucher: string; voucher_no: string }) =>
    [row.against_voucher, row.voucher_no].includes(fee),
  )
}

async function loadPayment({ tenant }: School, fee: string) {
  const { body } = await tenant.api.get('/payments?limit=100')
  return body.data.find(({ description }: { description: string }) => description.startsWith(fee))
}

test('Fees: created as a draft without a debt', async () => {
  const school = await aSchool(service)
  const who = await enroll(school)
  const fee = await make(school.records, 'Fees', feeFields(school, who))
  assert.match(fee.name, /^EDU-FEE-\d{4}-00001$/)
  assert.equal(fee.docstatus, 0)
  assert.equal(fee.grand_total, 1200)
  assert.equal(fee.outstanding_amount, 1200)
  assert.equal(fee.grand_total_in_words, 'USD One Thousand, Two Hundred only.')
  assert.equal(fee.components[0].description, 'Autumn')
  assert.equal(await loadPayment(school, fee.name), undefined)
  assert.deepEqual(await loadLedger(school, fee.name), [])
})

test('submitting a fee: posts a balanced pair and creates one payment of the Client API', async () => {
  const school = await aSchool(service)
  const who = await enroll(school)
  const { name } = await make(school.records, 'Fees', feeFields(school, who))
  const submitted = await school.records.put(`/api/resource/Fees/${name}`, { docstatus: 1 })
  assert.equal(submitted.status, 200, submitted.text)
  assert.equal(submitted.body.data.docstatus, 1)
  assert.equal((await loadLedger(school, name)).length, 2)
  const payment = await loadPayment(school, name)
  assert.equal(payment.amount, 1200)
  assert.equal(payment.status, 'pending')
  assert.equal(payment.studentCode, who.student)
  assert.equal(payment.dueDate, '2026-09-30T00:00:00.000Z')
  const fee = await service.database.inspect<{ id: string }>('select id from fees where tenant_id = $1 and name = $2', [
    school.tenant.id,
    name,
  ])
  const traces = await school.tenant.traces(fee[0]?.id ?? '')
  assert.deepEqual(traces.events, ['fee.created', 'fee.submitted'])
  assert.deepEqual(traces.audit, ['fee.created', 'fee.submitted'])
})

test('paying a fee: settles it, and a refund restores the debt', async () => {
  const school = await aSchool(service)
  const fee = await make(school.records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  const payment = await loadPayment(school, fee.name)
  const owed = async () => (await school.records.get(`/api/resource/Fees/${fee.name}`)).body.data.outstanding_amount
  assert.equal(await owed(), 1200)
  assert.equal((await school.tenant.api.patch(`/payments/${payment.id}`, { status: 'paid' })).status, 200)
  assert.equal(await owed(), 0)
  assert.equal((await loadLedger(school, fee.name)).length, 3)
  assert.equal((await school.tenant.api.patch(`/payments/${payment.id}`, { status: 'refunded' })).status, 200)
  assert.equal(await owed(), 1200)
  await loadLedger(school, fee.name)
  assert.equal((await school.tenant.api.patch(`/payments/${payment.id}`, { status: 'paid' })).status, 200)
  assert.equal(await owed(), 0)
})

test('the payment of a fee: amount, currency and student cannot change (409 state_conflict)', async () => {
  const school = await aSchool(service)
  const fee = await make(school.records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  const payment = await loadPayment(school, fee.name)
  const { id: studentId } = await aStudent(school.tenant.api)
  for (const change of [{ amount: 5 }, { currency: 'EUR' }, { studentId }]) {
    const rejected = await school.tenant.api.patch(`/payments/${payment.id}`, change)
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'state_conflict'])
  }
  const described = await school.tenant.api.patch(`/payments/${payment.id}`, { description: 'By bank transfer' })
  assert.equal(described.status, 200)
})

test('cancelling a fee: rejected when paid; else payment and ledger are reversed', async () => {
  const school = await aSchool(service)
  const fee = await make(school.records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  const payment = await loadPayment(school, fee.name)
  await school.tenant.api.patch(`/payments/${payment.id}`, { status: 'paid' })
  const rejected = await school.records.put(`/api/resource/Fees/${fee.name}`, { docstatus: 2 })
  assert.equal(rejected.status, 417)
  assert.equal(rejected.body.exc_type, 'LinkExistsError')
  await school.tenant.api.patch(`/payments/${payment.id}`, { status: 'pending' })
  const cancelled = await school.records.post('/api/method/frappe.client.cancel', { doctype: 'Fees', name: fee.name })
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.equal(cancelled.body.message.docstatus, 2)
  assert.equal((await school.tenant.api.get(`/payments/${payment.id}`)).body.data.status, 'cancelled')
  const lines = await loadLedger(school, fee.name)
  assert.ok(lines.every(({ is_cancelled }: { is_cancelled: number }) => is_cancelled === 1))
  const amended = await make(school.records, 'Fees', {
    ...feeFields(school, { student: fee.student, enrollment: fee.program_enrollment }),
    amended_from: fee.name,
  })
  assert.equal(amended.name, `${fee.name}-1`)
})

test('cancelling a refunded fee: the payment stays refunded, with its history and a balanced ledger', async () => {
  const school = await aSchool(service)
  const fee = await make(school.records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  const payment = await loadPayment(school, fee.name)
  const patch = (status: string) => school.tenant.api.patch(`/payments/${payment.id}`, { status })
  assert.equal((await patch('paid')).status, 200)
  assert.equal((await patch('refunded')).status, 200)
  const refunded = (await school.tenant.api.get(`/payments/${payment.id}`)).body.data
  const traces = await school.tenant.traces(payment.id)
  const cancelled = await school.records.put(`/api/resource/Fees/${fee.name}`, { docstatus: 2 })
  assert.equal(cancelled.status, 200, cancelled.text)
  assert.deepEqual((await school.tenant.api.get(`/payments/${payment.id}`)).body.data, refunded)
  assert.deepEqual(await school.tenant.traces(payment.id), traces)
  assert.equal(cancelled.body.data.outstanding_amount, 0)
  assert.equal((await loadLedger(school, fee.name)).length, 6)
  const list = await school.tenant.api.get('/payments?status=refunded')
  assert.equal(list.body.pagination.total, 1)
  for (const status of ['paid', 'pending', 'cancelled']) {
    const rejected = await patch(status)
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'state_conflict'], status)
  }
})

test('the payment of a cancelled fee: stays cancelled, by PATCH and upsert', async () => {
  const school = await aSchool(service)
  const fee = await make(school.records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  const payment = await loadPayment(school, fee.name)
  await school.records.put(`/api/resource/Fees/${fee.name}`, { docstatus: 2 })
  const lines = await loadLedger(school, fee.name)
  for (const status of ['paid', 'pending', 'overdue', 'refunded']) {
    const rejected = await school.tenant.api.patch(`/payments/${payment.id}`, { status })
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'state_conflict'], status)
  }
  assert.deepEqual(await loadLedger(school, fee.name), lines)
  assert.equal((await school.tenant.api.get(`/payments/${payment.id}`)).body.data.status, 'cancelled')
})

test('fees: concurrent submit, pay, refund and cancel leave ledger and debt consistent', async () => {
  const school = await aSchool(service)
  for (let round = 0; round < 6; round += 1) {
    const { name } = await make(school.records, 'Fees', feeFields(school, await enroll(school)))
    const path = `/api/resource/Fees/${name}`
    const submitted = await Promise.all([1, 2, 3].map(() => school.records.put(path, { docstatus: 1 })))
    assert.ok(submitted.some(({ status }) => status === 200))
    assert.equal((await loadLedger(school, name)).length, 2)
    const payment = await loadPayment(school, name)
    const pay = (status: string) => school.tenant.api.patch(`/payments/${payment.id}`, { status })
    const cancel = () => school.records.put(path, { docstatus: 2 })
    const answers = await Promise.all([pay('paid'), cancel(), pay('paid'), pay('pending'), pay('paid'), cancel()])
    for (const { status } of answers) assert.ok([200, 409, 417].includes(status), String(status))
    const { docstatus, outstanding_amount: owed } = (await school.records.get(path)).body.data
    const { status } = (await school.tenant.api.get(`/payments/${payment.id}`)).body.data
    const [sums] = await service.database.inspect<{ left: number; all: number }>(
      `select coalesce(sum(debit - credit) filter (where against_voucher = $2), 0)::float as left,
              coalesce(sum(debit - credit), 0)::float as all
         from gl_entries where tenant_id = $1`,
      [school.tenant.id, name],
    )
    assert.equal(sums?.all, 0)
    assert.equal(sums?.left, docstatus === 2 || status === 'paid' ? 0 : 1200)
    assert.equal(status === 'cancelled', docstatus === 2)
    if (docstatus === 1) assert.equal(owed, status === 'paid' ? 0 : 1200)
  }
})

test('fees: changing a payment locks the fee first, without a lock on the payment', async () => {
  const school = await aSchool(service)
  const { tenant, records } = school
  const fee = await make(records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  const payment = await loadPayment(school, fee.name)
  let paying: ReturnType<typeof tenant.api.patch> | undefined
  await service.data.transaction(tenant.id, async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      sql`select id from fees where tenant_id = ${tx.tenantId} and name = ${fee.name}`,
    )
    await lockRows(tx, 'fees', [row?.id as string])
    paying = tenant.api.patch(`/payments/${payment.id}`, { status: 'paid' })
    await untilWaiting(service.database, 1)
    const free = await tx.query(
      sql`select id from payments where tenant_id = ${tx.tenantId} and id = ${payment.id} for no key update skip locked`,
    )
    assert.equal(free.length, 1)
    tx.send(sql`update payments set description = ${`${fee.name} changed meanwhile`}, version = version + 1
                 where tenant_id = ${tx.tenantId} and id = ${payment.id}`)
  })
  const paid = await paying
  assert.equal(paid?.status, 200)
  assert.equal(paid?.body.data.status, 'paid')
  assert.equal(paid?.body.data.description, `${fee.name} changed meanwhile`)
  const { body } = await records.get(`/api/resource/Fees/${fee.name}`)
  assert.equal(body.data.outstanding_amount, 0)
})

test('Fees: the enrolment must be the student’s, and missing fields are reported', async () => {
  const school = await aSchool(service)
  const [one, other] = [await enroll(school), await enroll(school)]
  const foreign = await school.records.post(
    '/api/resource/Fees',
    feeFields(school, { ...one, enrollment: other.enrollment }),
  )
  assert.equal(foreign.status, 417)
  assert.equal(foreign.body.exc_type, 'ValidationError')
  const { due_date, ...incomplete } = feeFields(school, one)
  const missing = await school.records.post('/api/resource/Fees', incomplete)
  assert.equal(missing.status, 417)
  assert.equal(missing.body.exc_type, 'MandatoryError')
  assert.match(missing.body._server_messages, /Due Date/)
})

test('Fees: an unknown category or company is created, unless links are strict', async () => {
  const school = await aSchool(service)
  const who = await enroll(school)
  const components = [{ fees_category: 'Excursion', amount: 10 }]
  const made = await school.records.post('/api/resource/Fees', feeFields(school, who, { components }))
  assert.equal(made.status, 200, made.text)
  assert.match(made.body._server_messages, /Excursion/)
  assert.equal((await school.records.get('/api/resource/Fee Category/Excursion')).status, 200)
  await school.records.put('/api/resource/Education Settings/Education Settings', { strict_links: 1 })
  const strict = await school.records.post(
    '/api/resource/Fees',
    feeFields(school, who, { components: [{ fees_category: 'Museum', amount: 10 }] }),
  )
  assert.equal(strict.status, 417)
  assert.equal(strict.body.exc_type, 'LinkValidationError')
})

test('Fees: an account named without the abbreviation of its company is not found, and nothing is created', async () => {
  const school = await aSchool(service)
  const who = await enroll(school)
  const accounts = async () => (await school.records.get('/api/resource/Account?limit_page_length=0')).body.data.length
  const before = await accounts()
  const { status, body } = await school.records.post(
    '/api/resource/Fees',
    feeFields(school, who, { fee_structure: undefined, receivable_account: 'Debtors' }),
  )
  assert.deepEqual([status, body.exc_type], [417, 'LinkValidationError'])
  assert.match(body._server_messages, /Could not find Receivable Account: Debtors/)
  assert.equal(await accounts(), before)
})

test('enrolments: create and submit the fees of their plan', async () => {
  const school = await aSchool(service)
  const who = await enroll(school, { fees: [{ fee_structure: school.structure, due_date: '2026-10-01' }] })
  const filters = JSON.stringify({ student: who.student })
  const fields = JSON.stringify(['name', 'docstatus', 'grand_total', 'program_enrollment'])
  const { body } = await school.records.get(`/api/resource/Fees?filters=${filters}&fields=${fields}`)
  assert.equal(body.data.length, 1)
  assert.equal(body.data[0].docstatus, 1)
  assert.equal(body.data[0].grand_total, 1200)
  assert.equal(body.data[0].program_enrollment, who.enrollment)
})

test('submitting a fee: accounts and cost center must be of its company and not groups', async () => {
  const school = await aSchool(service)
  const { records } = school
  await make(records, 'Company', { company_name: 'Other', abbr: 'OT', default_currency: 'EUR' })
  const who = await enroll(school)
  const group = (await records.get('/api/resource/Account?filters={"is_group":1,"root_type":"Asset"}')).body.data[0]
    .name
  for (const [fields, reason] of [
    [{ receivable_account: group }, /is a group/],
    [{ receivable_account: 'Debtors - OT' }, /does not belong to the company/],
    [{ cost_center: 'Main - OT' }, /of another company/],
  ] as const) {
    const components = [{ fees_category: 'Tuition', amount: 10 }]
    const structure = await make(records, 'Fee Structure', {
      program: 'Physics',
      academic_year: year,
      components,
      ...fields,
    })
    const { name } = await make(records, 'Fees', feeFields(school, who, { fee_structure: structure.name }))
    const rejected = await records.put(`/api/resource/Fees/${name}`, { docstatus: 1 })
    assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
    assert.match(rejected.body.exception, reason)
  }
})

test('Fees: a removed company becomes the default company', async () => {
  const school = await aSchool(service)
  const { name } = await make(school.records, 'Fees', feeFields(school, await enroll(school)))
  const { body } = await school.records.put(`/api/resource/Fees/${name}`, { company: '' })
  assert.equal(body.data.company, school.tenant.name)
})

test('deleting a cancelled fee: rejected while it has ledger lines', async () => {
  const school = await aSchool(service)
  const { name } = await make(school.records, 'Fees', feeFields(school, await enroll(school), { docstatus: 1 }))
  await school.records.put(`/api/resource/Fees/${name}`, { docstatus: 2 })
  const rejected = await school.records.delete(`/api/resource/Fees/${name}`)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'LinkExistsError'])
  assert.match(rejected.body.exception, /linked with GL Entry ACC-GLE-/)
})

test('get_fee_structure: the newest structure of a program and term, or nothing', async () => {
  const school = await aSchool(service)
  const path = '/api/method/education.education.api.get_fee_structure'
  const found = await school.records.post(path, { program: 'Physics' })
  assert.deepEqual(found.body, { message: school.structure })
  const whole = await school.records.post(path, { program: 'Physics', as_dict: 1 })
  assert.equal(whole.body.message.total_amount, 1200)
  const none = await school.records.post(path, { program: 'Physics', academic_term: 'None' })
  assert.deepEqual([none.status, none.body], [200, {}])
  const without = await school.records.post(path, {})
  assert.equal(without.status, 417)
})
