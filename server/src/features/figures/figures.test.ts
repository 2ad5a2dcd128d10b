import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPerson } from '../../testing/fixtures/factories.ts'
import { anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const today = new Date().toISOString().slice(0, 10)

const read = async (tenant: Parameters<typeof aPerson>[1], roles: string[]) => {
  const { status, body, text } = await (await aPerson(service, tenant, roles)).caller.get('/console/v1/figures')
  assert.equal(status, 200, text)
  return body.data
}

test('figures count attendance by week, collections against due, and enrolment by program, for those who may read it all', async () => {
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, students, group, year } = seeded
  for (const [at, status] of (['Absent', 'Present'] as const).entries()) {
    const fields = { student: students[at], student_group: group, date: today, status, docstatus: 1 }
    await resourceClient.make('Student Attendance', fields)
  }
  await anEnrollment(seeded, { docstatus: 1 })
  const [student] = (await tenant.api.get('/students')).body.data
  const payment = { studentId: student.id, amount: 100, description: 'Fee', dueDate: today }
  assert.equal((await tenant.api.post('/payments', payment)).status, 201)
  const [account] = (await tenant.api.get(`/billing/accounts?studentId=${student.id}`)).body.data
  for (const amount of [30, 10]) {
    const receipt = { accountId: account.id, receivedOn: today, method: 'cash', amount }
    const posted = await tenant.api.post('/billing/receipts', receipt)
    assert.equal(posted.status, 201, posted.text)
    if (amount === 10) {
      assert.equal((await tenant.api.post(`/billing/receipts/${posted.body.data.id}/reverse`, {})).status, 200)
    }
  }
  const all = await read(tenant, ['System Manager'])
  const { week, ...counts } = all.attendance.at(-1)
  assert.deepEqual([all.attendance.length, counts, new Date(week).getUTCDay()], [8, { present: 1, absent: 1 }, 1])
  const { month, ...money } = all.collections.at(-1)
  assert.deepEqual([all.collections.length, money, month], [6, { due: 100, received: 30 }, `${today.slice(0, 7)}-01`])
  assert.deepEqual([all.academicYear, all.enrollment], [year, [{ program: 'Nursing', students: 1 }]])
  const bursar = await read(tenant, ['Accounts User'])
  assert.deepEqual([bursar.attendance, bursar.collections.length], [null, 6])
  const teacher = await read(tenant, ['Instructor'])
  assert.deepEqual([teacher.attendance, teacher.collections, teacher.enrollment], [null, null, null])
})

test('figures of an institution without anything are empty, and of nobody else', async () => {
  const there = await service.tenant()
  const { attendance, collections, academicYear, enrollment } = await read(there, ['System Manager'])
  assert.deepEqual([attendance.length, collections.length, academicYear, enrollment], [8, 6, null, []])
  assert.ok(attendance.every(({ present, absent }: Record<string, number>) => present === 0 && absent === 0))
})
