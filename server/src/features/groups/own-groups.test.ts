import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { recordTypes } from '@matricula/contract/record-types'
import { aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import type { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import type { Outcome } from '../../testing/fixtures/resource-client.ts'
import { aLesson, aPlan, aResult, aScale, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const day = '2026-09-01'

let seededTenant: SeededTenant
/** Teaches the campus's group of Ada and Alan; the other group, with Emmy alone, is somebody else's. */
let teacher: RecordCaller
let emmy: string
let other: string
let mine: { lesson: string; plan: string; result: string; attendance: string }
let theirs: { lesson: string; plan: string; result: string; attendance: string }

const getName = ({ data, told: reported }: Outcome): string => {
  assert.ok(data !== null, reported)
  return data.name
}

before(async () => {
  seededTenant = await seedTenant(service)
  const { tenant, resourceClient, year, program, instructor, courses } = seededTenant
  const person = await aPerson(service, tenant, ['Instructor'])
  teacher = person.caller
  const employee = await resourceClient.make('Employee', { first_name: 'Grace', user_id: person.email })
  await resourceClient.update('Instructor', instructor, { employee: employee.name })
  const colleague = await resourceClient.make('Instructor', { instructor_name: 'Somebody Else' })
  emmy = (await aStudent(tenant.api, { fullName: 'Emmy Noether' })).studentCode as string
  const group = await resourceClient.make('Student Group', {
    student_group_name: 'Nursing B',
    academic_year: year,
    group_based_on: 'Activity',
    program,
    students: [{ student: emmy }],
    instructors: [{ instructor: colleague.name }],
  })
  other = group.name
  await aScale(seededTenant)
  const made = async (of: SeededTenant, hour: number) => {
    const times = { from_time: `${hour}:00:00`, to_time: `${hour + 1}:00:00` }
    const lesson = getName(await aLesson(of, { course: courses[0], ...times }))
    const plan = await aPlan(of, times)
    const result = getName(await aResult(of, plan, { Written: 30, Oral: 20 }))
    const attendance = await resourceClient.make('Student Attendance', {
      student: of.students[0],
      student_group: of.group,
      date: day,
    })
    return { lesson, plan, result, attendance: attendance.name }
  }
  mine = await made(seededTenant, 9)
  theirs = await made({ ...seededTenant, group: other, students: [emmy, emmy], instructor: colleague.name }, 11)
})

const named = async (type: string, query = '', caller = teacher): Promise<string[]> => {
  const { status, body } = await caller.get(`/api/resource/${type}?limit_page_length=0&order_by=name asc${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ name }: { name: string }) => name)
}

const call = (method: string, args: object, caller = teacher) => caller.post(`/api/method/${method}`, args)

test('a teacher reads the students of own groups and what is of these groups, in lists, counts, links and by name', async () => {
  const { students, group } = seededTenant
  const expected = {
    Student: [[...students].sort(), emmy],
    'Student Group': [[group], other],
    'Student Attendance': [[mine.attendance], theirs.attendance],
    'Course Schedule': [[mine.lesson], theirs.lesson],
    'Assessment Plan': [[mine.plan], theirs.plan],
    'Assessment Result': [[mine.result], theirs.result],
  } as const
  for (const [type, [own, foreign]] of Object.entries(expected)) {
    assert.deepEqual(await named(type), own, type)
    const count = await call('frappe.client.get_count', { doctype: type })
    assert.equal(count.body.message, own.length, type)
    assert.equal((await teacher.get(`/api/resource/${type}/${own[0]}`)).status, 200, type)
    assert.equal((await teacher.get(`/api/resource/${type}/${foreign}`)).status, 403, type)
    const link = await call('frappe.client.validate_link', { doctype: type, docname: foreign })
    assert.notEqual(link.body?.message?.name, foreign, type)
    const value = await call('frappe.client.get_value', {
      doctype: type,
      filters: { name: foreign },
      fieldname: 'name',
    })
    assert.ok(!value.text.includes(JSON.stringify(foreign)), type)
  }
  const members = await teacher.get('/api/resource/Student Group Student?parent=Student Group&fields=["student"]')
  assert.deepEqual(members.body.data.map(({ student }: { student: string }) => student).sort(), [...students].sort())
  const joined = await teacher.get('/api/resource/Student Attendance?fields=["student.student_name as who"]')
  assert.deepEqual(joined.body.data, [{ who: 'Ada Byron' }])
  const found = await call('frappe.desk.search.search_link', { doctype: 'Student', txt: '', page_length: 50 })
  assert.equal(found.status, 200)
  assert.ok(found.text.includes(students[0]) && !found.text.includes(emmy))
})

test('the search and the live feed of the console tell a teacher of the students of own groups alone', async () => {
  const { students, tenant, resourceClient } = seededTenant
  const otherTenant = (await aStudent(tenant.api, { fullName: 'Ada Elsewhere' })).studentCode as string
  const search = await teacher.get('/console/v1/search?q=ada')
  assert.deepEqual([search.status, search.body.data.map(({ name }: { name: string }) => name)], [200, [students[0]]])
  const nobody = await teacher.get('/console/v1/search?q=emmy')
  assert.deepEqual([nobody.status, nobody.body.data], [200, []])

  const { next } = (await teacher.get('/console/v1/live')).body
  for (const student of [otherTenant, emmy, students[1]])
    await resourceClient.update('Student', student, { pincode: '97403' })
  await until(async () => {
    const { data } = (await teacher.get(`/console/v1/live?after=${next}`)).body
    const reported = data.map(({ name }: { name: string }) => name)
    assert.ok(!reported.includes(otherTenant) && !reported.includes(emmy), JSON.stringify(reported))
    return reported.includes(students[1])
  }, 'the event of the last student')
})

test('methods tell a teacher of own groups alone', async () => {
  const { students, group, year } = seededTenant
  const api = (name: string) => `education.education.api.${name}`
  const tool =
    'education.education.doctype.student_attendance_tool.student_attendance_tool.get_student_attendance_records'
  const calls = (of: string, student: string, with_: typeof mine): [string, object][] => [
    [api('get_student_group_students'), { student_group: of }],
    [api('get_instructors'), { student_group: of }],
    [api('get_assessment_students'), { assessment_plan: with_.plan, student_group: of }],
    [api('get_assessment_details'), { assessment_plan: with_.plan }],
    [api('get_result'), { student, assessment_plan: with_.plan }],
    [api('get_student_attendance'), { student, student_group: of }],
    [api('get_student_guardians'), { student }],
    [tool, { based_on: 'Student Group', student_group: of, date: day }],
  ]
  for (const [method, args] of calls(group, students[0], mine)) {
    assert.equal((await call(method, args)).status, 200, method)
  }
  for (const [method, args] of calls(other, emmy, theirs)) {
    const { status, body } = await call(method, args)
    assert.deepEqual([status, body.exc_type], [403, 'PermissionError'], method)
  }
  const exists = await call(api('check_attendance_records_exist'), { student_group: other, date: day })
  assert.deepEqual(exists.body.message, [])
  // What tells of a student or of all students as a whole is more than a group.
  for (const [method, args] of [
    ['education.education.report_card.get_student_report_card', { student: students[0], academic_year: year }],
    ['education.education.doctype.student_group.student_group.get_students', { academic_year: year }],
    ['frappe.desk.query_report.run', { report_name: 'Final Assessment Grades', filters: {} }],
  ] as const) {
    const { status, body } = await call(method, args)
    assert.deepEqual([status, body.exc_type], [403, 'PermissionError'], method)
  }
})

test('a teacher calls the roll and enters results of own groups, and of nobody else', async () => {
  const { students, group, resourceClient } = seededTenant
  const roll = (student_group: string, student: string) =>
    call('education.education.api.mark_attendance', {
      students_present: [{ student }],
      students_absent: [],
      student_group,
      date: '2026-09-02',
    })
  assert.equal((await roll(group, students[0])).status, 200)
  assert.equal((await roll(other, emmy)).status, 403)
  for (const [fields, status] of [
    [{ student: students[1], student_group: group }, 200],
    [{ student: emmy, student_group: other }, 403],
  ] as const) {
    const made = await teacher.post('/api/resource/Student Attendance', { ...fields, date: '2026-09-03' })
    assert.equal(made.status, status, JSON.stringify(made.body))
    if (status === 200) {
      const path = `/api/resource/Student Attendance/${made.body.data.name}`
      assert.equal((await teacher.put(path, { status: 'Absent', docstatus: 1 })).status, 200)
    }
  }
  const changed = await teacher.put(`/api/resource/Student Attendance/${theirs.attendance}`, { status: 'Absent' })
  assert.equal(changed.status, 403)
  const enter = (assessment_plan: string, student: string) =>
    call('education.education.api.mark_assessment_result', {
      assessment_plan,
      scores: { student, assessment_details: { Written: 50, Oral: 40 } },
    })
  assert.equal((await enter(mine.plan, students[1])).status, 200)
  assert.equal((await enter(theirs.plan, emmy)).status, 403)
  const submit = (assessment_plan: string, student_group: string) =>
    call('education.education.api.submit_assessment_results', { assessment_plan, student_group })
  assert.equal((await submit(theirs.plan, other)).status, 403)
  assert.equal((await submit(mine.plan, group)).body.message, 2)
  assert.equal((await resourceClient.read('Assessment Result', theirs.result)).data.docstatus, 0)
})

test('a teacher is shown no address, no telephone and nothing of the finances of a student, wherever it is asked for', async () => {
  const { students, tenant, resourceClient } = seededTenant
  const secret = { city: 'Springfield', student_mobile_number: '+15550100', customer_group: 'Patrons' }
  await resourceClient.update('Student', students[0], secret)
  const read = await teacher.get(`/api/resource/Student/${students[0]}`)
  assert.equal(read.body.data.student_name, 'Ada Byron')
  const attendance = await teacher.get(`/api/resource/Student Attendance/${mine.attendance}`)
  const whole = await call('frappe.client.get', { doctype: 'Student', name: students[0] })
  const all = await teacher.get('/api/resource/Student?fields=["*"]')
  for (const { status, text } of [read, attendance, whole, all]) {
    assert.equal(status, 200)
    for (const value of Object.values(secret)) assert.ok(!text.includes(value), value)
  }
  for (const query of [
    'fields=["city"]',
    'filters=[["city","=","Springfield"]]',
    'order_by=city asc',
    'group_by=customer_group',
  ]) {
    assert.equal((await teacher.get(`/api/resource/Student?${query}`)).status, 417, query)
  }
  const joined = await teacher.get('/api/resource/Student Attendance?fields=["student.city"]')
  assert.equal(joined.status, 417)
  const type = await teacher.get('/api/resource/DocType/Student')
  const fields = type.body.data.fields.map(({ fieldname }: { fieldname: string }) => fieldname)
  assert.ok(fields.includes('student_name') && !fields.includes('city'))
  const meta = await teacher.get('/api/v2/doctype/Student/meta')
  assert.ok(meta.text.includes('student_name') && !meta.text.includes('address_line_1'))
  for (const hidden of ['Guardian', 'Fees', 'Payment Record', 'Student Applicant', 'File']) {
    assert.equal((await teacher.get(`/api/resource/${hidden}`)).status, 403, hidden)
  }
  // Who has another role of the staff reads on by that one.
  const { caller } = await aPerson(service, tenant, ['Instructor', 'Academics User'])
  assert.ok((await named('Student', '', caller)).includes(emmy))
  assert.equal((await caller.get(`/api/resource/Student/${students[0]}`)).body.data.city, 'Springfield')
})

test('a teacher who makes, saves, submits and cancels an attendance is answered without the telephone of the student', async () => {
  const { students, group, resourceClient } = seededTenant
  const telephone = '+15550177'
  await resourceClient.update('Student', students[1], { student_mobile_number: telephone })
  const doctype = 'Student Attendance'
  const fields = { doctype, student: students[1], student_group: group, status: 'Present' }
  const made = await call('frappe.client.insert', { doc: { ...fields, date: '2026-09-08' } })
  const { name, modified } = made.body.message
  const asked = { dt: doctype, dn: name }
  const answers = [
    made,
    await call('frappe.client.save', { doc: { ...fields, name, modified, date: '2026-09-08', status: 'Absent' } }),
    await call('frappe.client.set_value', { doctype, name, fieldname: 'status', value: 'Present' }),
    await call('run_doc_method', { ...asked, method: 'submit' }),
    await call('frappe.desk.form.load.getdoc', { doctype, name }),
    await teacher.get(`/api/resource/${doctype}/${name}`),
    await call('run_doc_method', { ...asked, method: 'cancel' }),
  ]
  const other = await teacher.post(`/api/resource/${doctype}`, { ...fields, date: '2026-09-09' })
  const sent = { ...fields, name: other.body.data.name, modified: other.body.data.modified, date: '2026-09-09' }
  answers.push(other, await call('run_doc_method', { docs: sent, method: 'submit' }))
  answers.push(await teacher.post(`/api/v2/document/${doctype}/${other.body.data.name}/method/cancel`))
  for (const { status, text } of answers) {
    assert.equal(status, 200, text)
    assert.ok(!text.includes(telephone), text)
  }
  assert.equal((await resourceClient.read(doctype, name)).data.student_mobile_number, telephone)
})

test('a right that is taken from a teacher opens nothing: who may neither read nor write still submits for own groups alone', async () => {
  const { students, group, resourceClient, tenant } = seededTenant
  const doctype = 'Student Attendance'
  const { caller: manager } = await aPerson(service, tenant)
  const own = await resourceClient.make(doctype, { student: students[0], student_group: group, date: '2026-09-14' })
  const take = (rights: readonly string[]) =>
    manager.send('PATCH', '/console/v1/access-rules/Instructor', { takenRights: [{ type: doctype, rights }] })
  const submit = (name: string) => teacher.put(`/api/resource/${doctype}/${name}`, { docstatus: 1 })
  assert.equal((await take(['read', 'write'])).status, 200)
  await until(async () => (await teacher.get(`/api/resource/${doctype}`)).status === 403, 'refusal of the list')
  assert.equal((await submit(theirs.attendance)).status, 403)
  assert.equal((await resourceClient.read(doctype, theirs.attendance)).data.docstatus, 0)
  assert.equal((await submit(own.name)).status, 200)
  assert.equal((await take([])).status, 200)
  await until(async () => (await teacher.get(`/api/resource/${doctype}`)).status === 200, 'the list')
})

test('who is taken off a group, and who leaves it, is out of reach at once', async () => {
  const { students, group, resourceClient, instructor } = seededTenant
  const rows = (active: number) => ({
    students: [
      { student: students[0], active: 1 },
      { student: students[1], active },
    ],
  })
  await resourceClient.update('Student Group', group, rows(0))
  assert.deepEqual(await named('Student'), [students[0]])
  await resourceClient.update('Student Group', group, { ...rows(1), instructors: [] })
  for (const type of ['Student', 'Student Group', 'Student Attendance']) assert.deepEqual(await named(type), [], type)
  await resourceClient.update('Student Group', group, { instructors: [{ instructor }] })
  assert.equal((await named('Student')).length, 2)
})

test('every type of records of students or groups that the role Instructor may read says how a teacher reaches it', () => {
  for (const { name, kind, fields, permissions, reachedBy } of recordTypes) {
    const links = Object.entries(fields).filter(
      ([field, declared]) => ['student', 'student_group'].includes(field) && declared.type !== 'Table',
    )
    const rights: Readonly<Record<string, unknown>> = permissions
    if (kind === 'single' || rights.Instructor === undefined || links.length === 0) continue
    const reached = Object.values(reachedBy ?? {})
    for (const [field] of links) assert.ok(reached.includes(field), `${name} ${field}`)
  }
})
