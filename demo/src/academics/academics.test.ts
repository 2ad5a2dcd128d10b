import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTypes } from '@matricula/contract/record-types'
import { clientOptions } from '@matricula/server/database/index'
import { rootAssessmentGroup } from '@matricula/server/features/assessment/index'
import { getTable } from '@matricula/server/record-engine/index'
import { aRecordCaller } from '@matricula/server/testing/fixtures/factories'
import { startTestService, type TestTenant } from '@matricula/server/testing/fixtures/test-service'
import pg from 'pg'
import { fillDemoTenant } from '../demo-tenant.ts'

const service = await startTestService()
const { connection, inspect } = service.database
const tenant = await service.tenant({ timeZone: 'America/Bogota', currency: 'COP' })
const size = { students: 120, payments: 1500, seed: 1 }
const counts = await fillDemoTenant(connection, tenant, size, service.files.store, () => {})
const api = await aRecordCaller(service, tenant)

function loadRows<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return inspect<Row>(text, [tenant.id, ...values])
}

async function loadNames(type: string, limit = 4, order = 'modified desc', filters: object = {}): Promise<string[]> {
  const asked = `limit_page_length=${limit}&order_by=${order}&filters=${encodeURIComponent(JSON.stringify(filters))}`
  const { body, text } = await api.get(`/api/resource/${type}?${asked}`)
  assert.ok(Array.isArray(body.data), text)
  return body.data.map(({ name }: { name: string }) => name)
}

const getAddress = (type: string, name: string) => `/api/resource/${type}/${encodeURIComponent(name)}`

/**
 * What comes of the work of people: uploads, fields that an institution misses, corrections, and report cards that are issued;
 * and the billing accounts of payments, with their invoices and receipts, which the service makes when it takes the payments over.
 */
const madeLater = new Set([
  ...['File', 'Custom Field', 'Mark Correction', 'Issued Report Card'],
  ...['Customer', 'Sales Invoice', 'Payment Entry'],
])

test('every record type has records, but for those that come later', async () => {
  for (const { name, kind } of recordTypes) {
    if (kind === 'single' || madeLater.has(name)) continue
    assert.ok((await loadNames(name, 1)).length === 1, name)
  }
})

/** Records of a type: the newest, the oldest and those that are submitted, since what is stored differs with age and status. */
async function loadSamples(type: string): Promise<string[]> {
  const orders = ['modified desc', 'creation asc', 'docstatus desc']
  const names = await Promise.all(orders.map((order) => loadNames(type, 4, order)))
  return [...new Set(names.flat())]
}

test('a record of any type can be sent back as it was read: it is accepted, changes nothing and leaves no trace', async () => {
  const secret = await api.put(getAddress('Education Settings', 'Education Settings'), { razorpay_secret: 'hidden' })
  assert.equal(secret.status, 200, secret.text)
  // A moment with a fraction that ends with zeros, and a time with one.
  const owner = new pg.Client(clientOptions(connection, 'owner'))
  await owner.connect()
  await owner.query("update course_activities set activity_date = activity_date + interval '120 milliseconds'")
  await owner.query("update assessment_plans set to_time = to_time + interval '500 milliseconds'")
  await owner.end()
  const incomplete = new Set<string>()
  // A single record is there from its first save on. A tool that nobody filled in yet lacks what it needs, and nothing else.
  for (const { name, kind } of recordTypes) {
    if (kind !== 'single') continue
    const read = await api.get(getAddress(name, name))
    const saved = await api.put(getAddress(name, name), read.body.data)
    if (saved.status !== 200) assert.equal(saved.body.exc_type, 'MandatoryError', saved.text)
    if (saved.status !== 200) incomplete.add(name)
  }
  assert.ok(!incomplete.has('Education Settings'))
  const traces = () =>
    loadRows(`select (select count(*) from audit_entries where tenant_id = $1) as audit,
                   (select count(*) from events where tenant_id = $1) as events`)
  const before = await traces()
  let saved = 0
  for (const { name: type, kind } of recordTypes) {
    // The service alone writes the ledger, and keeps tags by methods of their own.
    if (type === 'GL Entry' || type === 'Tag Link' || incomplete.has(type)) continue
    const names = kind === 'single' ? [type] : await loadSamples(type)
    for (const name of names) {
      // The root of the tree has no parent, and is not the demo's.
      if (name === rootAssessmentGroup) continue
      const { body, text } = await api.get(getAddress(type, name))
      assert.ok(body.data, `${type} ${name}: ${text}`)
      const response = await api.put(getAddress(type, name), body.data)
      assert.equal(response.status, 200, `${type} ${name}: ${response.text}`)
      assert.deepEqual(response.body.data, body.data, `${type} ${name}`)
      // The same by the methods, which give and take what is not set as null.
      const whole = await api.get(`/api/method/frappe.client.get?doctype=${type}&name=${encodeURIComponent(name)}`)
      const again = await api.post('/api/method/frappe.client.save', { doc: whole.body.message })
      assert.equal(again.status, 200, `${type} ${name}: ${again.text}`)
      assert.deepEqual(again.body.message, whole.body.message, `${type} ${name}`)
      saved += 1
    }
  }
  assert.ok(saved > 200)
  assert.deepEqual(await traces(), before)
  const { body } = await api.get(getAddress('Education Settings', 'Education Settings'))
  assert.equal(body.data.razorpay_secret, '******')
})

test('what was submitted could be submitted again by the rules, and would become the same', async () => {
  const owner = new pg.Client(clientOptions(connection, 'owner'))
  await owner.connect()
  try {
    // Whoever has left since was in the group when it was submitted.
    await owner.query('update student_groups_students set active = 1 where tenant_id = $1', [tenant.id])
    // Who is suspended or inactive is marked by nobody today.
    const here = await loadNames('Student', 50, 'name asc', {
      enabled: 1,
      date_of_leaving: ['is', 'not set'],
    })
    const ofStudents = {
      'Student Attendance': { student: ['in', here] },
      'Student Leave Application': { student: ['in', here] },
    }
    for (const type of [
      'Grading Scale',
      'Program Enrollment',
      'Student Attendance',
      'Student Leave Application',
      'Fee Structure',
      'Assessment Plan',
      'Assessment Result',
    ]) {
      for (const name of await loadNames(type, 6, 'modified desc', ofStudents[type as keyof typeof ofStudents])) {
        const before = (await api.get(getAddress(type, name))).body.data
        const table = getTable({ name: type })
        await owner.query(`update ${table} set docstatus = 0 where tenant_id = $1 and name = $2`, [tenant.id, name])
        const response = await api.put(getAddress(type, name), { docstatus: 1 })
        assert.equal(response.status, 200, `${type} ${name}: ${response.text}`)
        assert.deepEqual(withoutStamps(response.body.data), withoutStamps(before), `${type} ${name}`)
      }
    }
  } finally {
    await owner.end()
  }
})

function withoutStamps(record: object): unknown {
  return JSON.parse(
    JSON.stringify(record, (key, value) => (/^(modified|modified_by|docstatus)$/.test(key) ? undefined : value)),
  )
}

interface Card {
  readonly academic_year: string
  readonly courses: readonly { assessments: readonly { details: readonly object[] }[] }[]
  readonly attendance: { readonly total: number; readonly percentage: number | null }
  readonly summary: { readonly percentage: number; readonly grade: string }
}

/** The report cards of all students of a tenant, by their codes, with what their records say of them. */
async function reportCards(of: TestTenant) {
  const caller = await aRecordCaller(service, of)
  const path = '/api/method/education.education.report_card.get_student_report_card'
  const students = await service.database.inspect<{ code: string; status: string; year: string; days: number }>(
    `select student_code as code, status, academic_year as year,
            extract(day from now() - enrolled_at)::integer as days
       from students where tenant_id = $1 order by student_code`,
    [of.id],
  )
  const cards: ((typeof students)[0] & { readonly card: Card })[] = []
  for (const student of students) {
    const { status, body, text } = await caller.get(`${path}?student=${student.code}`)
    assert.equal(status, 200, text)
    cards.push({ ...student, card: body.message })
  }
  return cards
}

const getShare = (all: readonly unknown[], some: readonly unknown[]) => some.length / all.length

test('every student has a report card with courses, attendance and a grade, also who graduated or left', async () => {
  const cards = await reportCards(tenant)
  assert.equal(cards.length, size.students)
  for (const { code, status, year, days, card } of cards) {
    const reported = `${code}, ${status}: ${JSON.stringify(card).slice(0, 300)}`
    assert.ok(card.courses.length > 0 && card.courses.every(({ assessments }) => assessments[0]?.details[0]), reported)
    assert.match(card.summary.grade, /^[A-F]\+?$/, reported)
    if (status === 'graduated' || status === 'withdrawn') assert.equal(card.academic_year, year, reported)
    assert.ok(card.attendance.total >= 5 || days < 14, reported)
  }
  assert.deepEqual(
    new Set(cards.map(({ status }) => status)),
    new Set(['active', 'inactive', 'graduated', 'withdrawn', 'suspended']),
  )
})

test('grades and attendance differ as they do in schools', async () => {
  const cards = (await reportCards(tenant)).map(({ card }) => card)
  const grades = new Set(cards.map(({ summary }) => summary.grade))
  assert.ok(grades.size >= 4, [...grades].join(' '))
  assert.ok(cards.every(({ summary: { percentage } }) => percentage >= 30 && percentage <= 100))
  const regular = cards.filter(({ attendance: { percentage } }) => (percentage ?? 0) >= 85)
  assert.ok(getShare(cards, regular) > 0.7 && getShare(cards, regular) < 1)
})

test('every active student is enrolled in program and year', async () => {
  const wrong = await loadRows(`
    select s.student_code from students s join programs p on p.tenant_id = s.tenant_id and p.id = s.program_id
     where s.tenant_id = $1 and s.status = 'active' and not exists (
             select from program_enrollments e
              where e.tenant_id = s.tenant_id and e.student = s.student_code and e.program = p.name
                and e.academic_year = s.academic_year and e.docstatus = 1)`)
  assert.deepEqual(wrong, [])
})

test('the ledger balances, and what is owed of a fee is what its lines leave and its payment says', async () => {
  assert.ok(counts.fees > 20)
  const unbalanced = await loadRows(`
    select voucher_no from gl_entries where tenant_id = $1
     group by voucher_type, voucher_no having sum(debit) <> sum(credit)`)
  assert.deepEqual(unbalanced, [])
  const fees = await loadRows<{ owed: number; left: number; status: string; amount: number; grand_total: number }>(`
    select f.outstanding_amount as owed, f.grand_total, p.status, p.amount,
           (select sum(g.debit - g.credit) from gl_entries g
             where g.tenant_id = $1 and g.against_voucher_type = 'Fees' and g.against_voucher = f.name
               and g.account = f.receivable_account) as left
      from fees f left join payments p on p.tenant_id = $1 and p.fee = f.name
     where f.tenant_id = $1`)
  assert.equal(fees.length, counts.fees)
  for (const { owed, left, status, amount, grand_total: total } of fees) {
    assert.deepEqual([Number(owed), Number(amount)], [Number(left), Number(total)])
    assert.equal(Number(owed) === 0, status === 'paid')
  }
  assert.ok(fees.some(({ status }) => status === 'paid') && fees.some(({ status }) => status !== 'paid'))
})

test('a payment of a fee that is paid now settles it', async () => {
  const [open] = await loadRows<{ id: string; fee: string }>(`
    select id, fee from payments where tenant_id = $1 and fee is not null and status in ('pending', 'overdue') limit 1`)
  assert.ok(open !== undefined)
  assert.equal((await tenant.api.patch(`/payments/${open.id}`, { status: 'paid' })).status, 200)
  assert.equal((await api.get(getAddress('Fees', open.fee))).body.data.outstanding_amount, 0)
})

test('nobody and no room is in two places at once', async () => {
  for (const [table, columns] of [
    ['course_schedules', ['student_group', 'instructor', 'room']],
    ['assessment_plans', ['student_group', 'supervisor', 'room']],
  ] as const) {
    for (const column of columns) {
      const clashes = await loadRows(`
        select a.name from ${table} a join ${table} b
            on b.tenant_id = a.tenant_id and b.${column} = a.${column} and b.schedule_date = a.schedule_date
           and b.name <> a.name and b.from_time < a.to_time and a.from_time < b.to_time
         where a.tenant_id = $1 limit 1`)
      assert.deepEqual(clashes, [], `${table} ${column}`)
    }
  }
})

test('nobody is taught or marked on holidays, weekends, or days to come', async () => {
  for (const [table, column] of [
    ['student_attendances', 'date'],
    ['course_schedules', 'schedule_date'],
  ]) {
    const wrong = await loadRows(`
      select t.name from ${table} t
       where t.tenant_id = $1 and (extract(isodow from t.${column}) > 5 or exists (
             select from holiday_lists_holidays h where h.tenant_id = t.tenant_id and h.holiday_date = t.${column}))
       limit 1`)
    assert.deepEqual(wrong, [], table)
  }
  const [marked] = await loadRows<{ future: number; statuses: string[] }>(`
    select count(*) filter (where date >= current_date) as future, array_agg(distinct status) as statuses
      from student_attendances where tenant_id = $1`)
  assert.deepEqual([marked?.future, new Set(marked?.statuses)], [0, new Set(['Present', 'Absent', 'Leave'])])
})

test('the next record of a series gets the next name', async () => {
  const [last] = await loadRows<{ last: string }>('select max(name) as last from employees where tenant_id = $1')
  const made = await api.post('/api/resource/Employee', { first_name: 'Ada', last_name: 'Byron' })
  assert.equal(made.status, 200, made.text)
  assert.equal(Number(made.body.data.name.slice(-5)), Number(last?.last.slice(-5)) + 1)
  const [member] = await loadRows<{ student: string }>(
    'select student from student_groups_students where tenant_id = $1 order by student limit 1',
  )
  const log = await api.post('/api/resource/Student Log', { student: member?.student, log: 'A note.' })
  assert.equal(log.status, 200, log.text)
})

test('a large demo tells the whole term of 500 students, and of each other one examinations and the days before', async () => {
  const large = await service.tenant()
  const sizeOfLarge = { students: 700, payments: 0, seed: 2 }
  await fillDemoTenant(connection, large, sizeOfLarge, service.files.store, () => {})
  const [shown] = await inspect<{ count: number }>(
    `select count(distinct m.student) as count
       from student_groups g join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
      where g.tenant_id = $1 and g.batch is not null`,
    [large.id],
  )
  assert.equal(shown?.count, 500)
  const cards = await reportCards(large)
  assert.equal(cards.length, sizeOfLarge.students)
  for (const { code, days, card } of cards) {
    assert.ok(card.courses.length > 0 && (card.attendance.total > 0 || days < 14), code)
  }
})
