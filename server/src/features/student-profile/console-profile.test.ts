import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocument, aPerson, aProfile, aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const manager = await aPerson(service, tenant)
const read = ({ caller }: typeof manager, student: string) =>
  caller.get(`/console/v1/student-profile?${new URLSearchParams({ student })}`)

const student = await aStudent(api, { fullName: 'José García Peña', dateOfBirth: '2009-04-12' })
const name = student.studentCode as string
for (const [amount, dueDate] of [
  [120, '2020-01-01'],
  [80, '2099-01-01'],
] as const) {
  const payment = { studentId: student.id, amount, description: `Fee ${amount}`, dueDate }
  assert.equal((await api.post('/payments', payment)).status, 201)
}
await aProfile(service, tenant, 'student', [{ key: 'birth_certificate' }, { key: 'other' }])
const document = await aDocument(service, api, { entityType: 'student', entityId: student.id })
assert.equal((await api.patch(`/vault/documents/${document.id}`, { status: 'approved' })).status, 200)

test('one call answers who it is, what is owed, which papers are missing, and the newest of each part', async () => {
  const { status, body, text } = await read(manager, name)
  assert.equal(status, 200, text)
  const { data } = body
  assert.deepEqual((await read(manager, student.id)).body.data.name, name)
  assert.deepEqual(
    [data.id, data.name, data.fullName, data.dateOfBirth],
    [student.id, name, 'José García Peña', '2009-04-12'],
  )
  assert.deepEqual([data.money.outstanding, data.money.overdue], [200, 120])
  assert.deepEqual([data.documents.required, data.documents.complete, data.documents.missing.length], [2, 1, 1])
  assert.deepEqual(
    data.payments.newest.map(({ title }: { title: string }) => title),
    ['Fee 80', 'Fee 120'],
  )
  assert.deepEqual([data.payments.total, data.papers.total, data.enrollments.total, data.groups], [2, 1, 0, []])
  assert.deepEqual(data.attendance, { today: null, absences: 0 })
  assert.deepEqual(data.warnings, [
    { code: 'overdue_payments', count: 1 },
    { code: 'missing_documents', count: 1 },
  ])
})

test('what is owed counts every currency, each by itself, and the institution’s first', async () => {
  const there = await service.tenant({ currency: 'HUF' })
  const person = await aPerson(service, there)
  const { id } = await aStudent(there.api, { fullName: 'Nagy Anna' })
  const owed = async () => (await read(person, id)).body.data
  assert.deepEqual((await owed()).money, { currency: 'HUF', outstanding: 0, overdue: 0, byCurrency: [] })
  for (const [amount, currency, dueDate] of [
    [1250.75, 'HUF', '2099-01-01'],
    [10, 'EUR', '2020-01-01'],
    [2.5, 'EUR', '2099-01-01'],
    [7, 'CHF', '2099-01-01'],
  ] as const) {
    const payment = { studentId: id, amount, currency, description: 'Fee', dueDate }
    assert.equal((await there.api.post('/payments', payment)).status, 201)
  }
  const { money, warnings } = await owed()
  assert.deepEqual(money, {
    currency: 'HUF',
    outstanding: 1250.75,
    overdue: 0,
    byCurrency: [
      { currency: 'HUF', outstanding: 1250.75, overdue: 0 },
      { currency: 'CHF', outstanding: 7, overdue: 0 },
      { currency: 'EUR', outstanding: 12.5, overdue: 10 },
    ],
  })
  assert.deepEqual(warnings, [{ code: 'overdue_payments', count: 1 }])
})

test('each part is for those who may read it', async () => {
  const bursar = (await read(await aPerson(service, tenant, ['Accounts User']), name)).body
  const registrar = (await read(await aPerson(service, tenant, ['Academics User']), name)).body.data
  assert.deepEqual([registrar.money, registrar.payments, registrar.papers.total], [null, null, 1])
  assert.deepEqual([bursar.data.money.overdue, bursar.data.papers], [120, null])
  const family = await aPerson(service, tenant, ['Guardian'])
  const rejected = await read(family, name)
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_role'])
  const theirs = await service.tenant()
  const foreign = await read(await aPerson(service, theirs), name)
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'resource_not_found'])
})

test('a profile names the groups that the student is in today', async () => {
  const there = await seedTenant(service)
  const person = await aPerson(service, there.tenant)
  const [ada, alan] = there.students
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  for (const [student_group_name, row] of [
    ['Former', { to_date: day(-2) }],
    ['Later', { from_date: day(2) }],
    ['Now', { from_date: day(-2), to_date: day(2) }],
  ] as const) {
    await there.resourceClient.make('Student Group', {
      ...{ student_group_name, academic_year: there.year, group_based_on: 'Activity' },
      students: [{ student: alan }, { student: ada, ...row }],
    })
  }
  assert.deepEqual((await read(person, ada)).body.data.groups, ['Now', there.group])
})
