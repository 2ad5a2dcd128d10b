import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPipeline, type MadeDemo, makeDemo } from './demo.fixture.ts'

const tables = [
  'programs',
  'courses',
  'program_courses',
  'students',
  'contacts',
  'student_contacts',
  'admission_applications',
  'application_contacts',
  'application_moves',
  'payments',
]
const orderedTables = ['programs', 'courses', 'students', 'admission_applications', 'payments']
const size = { students: 600, payments: 4000 }
const demo = await makeDemo(size)
/** What is made again and again to compare it. */
const smallSize = { students: 100, payments: 600 }
const small = await makeDemo(smallSize)

function contents(made: MadeDemo): Record<string, unknown> {
  return Object.fromEntries(tables.map((table) => [table, made.rows(table)]))
}

/** The rows without what is or names an id. */
function withoutIds(made: MadeDemo): Record<string, unknown> {
  return Object.fromEntries(
    tables.map((table) => [
      table,
      made
        .rows(table)
        .map((row) =>
          Object.fromEntries(Object.entries(row).filter(([column]) => !/^id$|(?<!external)_id$/.test(column))),
        ),
    ]),
  )
}

test('the same seed on the same day makes the same rows, and another seed makes others', async () => {
  assert.deepEqual(contents(await makeDemo({ ...smallSize, now: '2026-11-21T23:00:00Z' })), contents(small))
  const other = await makeDemo({ ...smallSize, seed: 2 })
  assert.notDeepEqual(withoutIds(other), withoutIds(small))
})

test('tenants with other slugs share everything but their ids', async () => {
  const other = await makeDemo({ ...smallSize, slug: 'other' })
  assert.deepEqual(withoutIds(other), withoutIds(small))
  const ids = new Set(tables.flatMap((table) => small.rows(table).map(({ id }) => id)))
  for (const table of tables) for (const { id } of other.rows(table)) assert.ok(!ids.has(id))
})

test('no id occurs twice, and the records of a list grow by stamp and by id together', () => {
  const ids = tables.flatMap((table) => demo.rows(table).map(({ id }) => id as string))
  assert.equal(new Set(ids).size, ids.length)
  for (const table of orderedTables) {
    const rows = demo.rows(table)
    for (const [index, row] of rows.slice(1).entries()) {
      const before = rows[index] as typeof row
      assert.ok((before.created_at as string) < (row.created_at as string), table)
      assert.ok((before.id as string) < (row.id as string), table)
    }
  }
})

test('records were made in the eighteen months before the last midnight and not changed before they were made', () => {
  for (const table of tables.filter((name) => !['program_courses', 'application_moves'].includes(name))) {
    for (const { created_at: createdAt, updated_at: updatedAt } of demo.rows(table) as Record<string, string>[]) {
      assert.ok(createdAt !== undefined && updatedAt !== undefined)
      assert.ok(createdAt >= '2025-05-22T00:00:00.000Z' && createdAt <= updatedAt, table)
      assert.ok(updatedAt < '2026-11-21T00:00:00.000Z', `${table} ${updatedAt}`)
    }
  }
})

test('every status of every list occurs, also in a small demo', async () => {
  const statuses = {
    students: ['active', 'inactive', 'graduated', 'withdrawn', 'suspended'],
    admission_applications: defaultPipeline.map(({ key }) => key),
    payments: ['pending', 'paid', 'overdue', 'cancelled', 'refunded'],
    programs: ['active', 'inactive', 'archived'],
    courses: ['active', 'inactive', 'archived'],
  }
  for (const made of [demo, await makeDemo({ students: 60, payments: 500 })]) {
    for (const [table, expected] of Object.entries(statuses)) {
      assert.deepEqual(new Set(made.rows(table).map(({ status }) => status)), new Set(expected), table)
    }
  }
})

test('stamps of a payment agree with its status', () => {
  for (const row of demo.rows('payments') as Record<string, string | null>[]) {
    const { status, created_at: createdAt, due_date: dueDate, paid_at: paidAt } = row
    assert.equal(paidAt !== null, status === 'paid' || status === 'refunded')
    if (paidAt !== null) assert.ok((paidAt as string) >= (createdAt as string) && (paidAt as string) < '2026-11-21')
    if (status === 'pending') assert.ok((dueDate as string) >= '2026-11-23')
    if (status === 'overdue') assert.ok((dueDate as string) < '2026-11-20')
    assert.match(dueDate as string, /T00:00:00\.000Z$/)
  }
})

test('payments are for students who were there, and every student has some', () => {
  const students = new Map(demo.rows('students').map((row) => [row.id, row]))
  const charged = new Set<unknown>()
  for (const { student_id: studentId, created_at: createdAt } of demo.rows('payments')) {
    assert.ok((students.get(studentId)?.created_at as string) < (createdAt as string))
    charged.add(studentId)
  }
  assert.equal(charged.size, students.size)
})

test('nobody is charged twice for the same month of the same thing', () => {
  const regular = demo
    .rows('payments')
    .filter(({ description }) => /^(Tuition|School transport|Lunches)/.test(description as string))
  const seen = new Set(regular.map(({ student_id: student, description }) => `${student} ${description}`))
  assert.equal(seen.size, regular.length)
})

test('amounts have two decimals at most and fit the currency', async () => {
  for (const currency of ['USD', 'COP', 'JPY', 'XTS']) {
    const made = await makeDemo({ students: 20, payments: 200, currency })
    for (const { amount } of made.rows('payments') as { amount: number }[]) {
      assert.ok(amount > 0)
      assert.match(String(amount), /^\d+(\.\d{1,2})?$/)
    }
  }
})

test('siblings share surname and address, and are called differently', () => {
  const byContact = new Map<unknown, Set<unknown>>()
  for (const { contact_id: contact, student_id: student } of demo.rows('student_contacts')) {
    byContact.set(contact, (byContact.get(contact) ?? new Set()).add(student))
  }
  const students = new Map(demo.rows('students').map((row) => [row.id, row]))
  const families = [...byContact.values()].filter((members) => members.size > 1)
  assert.ok(families.length > 50)
  for (const members of families) {
    const siblings = [...members].map((id) => students.get(id)) as Record<string, string | null>[]
    assert.equal(new Set(siblings.map(({ full_name: name }) => name)).size, siblings.length)
    assert.equal(new Set(siblings.map(({ city }) => city)).size, 1)
    const surnames = siblings.map(({ family_names: names }) =>
      names?.replace(/ska$/, 'ski').replace(/cka$/, 'cki').replace(/dzka$/, 'dzki'),
    )
    assert.equal(new Set(surnames.filter((name) => name !== undefined)).size <= 1, true, surnames.join())
  }
})

test('ages fit the level of the program', () => {
  const levels = new Map(demo.rows('programs').map((row) => [row.id, row.education_level as string]))
  const bounds: Record<string, [number, number]> = {
    preschool: [3, 6],
    primary: [6, 12],
    lower_secondary: [12, 15],
    upper_secondary: [15, 18],
    vocational: [17, 41],
    undergraduate: [18, 27],
    graduate: [22, 51],
  }
  for (const row of demo.rows('students') as Record<string, string | null>[]) {
    if (row.status !== 'active' || row.date_of_birth === null) continue
    const [year] = (row.academic_year as string).split('-')
    const age = (Date.parse(`${year}-09-02`) - Date.parse(row.date_of_birth as string)) / (365.25 * 86_400_000)
    const [youngest, oldest] = bounds[levels.get(row.program_id) as string] as [number, number]
    assert.ok(age >= youngest - 0.01 && age < oldest + 0.01, `${levels.get(row.program_id)} ${age}`)
  }
})

test('a demo without payments, without students, with one student, or without a pipeline can be made', async () => {
  assert.equal((await makeDemo({ students: 30, payments: 0 })).counts.payments, 0)
  const none = await makeDemo({ students: 0, payments: 100 })
  assert.deepEqual([none.counts.students, none.counts.applications, none.counts.payments], [0, 0, 0])
  for (const students of [1, 2, 3, 7, 11]) {
    const few = await makeDemo({ students, payments: 40 })
    assert.deepEqual([few.counts.students, few.counts.payments], [students, 40])
  }
  assert.equal((await makeDemo({ students: 30, payments: 10, pipeline: [] })).counts.applications, 0)
})

test('a demo can be made on any day of the year and with any seed', async () => {
  for (let month = 1; month <= 12; month += 1) {
    const now = `${2024 + (month % 5)}-${String(month).padStart(2, '0')}-28T12:00:00Z`
    const made = await makeDemo({ students: 30, payments: 100, seed: month * 7919 - 20_000, now })
    assert.equal(made.counts.students, 30)
    for (const row of made.rows('payments')) assert.ok((row.updated_at as string) < now)
  }
})

test('every student has results of examinations on any day of the year, after the record was made', async () => {
  for (const day of [
    '01-02',
    '02-10',
    '03-01',
    '04-20',
    '05-31',
    '07-01',
    '08-05',
    '09-01',
    '09-14',
    '10-01',
    '12-27',
  ]) {
    const made = await makeDemo({ students: 40, payments: 50, now: `2027-${day}T09:00:00Z` })
    const results = made.rows('assessment_results')
    const examined = new Set(results.map(({ student }) => student))
    for (const { student_code: code, status } of made.rows('students')) {
      assert.ok(examined.has(code), `${day} ${code} ${status}`)
    }
    const since = new Map(made.rows('students').map((row) => [row.student_code, row.created_at as string]))
    for (const table of ['assessment_results', 'student_attendances', 'program_enrollments']) {
      for (const { student, created_at: createdAt } of made.rows(table)) {
        assert.ok((since.get(student) as string) < (createdAt as string), `${day} ${table} ${student}`)
        assert.ok((createdAt as string) < `2027-${day}`, `${day} ${table} ${createdAt}`)
      }
    }
  }
})
