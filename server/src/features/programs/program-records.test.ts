import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrongTotals } from '../../testing/fixtures/database/wrong-totals.ts'
import { aCatalogue, aStudent, getOperator } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { importCourse } from '../courses/index.ts'
import { importProgram } from './program-import.ts'

const service = await startTestService()

async function loadResourceClient(
  settings: object = {},
): Promise<{ tenant: TestTenant; resourceClient: ResourceClient }> {
  const tenant = await service.tenant(settings)
  return { tenant, resourceClient: new ResourceClient(service, tenant) }
}

async function onlyProgram(tenant: TestTenant) {
  const { body, headers } = await tenant.api.get('/programs')
  assert.equal(body.pagination.total, 1)
  const { headers: own } = await tenant.api.get(`/programs/${body.data[0].id}`)
  return { program: body.data[0], etag: own.get('etag'), watermark: headers.get('sync-watermark') }
}

test('a program made on the Resource API is at once complete on the Client API, counted and told', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  await resourceClient.make('Course', { course_name: 'Anatomy', description: 'Bones' })
  await resourceClient.make('Program', { program_name: 'Nursing', courses: [{ course: 'Anatomy' }] })
  const { program } = await onlyProgram(tenant)
  assert.deepEqual([program.name, program.status, program.courseCount, program.code], ['Nursing', 'active', 1, ''])
  const { body } = await tenant.api.get(`/courses?programId=${program.id}`)
  assert.deepEqual([body.data[0].name, body.data[0].description, body.pagination.total], ['Anatomy', 'Bones', 1])
  assert.deepEqual(body.data[0].programs, [{ id: program.id, name: 'Nursing' }])
  assert.equal((await tenant.api.get('/programs?search=nurs')).body.pagination.total, 1)
  assert.deepEqual((await tenant.traces(program.id)).events, ['program.created'])
  assert.deepEqual((await tenant.traces(body.data[0].id)).audit, ['course.created', 'course.updated'])
})

test('what an import of the Client API side made reads as Program and Course, with its rows', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  await aCatalogue(service, tenant)
  const { data } = await resourceClient.read('Program', 'Nursing')
  assert.deepEqual([data.program_name, data.owner, data.docstatus], ['Nursing', 'Administrator', 0])
  const [row] = data.courses
  assert.deepEqual([row.course, row.course_name, row.required, row.idx], ['Anatomy', 'Anatomy', 1, 1])
  assert.match(row.name, /^[0-9a-v]{10}$/)
  assert.equal((await resourceClient.read('Course', 'Anatomy')).data.description, null)
})

test('a change on the Resource API moves version, stamp and event of the Client API; one that changes nothing moves none', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const { programId } = await aCatalogue(service, tenant)
  const before = await onlyProgram(tenant)
  await resourceClient.make('Department', { department_name: 'Health' })
  assert.equal((await resourceClient.update('Program', 'Nursing', { department: 'Health' })).error, null)
  const after = await onlyProgram(tenant)
  assert.notEqual(after.etag, before.etag)
  assert.ok(after.program.updatedAt > before.program.updatedAt)
  assert.equal((await resourceClient.update('Program', 'Nursing', { department: 'Health' })).error, null)
  assert.deepEqual(await onlyProgram(tenant).then(({ etag }) => etag), after.etag)
  const { audit, events } = await tenant.traces(programId)
  assert.deepEqual([audit.at(-1), events.filter((type) => type === 'program.updated').length], ['program.updated', 2])
})

test('courses of a program are added, reordered, kept by name and taken away, and each reads so on the Client API', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const { courseId } = await aCatalogue(service, tenant)
  await resourceClient.make('Course', { course_name: 'Ethics' })
  const { data } = await resourceClient.read('Program', 'Nursing')
  const [anatomy] = data.courses
  const etag = (await tenant.api.get(`/courses/${courseId}`)).headers.get('etag')
  const more = await resourceClient.update('Program', 'Nursing', {
    courses: [{ course: 'Ethics', required: 0 }, anatomy],
  })
  assert.equal(more.error, null, more.told)
  assert.deepEqual(
    more.data.courses.map((row: { course: string; required: number; idx: number }) => [
      row.course,
      row.required,
      row.idx,
    ]),
    [
      ['Ethics', 0, 1],
      ['Anatomy', 1, 2],
    ],
  )
  assert.equal(more.data.courses[1].name, anatomy.name)
  assert.equal((await tenant.api.get(`/courses/${courseId}`)).headers.get('etag') === etag, false)
  assert.equal((await resourceClient.update('Program', 'Nursing', { courses: [] })).error, null)
  const { body } = await tenant.api.get(`/courses/${courseId}`)
  assert.deepEqual(body.data.programs, [])
  assert.equal((await tenant.traces(courseId)).events.at(-1), 'course.updated')
})

type CourseRow = { name: string; course: string; required: number; idx: number }

test('rows of courses have the names that all rows have, and keep them while they are sent', async () => {
  const { resourceClient } = await loadResourceClient()
  for (const name of ['Anatomy', 'Ethics']) await resourceClient.make('Course', { course_name: name })
  const made = await resourceClient.make('Program', { program_name: 'Nursing', courses: [{ course: 'Anatomy' }] })
  const [first] = made.courses as CourseRow[]
  assert.match(first?.name ?? '', /^[0-9a-v]{10}$/)
  assert.deepEqual(
    (await resourceClient.read('Program', 'Nursing')).data.courses.map(({ name }: CourseRow) => name),
    [first?.name],
  )
  const changed = await resourceClient.update('Program', 'Nursing', { courses: [{ ...first, course: 'Ethics' }] })
  assert.deepEqual(
    changed.data.courses.map(({ name, course }: CourseRow) => [name, course]),
    [[first?.name, 'Ethics']],
  )
  const replaced = await resourceClient.update('Program', 'Nursing', { courses: [{ course: 'Ethics' }] })
  assert.match(replaced.data.courses[0].name, /^[0-9a-v]{10}$/)
  assert.notEqual(replaced.data.courses[0].name, first?.name)
})

test('a program may have a course twice, which the Client API counts and shows once', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  for (const name of ['Anatomy', 'Ethics']) await resourceClient.make('Course', { course_name: name })
  const courses = [{ course: 'Anatomy', required: 1 }, { course: 'Ethics' }, { course: 'Anatomy', required: 0 }]
  const made = await resourceClient.make('Program', { program_name: 'Nursing', courses })
  const rows = made.courses as CourseRow[]
  assert.deepEqual(
    rows.map(({ course, required, idx }) => [course, required, idx]),
    [
      ['Anatomy', 1, 1],
      ['Ethics', 1, 2],
      ['Anatomy', 0, 3],
    ],
  )
  const { program } = await onlyProgram(tenant)
  assert.equal(program.courseCount, 2)
  const { body } = await tenant.api.get(`/courses?programId=${program.id}&search=anatomy`)
  assert.deepEqual([body.pagination.total, body.data.length], [1, 1])
  assert.deepEqual(body.data[0].programs, [{ id: program.id, name: 'Nursing' }])
  const search = 'doctype.program_enrollment.program_enrollment.get_program_courses'
  const found = await resourceClient.call(search, { filters: { program: 'Nursing' } })
  assert.deepEqual(found.data, [
    ['Anatomy', 'Anatomy'],
    ['Ethics', 'Ethics'],
  ])
  const left = await resourceClient.update('Program', 'Nursing', { courses: rows.slice(1) })
  assert.deepEqual(
    left.data.courses.map(({ name, course }: CourseRow) => [name, course]),
    rows.slice(1).map(({ name, course }) => [name, course]),
  )
  assert.equal((await onlyProgram(tenant)).program.courseCount, 2)
  assert.deepEqual((await tenant.traces(body.data[0].id)).events, ['course.created', 'course.updated'])
})

test('courses that are merged leave their rows in programs to the one that stays', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  for (const name of ['Anatomy', 'Bones', 'Ethics']) await resourceClient.make('Course', { course_name: name })
  await resourceClient.make('Program', { program_name: 'Nursing', courses: [{ course: 'Bones', required: 0 }] })
  await resourceClient.make('Program', {
    program_name: 'Medicine',
    courses: [{ course: 'Anatomy' }, { course: 'Bones' }],
  })
  const before = (await tenant.api.get('/courses?search=anatomy')).body.data[0]
  const programs = (await tenant.api.get('/programs')).body.data
  const merged = await resourceClient.rename('Course', 'Bones', 'Anatomy', 1)
  assert.deepEqual([merged.error, merged.data], [null, 'Anatomy'], merged.told)
  const loadCourses = async (program: string) =>
    (await resourceClient.read('Program', program)).data.courses.map(({ course, required }: CourseRow) => [
      course,
      required,
    ])
  assert.deepEqual(await loadCourses('Nursing'), [['Anatomy', 0]])
  assert.deepEqual(await loadCourses('Medicine'), [
    ['Anatomy', 1],
    ['Anatomy', 1],
  ])
  assert.equal((await resourceClient.read('Course', 'Bones')).error, 'DoesNotExistError')
  const after = (await tenant.api.get(`/courses/${before.id}`)).body.data
  assert.deepEqual(
    after.programs.map(({ name }: { name: string }) => name),
    ['Medicine', 'Nursing'],
  )
  assert.ok(after.updatedAt > before.updatedAt)
  assert.equal((await tenant.traces(before.id)).events.at(-1), 'course.updated')
  for (const { id } of programs) assert.equal((await tenant.traces(id)).audit.at(-1), 'program.updated')
  assert.equal((await tenant.api.get('/courses')).body.pagination.total, 2)
})

test('a renamed program has its new name everywhere, and tells of it as a change', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const { programId } = await aCatalogue(service, tenant)
  const student = await aStudent(tenant.api, { programId })
  const renamed = await resourceClient.rename('Program', 'Nursing', 'Care')
  assert.equal(renamed.error, null, renamed.told)
  assert.equal((await tenant.api.get(`/students/${student.id}`)).body.data.program, 'Care')
  assert.equal((await tenant.api.get('/programs?search=care')).body.pagination.total, 1)
  assert.equal((await resourceClient.read('Program', 'Nursing')).error, 'DoesNotExistError')
  assert.equal((await resourceClient.read('Program', 'Care')).data.program_name, 'Care')
  assert.equal((await tenant.traces(programId)).events.at(-1), 'program.updated')
})

test('a program or course that something holds is not deleted, and one that nothing holds goes with its total', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const { programId } = await aCatalogue(service, tenant)
  const held = await resourceClient.remove('Course', 'Anatomy')
  assert.deepEqual([held.status, held.error], [417, 'LinkExistsError'])
  const student = await aStudent(tenant.api, { programId })
  const studied = await resourceClient.remove('Program', 'Nursing')
  assert.deepEqual([studied.status, studied.error], [417, 'LinkExistsError'])
  assert.match(studied.told, /students/)
  await tenant.api.patch(`/students/${student.id}`, { programId: null })
  assert.equal((await resourceClient.remove('Program', 'Nursing')).error, null)
  assert.equal((await resourceClient.remove('Course', 'Anatomy')).error, null)
  assert.equal((await tenant.api.get('/programs')).body.pagination.total, 0)
  assert.equal((await tenant.api.get('/courses')).body.pagination.total, 0)
  assert.equal((await tenant.traces(programId)).audit.at(-1), 'program.deleted')
})

test('a second program of a name is refused, and another tenant has its own of the same name', async () => {
  const { resourceClient } = await loadResourceClient()
  await resourceClient.make('Program', { program_name: 'Nursing' })
  const second = await resourceClient.create('Program', { program_name: 'Nursing' })
  assert.deepEqual([second.status, second.error], [409, 'DuplicateEntryError'])
  const other = await loadResourceClient()
  await other.resourceClient.make('Program', { program_name: 'Nursing' })
  assert.equal((await other.resourceClient.read('Course', 'Anatomy')).error, 'DoesNotExistError')
})

test('the weights of a course’s criteria, each there once, add up to a hundred', async () => {
  const { resourceClient } = await loadResourceClient()
  await resourceClient.make('Assessment Criteria', { assessment_criteria: 'Work' })
  await resourceClient.make('Assessment Criteria', { assessment_criteria: 'Talk' })
  const criteria = (weights: number[]) => weights.map((weightage) => ({ assessment_criteria: 'Work', weightage }))
  for (const [assessment_criteria, pattern] of [
    [criteria([60, 40]), /Row #2: Work is there already/],
    [[...criteria([150]), { assessment_criteria: 'Talk', weightage: -50 }], /Row #2: the Weightage -50 cannot be less/],
  ] as const) {
    const refused = await resourceClient.create('Course', { course_name: 'Ethics', assessment_criteria })
    assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'])
    assert.match(refused.told, pattern)
  }
  const light = await resourceClient.create('Course', { course_name: 'Ethics', assessment_criteria: criteria([30]) })
  assert.deepEqual([light.status, light.error], [417, 'ValidationError'])
  assert.match(light.told, /add up to 100/)
})

test('a program and a course that an import renames are renamed wherever they are named', async () => {
  const { tenant, resourceClient } = await loadResourceClient()
  const load = (program: string, course: string) =>
    service.data.transaction(tenant.id, async (tx) => {
      await importProgram(tx, getOperator(tenant), { externalId: 'P', name: program })
      await importCourse(tx, getOperator(tenant), { externalId: 'C', name: course, programs: [program] })
    })
  await load('Nursing', 'Anatomy')
  const student = await aStudent(tenant.api)
  const log = await resourceClient.make('Student Log', { student: student.studentCode, program: 'Nursing' })
  await load('Care', 'Bones')
  assert.equal((await resourceClient.read('Student Log', log.name)).data.program, 'Care')
  assert.equal((await resourceClient.read('Program', 'Care')).data.courses[0].course, 'Bones')
})

test('no foreign key cascades a name, and all on names can wait for the end of the transaction', async () => {
  const keys = await service.database.inspect<{ name: string }>(`
    select k.conname as name from pg_constraint k
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = any(k.confkey) and a.attname in ('name', 'student_code')
     where k.contype = 'f' and (k.confupdtype <> 'a' or not k.condeferrable)`)
  assert.deepEqual(keys, [])
})

test('the kept totals are those of the rows, after everything that was done here', async () => {
  assert.deepEqual(await wrongTotals(service), [])
})
