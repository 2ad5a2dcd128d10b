import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const own = await seedTenant(service)

const toDay = (day: number) => `2026-09-${String(day).padStart(2, '0')}`
const span = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 3 }))

test('of leaves of a student, each is taken that shares no day with those taken before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(span, { minLength: 2, maxLength: 4 }), async (spans) => {
      const { studentCode: student } = await aStudent(own.tenant.api)
      const taken = new Set<number>()
      for (const [first, more] of spans) {
        const days = Array.from({ length: more + 1 }, (_, index) => first + index)
        const isFree = days.every((day) => !taken.has(day))
        const leave = { student, from_date: toDay(first), to_date: toDay(first + more), student_group: own.group }
        const { error } = await own.resourceClient.create('Student Leave Application', leave)
        assert.equal(error, isFree ? null : 'ValidationError', JSON.stringify(spans))
        if (isFree) for (const day of days) taken.add(day)
      }
    }),
    { numRuns: 12 },
  )
})

test('a cancelled leave leaves what was marked differently since: who came in spite of it was there', async () => {
  const { resourceClient, group } = own
  const { studentCode: student } = await aStudent(own.tenant.api)
  const { data: members } = await resourceClient.read('Student Group', group)
  const rows = members.students.map(({ name }: { name: string }) => ({ name }))
  await resourceClient.update('Student Group', group, { students: [...rows, { student }] })
  const mark = { student, student_group: group, date: '2026-09-02', status: 'Absent', docstatus: 1 }
  const { name: replaced } = await resourceClient.make('Student Attendance', mark)
  const leave = await resourceClient.make('Student Leave Application', {
    ...{ student, student_group: group, from_date: '2026-09-01', to_date: '2026-09-03', docstatus: 1 },
  })
  const marks = async (docstatus: number) => {
    const filters = JSON.stringify({ student, docstatus })
    const args = { filters, fields: '["name", "date", "status", "leave_application"]', order_by: 'date' }
    return (await resourceClient.list('Student Attendance', args)).data
  }
  const [first] = await marks(1)
  for (const name of [first.name, replaced]) {
    assert.equal((await resourceClient.update('Student Attendance', name, { status: 'Present' })).error, null)
  }
  assert.equal((await resourceClient.cancel('Student Leave Application', leave.name)).error, null)
  assert.deepEqual(await marks(1), [
    { name: first.name, date: '2026-09-01', status: 'Present', leave_application: null },
    { name: replaced, date: '2026-09-02', status: 'Present', leave_application: null },
  ])
  assert.deepEqual(
    (await marks(2)).map(({ date, status }: Record<string, string>) => [date, status]),
    [['2026-09-03', 'Leave']],
  )
  assert.equal((await resourceClient.read('Student Attendance', replaced)).data.status_before_leave, null)
})
