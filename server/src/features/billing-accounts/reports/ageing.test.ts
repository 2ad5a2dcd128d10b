import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make } from '../../fees/fee-school.fixture.ts'

const service = await startTestService()
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A student who owes something by its own account. */
async function aDebtor({ api }: TestTenant, debts: readonly (readonly [number, number])[], currency = 'USD') {
  const student = (await api.post('/students', { fullName: 'Tyrone Dyer' })).body.data
  for (const [amount, days] of debts) {
    const sent = { studentId: student.id, amount, currency, description: 'Tuition', dueDate: day(-days) }
    assert.equal((await api.post('/payments', sent)).status, 201)
  }
  const account = (await api.get(`/billing/accounts?studentId=${student.id}`)).body.data[0]
  return { student, account }
}

/** Lets what was charged of a tenant have been charged so many days earlier. */
const chargedEarlier = ({ id }: TestTenant, days: number) =>
  service.database.inspect('update obligations set posted_on = posted_on - $2::int where tenant_id = $1', [id, days])

const ages = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'over90', 'total']
const amounts = (row: Record<string, unknown>) => ages.map((name) => row[name])

test('ageing: what is open stands by the days since it was due, with the bounds of each column, a row for each currency', async () => {
  const tenant = await service.tenant()
  const { account } = await aDebtor(tenant, [
    [1, -1],
    [2, 0],
    [4, 1],
    [8, 30],
    [16, 31],
    [32, 60],
    [64, 61],
    [128, 90],
    [256, 91],
  ])
  const euros = await aDebtor(tenant, [[5, 10]], 'EUR')
  const { data } = (await tenant.api.get('/billing/ageing')).body
  assert.deepEqual(
    data.map((row: Record<string, unknown>) => [row.id, row.currency, ...amounts(row)]).sort(),
    [
      [account.id, 'USD', 3, 12, 48, 192, 256, 511],
      [euros.account.id, 'EUR', 0, 5, 0, 0, 0, 5],
    ].sort(),
  )
})

test('ageing asOf a day: as it stood then, before what was received, reversed and written off later', async () => {
  const tenant = await service.tenant()
  const { account } = await aDebtor(tenant, [[100, 50]])
  await chargedEarlier(tenant, 60)
  const receipt = { accountId: account.id, receivedOn: day(-10), method: 'cash', amount: 30 }
  const { id, allocations } = (await tenant.api.post('/billing/receipts', receipt)).body.data
  assert.equal((await tenant.api.post(`/billing/receipts/${id}/reverse`, { on: day(-5) })).status, 200)
  const { paymentId } = allocations[0]
  const written = { amount: 20, reason: 'Hardship' }
  assert.equal((await tenant.api.post(`/billing/obligations/${paymentId}/write-off`, written)).status, 201)
  const asOf = async (days: number) => {
    const { data } = (await tenant.api.get(`/billing/ageing?asOf=${day(days)}`)).body
    return data.map(amounts)
  }
  assert.deepEqual(await asOf(-61), [])
  assert.deepEqual(await asOf(-60), [[100, 0, 0, 0, 0, 100]])
  assert.deepEqual(await asOf(-11), [[0, 0, 100, 0, 0, 100]])
  assert.deepEqual(await asOf(-10), [[0, 0, 70, 0, 0, 70]])
  assert.deepEqual(await asOf(-6), [[0, 0, 70, 0, 0, 70]])
  assert.deepEqual(await asOf(-5), [[0, 0, 100, 0, 0, 100]])
  assert.deepEqual(await asOf(0), [[0, 0, 80, 0, 0, 80]])
})

test('ageing by group: a student counts in each group where it is active, and in none that it left', async () => {
  const tenant = await service.tenant()
  const { student } = await aDebtor(tenant, [[100, 50]])
  const records = await aRecordCaller(service, tenant)
  await make(records, 'Academic Year', {
    ...{ academic_year_name: '2026-27', year_start_date: '2026-08-01', year_end_date: '2027-07-31' },
  })
  for (const [name, active] of [
    ['Choir', 1],
    ['Orchestra', 1],
    ['Chess', 0],
  ] as const) {
    await make(records, 'Student Group', {
      ...{ academic_year: '2026-27', group_based_on: 'Activity', student_group_name: name },
      students: [{ student: student.studentCode, active }],
    })
  }
  const { data } = (await tenant.api.get('/billing/ageing?by=group')).body
  assert.deepEqual(
    data.map(({ name, total }: Record<string, unknown>) => [name, total]),
    [
      ['Choir', 100],
      ['Orchestra', 100],
    ],
  )
})

test('ageing by program: what is open of a fee counts in its program, as in the report of fees, and what has no fee in that of the student', async () => {
  const school = await aSchool(service)
  const { tenant, records } = school
  const { api } = tenant
  await make(records, 'Program', { program_name: 'Music' })
  const enrolled = await enroll(school)
  const other = { student: enrolled.student, program: 'Music', academic_year: '2026-27', docstatus: 1 }
  const second = await make(records, 'Program Enrollment', { ...other, enrollment_date: '2026-08-15' })
  const charge = (enrollment: string, amount: number, days: number) =>
    make(records, 'Fees', {
      ...feeFields(school, { ...enrolled, enrollment }, { docstatus: 1 }),
      ...{ posting_date: day(-100), due_date: day(-days), components: [{ fees_category: 'Tuition', amount }] },
    })
  await charge(enrolled.enrollment, 1000, 95)
  await charge(enrolled.enrollment, 200, 10)
  await charge(second.name, 300, 40)
  const programs = (await api.get('/programs')).body.data as { id: string; name: string }[]
  const music = programs.find(({ name }) => name === 'Music')?.id
  const found = (await api.get(`/students?studentCode=${enrolled.student}`)).body.data[0]
  assert.equal((await api.patch(`/students/${found.id}`, { programId: music })).status, 200)
  const pay = { accountId: (await api.get(`/billing/accounts?studentId=${found.id}`)).body.data[0].id, amount: 50 }
  assert.equal((await api.post('/billing/receipts', { ...pay, receivedOn: day(0), method: 'cash' })).status, 201)
  const read = async () => {
    const { data } = (await api.get('/billing/ageing?by=program')).body
    return data.map((row: Record<string, unknown>) => [row.name, ...amounts(row)])
  }
  assert.deepEqual(await read(), [
    ['Music', 0, 0, 300, 0, 0, 300],
    ['Physics', 0, 200, 0, 0, 950, 1150],
  ])
  const filters = { from_date: day(-365), to_date: day(0) }
  const asked = { report_name: 'Program wise Fee Collection', filters }
  const report = (await records.post('/api/method/frappe.desk.query_report.run', asked)).body.message.result
  assert.deepEqual(
    report.slice(0, -1).map((row: Record<string, unknown>) => [row.program, row.outstanding_amount]),
    [
      ['Physics', 1150],
      ['Music', 300],
    ],
  )
  const sent = { amount: 7, currency: 'USD', description: 'Trip', dueDate: day(1) }
  const none = (await api.post('/students', { fullName: 'Without Program' })).body.data
  for (const studentId of [found.id, none.id])
    assert.equal((await api.post('/payments', { ...sent, studentId })).status, 201)
  assert.deepEqual(await read(), [
    ['Music', 7, 0, 300, 0, 0, 307],
    ['Physics', 0, 200, 0, 0, 950, 1150],
  ])
})
