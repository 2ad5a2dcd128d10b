import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { printedText } from '../../testing/fixtures/files/printed-text.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)
const print = '/api/method/frappe.utils.print_format.download_pdf'
const today = new Date().toISOString().slice(0, 10)

async function make(type: string, fields: object) {
  const { status, body, text } = await api.post(`/api/resource/${type}`, fields)
  assert.equal(status, 200, `${type}: ${text}`)
  return body.data
}

async function loadPdf(caller: RecordCaller, doctype: string, name: string) {
  const query = new URLSearchParams({ doctype, name, format: 'Standard' })
  const { status, headers, bytes } = await caller.get(`${print}?${query}`)
  return { status, headers, bytes, words: printedText(bytes) }
}

await make('Academic Year', {
  academic_year_name: '2026-27',
  year_start_date: '2026-08-01',
  year_end_date: '2027-07-31',
})
await make('Program', { program_name: 'Physics' })
const structure = await make('Fee Structure', {
  program: 'Physics',
  academic_year: '2026-27',
  docstatus: 1,
  components: [
    { fees_category: 'Tuition', amount: 1000 },
    { fees_category: 'Laboratory', amount: 200 },
  ],
})
const { email, password } = await aUser(service, tenant, { roles: ['Student'] })
const ada = await make('Student', { first_name: 'Ada', last_name: 'Byron', user: email })
const enrollment = await make('Program Enrollment', {
  student: ada.name,
  program: 'Physics',
  academic_year: '2026-27',
  enrollment_date: '2026-08-15',
  docstatus: 1,
})

const aFee = (fields: object = {}) =>
  make('Fees', {
    student: ada.name,
    program_enrollment: enrollment.name,
    fee_structure: structure.name,
    company: tenant.name,
    posting_date: today,
    due_date: today,
    components: [
      { fees_category: 'Tuition', description: 'Autumn term', amount: 1000, discount: 10 },
      { fees_category: 'Laboratory', amount: 200.5 },
    ],
    docstatus: 1,
    ...fields,
  })

async function asStudent(): Promise<RecordCaller> {
  const guest = new RecordCaller(api.address)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
}

async function pay(fee: string): Promise<void> {
  const [payment] = await service.database.inspect<{ id: string }>('select id from payments where fee = $1', [fee])
  const { status } = await tenant.api.send('PATCH', `/payments/${payment?.id}`, { status: 'paid' })
  assert.equal(status, 200)
}

test('the invoice of a fee is a PDF with its number, student, components, discount, total in figures and words, and state', async () => {
  const fee = await aFee()
  const { status, headers, bytes, words } = await loadPdf(api, 'Fees', fee.name)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/pdf')
  assert.equal(headers.get('content-disposition'), `inline; filename="${fee.name}.pdf"`)
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  const currency = tenant.currency
  const expected = [
    tenant.name,
    'Fee invoice',
    fee.name,
    'Ada Byron',
    ada.name,
    'Physics',
    'Tuition',
    'Autumn term',
    '10 %',
    `${currency} 1,000.00`,
    `${currency} 1,200.50`,
    'Outstanding',
    'Unpaid',
    'Page 1 of 1',
  ]
  for (const text of expected) assert.ok(words.includes(text), `${text} is missing in:\n${words}`)
  assert.ok(words.replace(/\s+/g, ' ').includes(fee.grand_total_in_words.slice(0, 30)))
})

test('a Sales Invoice prints as the letter for its payer, also for the student, and its draft as a record', async () => {
  const fee = await aFee()
  for (const caller of [api, await asStudent()]) {
    const { status, bytes } = await loadPdf(caller, 'Sales Invoice', fee.name)
    assert.equal(status, 200)
    const shown = printedText(bytes)
    const expected = [
      'Invoice',
      fee.name,
      'Ada Byron',
      'What is charged',
      'Tuition',
      'Autumn term',
      'Laboratory',
      '200.50',
    ]
    for (const text of [...expected, `${tenant.currency} 1,200.50`, 'Still open'])
      assert.ok(shown.includes(text), shown)
  }
  await pay(fee.name)
  assert.match(printedText((await loadPdf(api, 'Sales Invoice', fee.name)).bytes), /Paid/)
  const account = (await tenant.api.get('/billing/accounts?kind=student')).body.data[0]
  const draft = await make('Sales Invoice', {
    customer: account.accountNumber,
    items: [{ item_name: 'Excursion', qty: 1, rate: 30 }],
  })
  assert.match(printedText((await loadPdf(api, 'Sales Invoice', draft.name)).bytes), /Excursion/)
})

test('a paid fee prints as a receipt with the day of its payment and nothing outstanding', async () => {
  const fee = await aFee()
  await pay(fee.name)
  const { words } = await loadPdf(api, 'Fees', fee.name)
  for (const text of ['Fee receipt', 'Paid on', `${tenant.currency} 0.00`]) assert.ok(words.includes(text), words)
})

test('any other record prints with its fields and rows; a fee of many components takes more pages', async () => {
  const printed = await loadPdf(api, 'Fee Structure', structure.name)
  assert.equal(printed.status, 200)
  for (const text of ['Fee Structure', structure.name, 'Submitted', 'Tuition', '1,200.00']) {
    assert.ok(printed.words.includes(text), `${text} is missing in:\n${printed.words}`)
  }
  const components = Array.from({ length: 60 }, () => ({ fees_category: 'Tuition', amount: 1 }))
  const { words } = await loadPdf(api, 'Fees', (await aFee({ components, docstatus: 0 })).name)
  assert.match(words, /Draft/)
  assert.match(words, /Page 3 of 3/)
})

test('a PDF is made for those who may read the record: staff with a role, and the student of a fee', async () => {
  const fee = await aFee()
  const student = await asStudent()
  assert.equal((await loadPdf(student, 'Fees', fee.name)).status, 200)
  const other = await make('Student', { first_name: 'Emil', last_name: 'Noether' })
  const others = await make('Program Enrollment', {
    student: other.name,
    program: 'Physics',
    academic_year: '2026-27',
    enrollment_date: '2026-08-15',
    docstatus: 1,
  })
  const foreign = await aFee({ student: other.name, program_enrollment: others.name })
  assert.equal((await loadPdf(student, 'Fees', foreign.name)).status, 403)
  assert.equal((await loadPdf(new RecordCaller(api.address), 'Fees', fee.name)).status, 403)
  assert.equal((await loadPdf(await aRecordCaller(service, tenant, ['Instructor']), 'Fees', fee.name)).status, 403)
  assert.equal((await loadPdf(api, 'Fees', 'none')).status, 404)
  assert.equal((await loadPdf(api, 'Nonsense', 'none')).status, 404)
  const method = '/api/method/education.education.api.get_student_invoices'
  assert.equal((await student.post(method, { student: other.name })).status, 403)
})

test('the invoices of a student are submitted fees: unpaid ones with what is owed, paid ones with the day of payment', async () => {
  const open = await aFee()
  const paid = await aFee()
  await pay(paid.name)
  const { status, body } = await (await asStudent()).post('/api/method/education.education.api.get_student_invoices', {
    student: ada.name,
  })
  assert.equal(status, 200)
  const { invoices, print_format } = body.message
  assert.equal(print_format, 'Standard')
  const found = (name: string) => invoices.find(({ invoice }: { invoice: string }) => invoice === name)
  assert.match(found(open.name).amount, / 1,200\.50$/)
  assert.deepEqual(
    { ...found(open.name), amount: '' },
    { status: 'Unpaid', program: 'Physics', amount: '', invoice: open.name, payment_date: '-', due_date: today },
  )
  assert.deepEqual([found(paid.name).status, found(paid.name).due_date], ['Paid', '-'])
  assert.match(found(paid.name).payment_date, /^\d{4}-\d{2}-\d{2}$/)
  const states = invoices.map(({ status: state }: { status: string }) => state)
  assert.deepEqual(states, [...states].sort().reverse())
})

test('collect_fees says how a fee is paid', async () => {
  const { status, body } = await api.post('/api/method/education.education.api.collect_fees', { fees: 'x', amt: 1 })
  assert.deepEqual([status, body.exc_type], [417, 'ValidationError'])
  assert.match(body.exception, /v1\/payments/)
})
