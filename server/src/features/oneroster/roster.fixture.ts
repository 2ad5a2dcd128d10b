import assert from 'node:assert/strict'
import { oneRosterSchemas } from '@matricula/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { anEnrollment, type SeededTenant, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import type { TestService } from '../../testing/fixtures/test-service.ts'

/** A response of OneRoster, read. */
export interface RosterResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
  readonly text: string
}

/** An institution with a course group, a homeroom and a guardian, and how its OneRoster services are called. */
export interface Roster extends SeededTenant {
  readonly keyId: string
  readonly secret: string
  readonly courseGroup: string
  readonly homeroom: string
  /** Calls an address below that of the tenant's OneRoster, such as `/rostering/v1p2/orgs`. */
  readonly call: (path: string, init?: RequestInit) => Promise<RosterResponse>
  /** The list at an address of rostering 1.2. */
  // biome-ignore lint/suspicious/noExplicitAny: objects of every class
  readonly list: (path: string) => Promise<any[]>
}

export async function readResponse(response: Response): Promise<RosterResponse> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

/** Makes an institution with a course group of both students and a homeroom of the first one. */
export async function aRoster(service: TestService): Promise<Roster> {
  const seeded = await seedTenant(service)
  const { resourceClient, tenant, year, term, program, courses, students, instructor } = seeded
  await anEnrollment(seeded, { docstatus: 1 })
  const courseGroup = await resourceClient.make('Student Group', {
    student_group_name: 'Anatomy 1',
    academic_year: year,
    academic_term: term,
    group_based_on: 'Course',
    course: courses[0],
    students: students.map((student) => ({ student })),
    instructors: [{ instructor }],
  })
  const homeroom = await resourceClient.make('Student Group', {
    student_group_name: 'Nursing homeroom',
    academic_year: year,
    group_based_on: 'Batch',
    program,
    students: [{ student: students[0] }],
  })
  const guardian = await resourceClient.make('Guardian', {
    guardian_name: 'Anne Isabella Byron',
    email_address: 'anne@example.org',
  })
  const student = await resourceClient.update('Student', students[0], {
    guardians: [{ guardian: guardian.name, relation: 'Mother' }],
  })
  assert.equal(student.error, null)
  const { id: keyId, secret } = await tenant.token()
  const call = async (path: string, init: RequestInit = {}) =>
    readResponse(
      await fetch(`${service.address}/t/${tenant.slug}/ims/oneroster${path}`, {
        ...init,
        headers: { authorization: `Bearer ${secret}`, ...init.headers },
      }),
    )
  const list: Roster['list'] = async (path) => {
    const { status, body, text } = await call(`/rostering/v1p2${path}`)
    assert.equal(status, 200, text)
    return Object.values(body)[0] as object[]
  }
  return { ...seeded, keyId, secret, courseGroup: courseGroup.name, homeroom: homeroom.name, call, list }
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = Object.fromEntries(
  Object.entries(oneRosterSchemas).map(([name, schema]) => [name, ajv.compile(schema)]),
)

/** Fails unless an object is valid by the schema of its class. */
export function assertObject(name: keyof typeof oneRosterSchemas, object: unknown): void {
  const validate = validators[name] as ReturnType<typeof ajv.compile>
  assert.ok(validate(object), `${name} ${JSON.stringify(validate.errors)} ${JSON.stringify(object)}`)
}

/** Fails unless a response is an error of OneRoster with this status and code. */
export function assertRosterError({ status, body, text }: RosterResponse, expected: number, code: string): void {
  const found = body?.imsx_CodeMinor?.imsx_codeMinorField
  assert.deepEqual([status, found?.[0]?.imsx_codeMinorFieldValue], [expected, code], text)
  assert.deepEqual(
    [body.imsx_codeMajor, body.imsx_severity, found[0].imsx_codeMinorFieldName],
    ['failure', 'error', 'TargetEndSystem'],
  )
}
