import assert from 'node:assert/strict'
import { aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import {
  aFee,
  aLesson,
  anEnrollment,
  aPlan,
  aResult,
  aScale,
  type SeededTenant,
  seedTenant,
} from '../../testing/fixtures/seeded-tenant.ts'
import type { TestService } from '../../testing/fixtures/test-service.ts'

/** A marker in all data of another family, and in the addresses of other guardians: in a response it is a leak. */
export const secret = 'next-door'

/**
 * A school with two children of one guardian, who share a father, and a child of another family; each has a record of
 * every type.
 */
export interface Family {
  readonly seededTenant: SeededTenant
  readonly children: readonly [string, string]
  /** A student of another family. */
  readonly otherStudent: string
  /** The names of the Guardian records. */
  readonly guardians: { readonly mother: string; readonly father: string; readonly other: string }
  /** The records of each student by type, in the order of the two children and the other child. */
  readonly records: Readonly<Record<string, readonly [string, string, string]>>
  readonly lesson: string
  readonly mother: RecordCaller
  readonly password: string
}

/** Logs in a user of the tenant with roles. */
export async function loggedIn(
  service: TestService,
  { tenant }: SeededTenant,
  email: string,
  roles: readonly string[],
): Promise<{ caller: RecordCaller; password: string }> {
  const { password } = await aUser(service, tenant, { email, name: 'Annabella Milbanke', roles })
  const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
  const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
  return { caller: guest.with({ cookie: `sid=${cookies.get('sid')?.value}` }), password }
}

/** Creates such a school, whose mother is logged in as `annabella@example.org`. */
export async function aFamily(service: TestService): Promise<Family> {
  const seededTenant = await seedTenant(service)
  const { resourceClient, tenant, students, group, year } = seededTenant
  const settings = { current_academic_year: year, school_college_name_abbreviation: 'SCH' }
  assert.equal((await resourceClient.update('Education Settings', 'Education Settings', settings)).error, null)
  const eve = await aStudent(tenant.api, {
    fullName: `Eve ${secret}`,
    email: `eve@${secret}.example`,
    address: `1 ${secret} Street`,
  })
  const otherStudent = eve.studentCode
  const members = [...students, otherStudent].map((student) => ({ student, active: 1 }))
  assert.equal((await resourceClient.update('Student Group', group, { students: members })).error, null)
  const email = 'annabella@example.org'
  const { caller, password } = await loggedIn(service, seededTenant, email, ['Guardian'])
  const guardian = (name: string, fields: object) => resourceClient.make('Guardian', { guardian_name: name, ...fields })
  const mother = await guardian('Annabella Milbanke', { user: email, email_address: email })
  const father = await guardian('George', { email_address: `george@${secret}.example`, work_address: secret })
  const other = await guardian(`Mallory ${secret}`, { email_address: `mallory@${secret}.example` })
  for (const child of students) {
    const guardians = [
      { guardian: mother.name, relation: 'Mother' },
      { guardian: father.name, relation: 'Father' },
    ]
    assert.equal((await resourceClient.update('Student', child, { guardians })).error, null)
  }
  assert.equal(
    (await resourceClient.update('Student', otherStudent, { guardians: [{ guardian: other.name }] })).error,
    null,
  )
  await aScale(seededTenant)
  const plan = await aPlan(seededTenant)
  const rows: string[][] = []
  for (const student of [...students, otherStudent]) {
    const { data: enrollment } = await anEnrollment(seededTenant, { student, docstatus: 1 })
    const { data: result } = await aResult(seededTenant, plan, { Written: 50, Oral: 30 }, { student, docstatus: 1 })
    const fee = await aFee(seededTenant, enrollment.name, { student })
    const day = { student, student_group: group, docstatus: 1 }
    const attendance = await resourceClient.make('Student Attendance', { ...day, date: '2026-09-03' })
    const reason = student === otherStudent ? secret : 'A wedding'
    const leave = await resourceClient.make('Student Leave Application', {
      ...day,
      from_date: '2026-09-10',
      to_date: '2026-09-10',
      reason,
    })
    const log = await resourceClient.make('Student Log', { student, log: secret })
    rows.push([student, enrollment.name, result.name, fee, attendance.name, leave.name, log.name])
  }
  const types = [
    'Student',
    'Program Enrollment',
    'Assessment Result',
    'Fees',
    'Student Attendance',
    'Student Leave Application',
    'Student Log',
  ]
  const records = Object.fromEntries(types.map((type, index) => [type, rows.map((row) => row[index])])) as {
    [type: string]: [string, string, string]
  }
  const lesson = (await aLesson(seededTenant)).data.name
  return {
    seededTenant,
    children: students,
    otherStudent,
    guardians: { mother: mother.name, father: father.name, other: other.name },
    records,
    lesson,
    mother: caller,
    password,
  }
}
