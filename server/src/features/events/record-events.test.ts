import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLesson, anEnrollment, aPlan, aResult, aScale, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

interface Told {
  readonly type: string
  readonly changed: readonly string[]
}

test('GET /v1/events: records of the Resource API are told under roster:read and gradebook:read, and under no other scope', async () => {
  const seeded = await seedTenant(service)
  const { tenant } = seeded
  await seeded.resourceClient.make('Department', { department_name: 'Sciences' })
  await anEnrollment(seeded, { docstatus: 1 })
  await aLesson(seeded)
  await aScale(seeded)
  await aResult(seeded, await aPlan(seeded), { Written: 30, Oral: 20 }, { docstatus: 1 })
  const getTypes = async (scopes: readonly string[]) => {
    const { api } = await tenant.token({ scopes: ['events:read', ...scopes] as never })
    const { data } = (await api.get('/events?limit=1000')).body as { data: Told[] }
    return new Set(data.map(({ type }) => type))
  }
  const roster = await getTypes(['roster:read'])
  for (const noun of [
    ...['academic_year', 'academic_term', 'department', 'room', 'instructor', 'student_group'],
    ...['program_enrollment', 'course_schedule'],
  ]) {
    assert.ok(roster.has(`${noun}.created`), noun)
  }
  assert.ok(roster.has('program_enrollment.submitted'))
  assert.ok([...roster].every((type) => !/^(assessment_|student\.)/.test(type)))
  const gradebook = await getTypes(['gradebook:read'])
  assert.deepEqual([...gradebook].sort(), [
    'assessment_plan.created',
    'assessment_plan.submitted',
    'assessment_result.created',
    'assessment_result.submitted',
  ])
  const students = await getTypes(['students:read'])
  assert.ok(students.has('student.created') && [...students].every((type) => type.startsWith('student.')))
  const { api } = await tenant.token({ scopes: ['events:read', 'students:read'] as never })
  const refused = await api.get('/events?types=student_group.*')
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.requiredScope],
    [403, 'insufficient_scope', 'roster:read'],
  )
  const unknown = await api.get('/events?types=student_group.vanished')
  assert.equal(unknown.status, 400)
})
