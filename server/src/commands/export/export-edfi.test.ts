import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { aLesson, anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, run, json } = await loadCommandLine(service)

/** The elements of a document, one a line. */
async function readElements(output: string, root: string): Promise<string[]> {
  const text = await readFile(join(output, `${root}.xml`), 'utf8')
  const [declaration, opening, ...elements] = text.trimEnd().split('\n')
  assert.equal(declaration, '<?xml version="1.0" encoding="UTF-8"?>')
  assert.equal(opening, `<${root} xmlns="http://ed-fi.org/5.2.0">`)
  assert.equal(elements.pop(), `</${root}>`)
  return elements
}

test('export edfi: students, contacts, enrolments and attendance as interchange of Data Standard 5.2', async () => {
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, students, group, term } = seeded
  const [ada = ''] = students
  await resourceClient.update('Student', ada, {
    ...{ first_name: 'Ada', last_name: 'Byron' },
    ...{ date_of_birth: '2010-12-10', gender: 'Female', student_mobile_number: '+44 20 1', middle_name: 'A < "B" & C' },
  })
  const guardian = await resourceClient.make('Guardian', {
    guardian_name: 'Anne Isabella Byron',
    email_address: 'a@b.example',
  })
  await resourceClient.update('Student', ada, { guardians: [{ guardian: guardian.name, relation: 'Mother' }] })
  await anEnrollment(seeded, { docstatus: 1 })
  const mark = (fields: object) =>
    resourceClient.create('Student Attendance', { student: ada, docstatus: 1, ...fields })
  await mark({ date: '2026-09-01', status: 'Absent', student_group: group })
  await mark({ date: '2026-09-02', status: 'Present', student_group: group, attendance_code: 'L', minutes_late: 5 })
  const lesson = (await aLesson(seeded)).data.name
  await mark({ date: '2026-09-01', status: 'Present', course_schedule: lesson })
  const output = join(folder, 'interchange')
  const printed = await json(['export', 'edfi', '--tenant', tenant.slug, '-o', output, '--school-id', '255901001'])
  assert.deepEqual(printed.export, {
    ...{ kind: 'edfi', output, schoolId: 255901001, studentsWithoutBirthDate: 1 },
    elements: {
      ...{ Student: 1, Contact: 1, StudentContactAssociation: 1, StudentSchoolAssociation: 1 },
      ...{ StudentEducationOrganizationAssociation: 1, StudentSchoolAttendanceEvent: 2 },
      StudentSectionAttendanceEvent: 1,
    },
  })
  const student = `<StudentReference><StudentIdentity><StudentUniqueId>${ada}</StudentUniqueId></StudentIdentity></StudentReference>`
  const school = '<SchoolReference><SchoolIdentity><SchoolId>255901001</SchoolId></SchoolIdentity></SchoolReference>'
  assert.deepEqual(await readElements(output, 'InterchangeStudent'), [
    `<Student><StudentUniqueId>${ada}</StudentUniqueId><Name><FirstName>Ada</FirstName>` +
      '<MiddleName>A &lt; "B" &amp; C</MiddleName><LastSurname>Byron</LastSurname></Name>' +
      '<BirthData><BirthDate>2010-12-10</BirthDate><BirthSex>uri://ed-fi.org/SexDescriptor#Female</BirthSex></BirthData></Student>',
  ])
  const [contact, association] = await readElements(output, 'InterchangeContact')
  assert.match(
    contact ?? '',
    /<FirstName>Anne Isabella<\/FirstName><LastSurname>Byron<\/LastSurname><\/Name><ElectronicMail><ElectronicMailAddress>a@b\.example</,
  )
  assert.match(
    association ?? '',
    /<Relation>uri:\/\/ed-fi\.org\/RelationDescriptor#Mother<\/Relation><PrimaryContactStatus>/,
  )
  const [enrolled, atSchool] = await readElements(output, 'InterchangeStudentEnrollment')
  assert.equal(
    enrolled,
    `<StudentSchoolAssociation>${student}${school}<SchoolYear>2026-2027</SchoolYear><EntryDate>2026-08-03</EntryDate>` +
      '<EntryGradeLevel>uri://ed-fi.org/GradeLevelDescriptor#Other</EntryGradeLevel>' +
      '<EntryType>uri://ed-fi.org/EntryTypeDescriptor#New to education system</EntryType></StudentSchoolAssociation>',
  )
  assert.match(
    atSchool ?? '',
    /<Sex>uri:\/\/ed-fi\.org\/SexDescriptor#Female<\/Sex><Telephone><TelephoneNumber>\+44 20 1</,
  )
  const session =
    `<SessionReference><SessionIdentity><SessionName>${term}</SessionName><SchoolYear>2026-2027</SchoolYear>` +
    `${school}</SessionIdentity></SessionReference>`
  const event = (day: string, category: string) =>
    `<AttendanceEvent><EventDate>${day}</EventDate><AttendanceEventCategory>` +
    `uri://ed-fi.org/AttendanceEventCategoryDescriptor#${category}</AttendanceEventCategory></AttendanceEvent>`
  assert.deepEqual(await readElements(output, 'InterchangeStudentAttendance'), [
    `<StudentSchoolAttendanceEvent>${event('2026-09-01', 'Unexcused Absence')}${student}${school}${session}</StudentSchoolAttendanceEvent>`,
    `<StudentSchoolAttendanceEvent>${event('2026-09-02', 'Tardy')}${student}${school}${session}</StudentSchoolAttendanceEvent>`,
    `<StudentSectionAttendanceEvent>${event('2026-09-01', 'In Attendance')}${student}<SectionReference><SectionIdentity>` +
      `<SectionIdentifier>${group}</SectionIdentifier><CourseOfferingReference><CourseOfferingIdentity>` +
      `<LocalCourseCode>Anatomy</LocalCourseCode>${school}${session}</CourseOfferingIdentity></CourseOfferingReference>` +
      '</SectionIdentity></SectionReference></StudentSectionAttendanceEvent>',
  ])
  const audit = await service.database.inspectAt(
    tenant.id,
    "select 1 from audit_entries where tenant_id = $1 and action = 'records.exported'",
    [tenant.id],
  )
  assert.equal(audit.length, 1)
})

test('export edfi: characters that XML cannot have are removed, and another institution has none of it', async () => {
  const tenant = await service.tenant()
  await aStudent(tenant.api, { fullName: 'Zoë \u0001Ü\u{1f600}', dateOfBirth: '2011-02-03' })
  const archive = join(folder, 'edfi.zip')
  const printed = await json(['export', 'edfi', '--tenant', tenant.slug, '-o', archive])
  assert.equal(printed.export.elements.Student, 1)
  assert.deepEqual((await readFile(archive)).subarray(0, 2).toString(), 'PK')
  const output = join(folder, 'unusual')
  await json(['export', 'edfi', '--tenant', tenant.slug, '-o', output])
  const [student] = await readElements(output, 'InterchangeStudent')
  assert.match(student ?? '', /<FirstName>Zoë<\/FirstName><LastSurname>Ü\u{1f600}<\/LastSurname>/u)
  assert.deepEqual((await readdir(output)).sort(), ['InterchangeStudent.xml', 'InterchangeStudentEnrollment.xml'])
})

test('export edfi: an institution without records writes nothing, and a SchoolId that is no number is refused', async () => {
  const tenant = await service.tenant()
  const args = ['export', 'edfi', '--tenant', tenant.slug, '-o', join(folder, 'empty')]
  assert.match((await run(args)).stdout, /Nothing to export/)
  for (const id of ['0', '-1', '1.5', 'x']) assert.equal((await run([...args, '--school-id', id])).code, 2, id)
})
