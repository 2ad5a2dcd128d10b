import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { aPayment } from '../../testing/fixtures/factories.ts'
import { printedText } from '../../testing/fixtures/files/printed-text.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { overdueJob } from '../payments/index.ts'
import { aSchool, enroll, feeFields, make, type School } from './fee-school.fixture.ts'

const service = await startTestService()

/** Sets the clock of this process and of its service. The database keeps its own. */
function itIs(moment: string): void {
  mock.timers.reset()
  mock.timers.enable({ apis: ['Date'], now: Date.parse(moment) })
}

afterEach(() => mock.timers.reset())

/** Half an hour before the local midnight that ends 31 March 2026, and half an hour after it. */
const midnights = [
  { timeZone: 'America/Los_Angeles', before: '2026-04-01T06:30:00Z', after: '2026-04-01T07:30:00Z' },
  { timeZone: 'Pacific/Kiritimati', before: '2026-03-31T09:30:00Z', after: '2026-03-31T10:30:00Z' },
] as const

async function loadLines({ records }: School, voucher: string) {
  const fields = JSON.stringify(['posting_date', 'fiscal_year', 'debit', 'name'])
  const filters = JSON.stringify({ voucher_no: voucher })
  const { body } = await records.get(
    `/api/resource/GL Entry?limit_page_length=0&order_by=name&fields=${fields}&filters=${filters}`,
  )
  return body.data as { posting_date: string; fiscal_year: string; debit: number; name: string }[]
}

const days = (lines: Awaited<ReturnType<typeof loadLines>>) =>
  lines.map(({ posting_date, fiscal_year }) => `${posting_date} ${fiscal_year}`)

async function aFeeOfToday(school: School, fields = {}) {
  const { posting_date: _, ...fee } = feeFields(school, await enroll(school))
  return make(school.records, 'Fees', { ...fee, due_date: '2026-04-30', docstatus: 1, ...fields })
}

async function loadPaymentId({ tenant }: School, fee: string): Promise<string> {
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from payments where tenant_id = $1 and fee = $2',
    [tenant.id, fee],
  )
  return row?.id ?? ''
}

for (const { timeZone, before, after } of midnights) {
  test(`in ${timeZone}: fees, payments and refunds have the local day and fiscal year`, async () => {
    itIs(before)
    const school = await aSchool(service, { timeZone })
    await school.records.put('/api/resource/Education Settings/Education Settings', {
      fiscal_year_first_month: 'April',
    })
    const fee = await aFeeOfToday(school)
    assert.equal(fee.posting_date, '2026-03-31')
    assert.deepEqual(days(await loadLines(school, fee.name)), ['2026-03-31 2025-2026', '2026-03-31 2025-2026'])
    const payment = await loadPaymentId(school, fee.name)
    const patch = (body: object) => school.tenant.api.patch(`/payments/${payment}`, body)
    assert.equal((await patch({ status: 'paid' })).status, 200)
    assert.deepEqual(days(await loadLines(school, payment)), ['2026-03-31 2025-2026', '2026-03-31 2025-2026'])

    itIs(after)
    const invoices = await school.records.get(
      `/api/method/education.education.api.get_student_invoices?student=${fee.student}`,
    )
    assert.equal(invoices.body.message.invoices[0].payment_date, '2026-03-31')
    const receipt = await school.records.get(
      `/api/method/frappe.utils.print_format.download_pdf?doctype=Fees&name=${fee.name}`,
    )
    const printed = printedText(receipt.bytes)
    assert.match(printed, /Paid on\s*2026-03-31/)
    assert.match(printed, /made on 2026-04-01 00:30/)

    assert.equal((await patch({ status: 'refunded' })).status, 200)
    const refunded = days(await loadLines(school, payment))
    assert.deepEqual(refunded.slice(2), ['2026-04-01 2026-2027', '2026-04-01 2026-2027'])
    const next = await aFeeOfToday(school, { naming_series: 'F-.FY.-.###' })
    assert.deepEqual([next.posting_date, next.name], ['2026-04-01', 'F-2026-2027-001'])
    assert.equal((await patch({ status: 'paid', paidAt: before })).status, 200)
    assert.deepEqual(days(await loadLines(school, payment)).slice(4), Array(2).fill('2026-03-31 2025-2026'))
  })

  test(`in ${timeZone}: a payment is overdue after its local day, for dates and timestamps`, async () => {
    const tenant = await service.tenant({ timeZone, systemOfRecord: { payments: 'shared' } })
    const dues = ['2026-03-31', before, '2026-04-01', after]
    const made = await Promise.all(dues.map((dueDate) => aPayment(tenant.api, { dueDate } as object)))
    const statuses = async () => {
      await overdueJob.run(service.data, tenant)
      const read = await Promise.all(made.map(({ id }) => tenant.api.get(`/payments/${id}`)))
      return read.map(({ body }) => body.data.status)
    }
    itIs(before)
    assert.deepEqual(await statuses(), ['pending', 'pending', 'pending', 'pending'])
    itIs(after)
    assert.deepEqual(await statuses(), ['overdue', 'overdue', 'pending', 'pending'])
    itIs(new Date(Date.parse(after) + 86_400_000).toISOString())
    assert.deepEqual(await statuses(), ['overdue', 'overdue', 'overdue', 'overdue'])
  })
}

test('fiscal years: by default the calendar year', async () => {
  itIs('2026-12-31T23:30:00Z')
  const school = await aSchool(service, { timeZone: 'Europe/Madrid' })
  const fee = await aFeeOfToday(school)
  assert.deepEqual(days(await loadLines(school, fee.name)), ['2027-01-01 2027', '2027-01-01 2027'])
  assert.ok((await loadLines(school, fee.name)).every(({ name }) => name.startsWith('ACC-GLE-2027-')))
  const wrong = await school.records.put('/api/resource/Education Settings/Education Settings', {
    fiscal_year_first_month: 'Brumaire',
  })
  assert.deepEqual([wrong.status, wrong.body.exc_type], [417, 'ValidationError'])
})
