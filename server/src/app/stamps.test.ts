import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anApplication,
  anUpload,
  aPayment,
  aRequest,
  aStudent,
  aSubmission,
  aTemplate,
} from '../testing/fixtures/factories.ts'
import { seedTenant } from '../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
// Each stamp of a transaction is later than the one before, as where the clock moves on between the columns of a row.
const reported = `'matricula.stamps_told'`
await service.database.runMigration(
  `create or replace function current_stamp() returns timestamptz language sql volatile
     as $$ select date_trunc('milliseconds', now()) + interval '1 millisecond' * set_config(${reported},
             (coalesce(nullif(current_setting(${reported}, true), ''), '0')::integer + 1)::text, true)::integer $$`,
)
const seededTenant = await seedTenant(service)
const { tenant, resourceClient, program, students, year } = seededTenant
const { api } = tenant

test('a record of the Client API that is new was last changed when it was made', async () => {
  const student = await aStudent(api)
  await aSubmission(service, tenant, await aTemplate(service, tenant))
  const hook = await api.post('/webhooks', { url: 'https://hooks.example.org/', types: ['student.*'] })
  const application = await anApplication(api)
  const contact = { displayName: 'Carmen Dyer', role: 'family' }
  const linked = await api.post(`/admissions/applications/${application.id}/contacts`, contact)
  const made = {
    student,
    application,
    payment: await aPayment(api, { studentId: student.id }),
    request: await aRequest(api, { entityId: student.id }),
    document: (await anUpload(api, { entityType: 'student', entityId: student.id })).document,
    submission: (await api.get('/forms/submissions')).body.data[0],
    webhook: hook.body.data,
    contact: linked.body.data?.contacts[0],
  }
  for (const [kind, record] of Object.entries(made))
    assert.equal(record?.updatedAt, record?.createdAt ?? 'nothing', kind)
})

test('a record of the Resource API that is new was last changed when it was made, with its rows', async () => {
  const enrollment = { student: students[0], program, academic_year: year, enrollment_date: '2026-08-03' }
  const made = [
    await resourceClient.make('Student', { first_name: 'Ada' }),
    await resourceClient.make('Student Applicant', { first_name: 'Ada', program, academic_year: year }),
    await resourceClient.make('Guardian', { guardian_name: 'Carmen Dyer' }),
    await resourceClient.make('Program', { program_name: 'Law' }),
    await resourceClient.make('Course', { course_name: 'Contracts' }),
    await resourceClient.make('Room', { room_name: 'Library' }),
    await resourceClient.make('Program Enrollment', enrollment),
  ]
  for (const record of made) assert.equal(record.modified, record.creation ?? 'nothing', String(record.doctype))
  const { data } = await resourceClient.create('Grading Scale', {
    grading_scale_name: 'Letters',
    intervals: [{ grade_code: 'A', threshold: 0 }],
  })
  for (const { modified, creation } of [data, data.intervals[0]]) assert.equal(modified, creation ?? 'nothing')
})
