import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCatalogue, aPerson, aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const seeded = await seedTenant(service)
const { resourceClient, tenant, year, program, group, students } = seeded
const [ada, alan] = students
const { studentCode: mary } = await aStudent(tenant.api, { fullName: 'Mary Somerville' })
await resourceClient.make('Academic Year', {
  academic_year_name: '2025-26',
  year_start_date: '2025-08-01',
  year_end_date: '2026-06-30',
})
await aCatalogue(service, tenant, { program: 'Midwifery', course: 'Birth' })

async function enrol(student: string, intoProgram: string, academicYear: string): Promise<void> {
  const { name } = await resourceClient.make('Program Enrollment', {
    student,
    program: intoProgram,
    academic_year: academicYear,
    enrollment_date: `${academicYear.slice(0, 4)}-08-15`,
  })
  const submitted = await resourceClient.submit('Program Enrollment', name)
  assert.equal(submitted.error, null, submitted.told)
}
await enrol(ada, 'Midwifery', '2025-26')
await enrol(ada, program, year)
await enrol(alan, program, year)
await resourceClient.make('Student Group', {
  student_group_name: 'Choir',
  academic_year: year,
  group_based_on: 'Activity',
  students: [{ student: ada }, { student: alan, active: 0 }],
})

/** The names of the students that meet a filter. */
async function listed(filter: readonly unknown[]): Promise<string[]> {
  const { data, told } = await resourceClient.list('Student', {
    filters: JSON.stringify([filter]),
    order_by: 'name asc',
  })
  assert.ok(Array.isArray(data), told)
  return data.map(({ name }: { name: string }) => name)
}

const countPath = '/api/method/frappe.desk.listview.get_group_by_count'
const manager = await aRecordCaller(service, tenant)

/** How many students have each value of a field. */
async function counted(field: string, args: object = {}): Promise<{ name: string | null; count: number }[]> {
  const { status, body, text } = await manager.post(countPath, { doctype: 'Student', field, ...args })
  assert.equal(status, 200, text)
  return body.message
}

test('students are listed by the groups that they are active in, and by the programs of their last year', async () => {
  assert.deepEqual(await listed(['_student_group', '=', group]), [ada, alan])
  assert.deepEqual(await listed(['_student_group', '=', 'Choir']), [ada])
  assert.deepEqual(await listed(['_student_group', 'in', ['Choir', group]]), [ada, alan])
  assert.deepEqual(await listed(['_student_group', '!=', 'Choir']), [alan, mary])
  assert.deepEqual(await listed(['_student_group', 'is', 'not set']), [mary])
  assert.deepEqual(await listed(['_program', '=', program]), [ada, alan])
  assert.deepEqual(await listed(['_program', '=', 'Midwifery']), [])
})

test('a list of students shows the groups of each and is sorted by them', async () => {
  const { data } = await resourceClient.list('Student', {
    fields: JSON.stringify(['name', '_student_group', '_program']),
    order_by: '_student_group desc, name asc',
  })
  assert.deepEqual(
    data.map((row: Record<string, string>) => [row.name, row._student_group ?? null, row._program ?? null]),
    [
      [alan, group, program],
      [ada, `Choir, ${group}`, program],
      [mary, null, null],
    ],
  )
})

test('students are counted by group, within the filters, and those of none beside them; the counts are those of the lists', async () => {
  const all = await counted('_student_group')
  assert.deepEqual(all, [
    { name: group, count: 2 },
    { name: 'Choir', count: 1 },
    { name: null, count: 1 },
  ])
  for (const { name, count } of all) {
    const filter = name === null ? ['_student_group', 'is', 'not set'] : ['_student_group', '=', name]
    assert.equal((await listed(filter)).length, count, String(name))
  }
  const some = await counted('_program', {
    current_filters: JSON.stringify([['_student_group', '=', 'Choir']]),
    or_filters: JSON.stringify([['student_name', 'like', '%Byron%']]),
  })
  assert.deepEqual(some, [{ name: program, count: 1 }])
})

test('what may not be read counts and filters nobody: a teacher has own groups and no programs', async () => {
  const teacher = await aPerson(service, tenant, ['Instructor'])
  const employee = await resourceClient.make('Employee', {
    first_name: 'Grace',
    gender: 'Female',
    date_of_birth: '1980-01-01',
    date_of_joining: '2020-01-01',
    user_id: teacher.email,
  })
  await resourceClient.update('Instructor', seeded.instructor, { employee: employee.name })
  const own = await teacher.caller.post(countPath, { doctype: 'Student', field: '_student_group' })
  assert.deepEqual(own.body.message, [{ name: group, count: 2 }])
  const filters = encodeURIComponent(JSON.stringify([['_student_group', '=', 'Choir']]))
  assert.deepEqual((await teacher.caller.get(`/api/resource/Student?filters=${filters}`)).body.data, [])
  const rejected = await teacher.caller.post(countPath, { doctype: 'Student', field: '_program' })
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'DataError'])
  const listedBy = encodeURIComponent(JSON.stringify([['_program', '=', program]]))
  const listedRejected = await teacher.caller.get(`/api/resource/Student?filters=${listedBy}`)
  assert.deepEqual([listedRejected.status, listedRejected.body.exc_type], [417, 'DataError'])
})
