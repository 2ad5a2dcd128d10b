import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { aPerson } from '../../testing/fixtures/factories.ts'
import { aLesson, anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { withinASecond } from '../../testing/fixtures/waiting.ts'

const service = await startTestService()

/** Sets the clock of this process and of its service. The database keeps its own. */
function itIs(moment: string): void {
  mock.timers.reset()
  mock.timers.enable({ apis: ['Date'], now: Date.parse(moment) })
}

afterEach(() => mock.timers.reset())

/** Half an hour before the local midnight that begins 1 September 2026, and half an hour after it. */
const midnights = [
  { timeZone: 'Pacific/Pago_Pago', before: '2026-09-01T10:30:00Z', after: '2026-09-01T11:30:00Z' },
  { timeZone: 'Pacific/Kiritimati', before: '2026-08-31T09:30:00Z', after: '2026-08-31T10:30:00Z' },
  { timeZone: 'Asia/Kathmandu', before: '2026-08-31T17:45:00Z', after: '2026-08-31T18:45:00Z' },
] as const

const day = '2026-09-01'

for (const { timeZone, before, after } of midnights) {
  test(`in ${timeZone}: rolls, sheets, cards and profiles are of the local day`, async () => {
    itIs(before)
    const seeded = await seedTenant(service, { timeZone })
    const { resourceClient, students, group, year } = seeded
    const [ada] = students
    await anEnrollment(seeded, { docstatus: 1 })
    await aLesson(seeded)
    const { caller } = await aPerson(service, seeded.tenant, ['Academics User'])
    const marked = { student: ada, student_group: group, date: day, status: 'Absent', docstatus: 1 }
    await resourceClient.make('Student Attendance', marked)
    const reads = async () => {
      const rolls = await caller.get(`/console/v1/roll-calls?date=${day}`)
      const filters = { month: 'Sep', year: '2026', student_group: group }
      const sheet = await caller.get(
        `/api/method/frappe.desk.query_report.run?report_name=Student Monthly Attendance Sheet&filters=${JSON.stringify(filters)}`,
      )
      const row = sheet.body.message.result.find((each: Record<string, unknown>) => each.student === ada)
      const card = await resourceClient.call('report_card.get_student_report_card', {
        student: ada,
        academic_year: year,
      })
      const profile = await caller.get(`/console/v1/student-profile?student=${ada}`)
      const { today, now } = rolls.body.data
      return {
        clock: [today, now],
        onSheet: row['Total Absent'],
        onCard: card.data.attendance.absent ?? 0,
        isWarned: profile.body.data.warnings.map(({ code }: { code: string }) => code).includes('absent_today'),
      }
    }
    assert.deepEqual(await reads(), { clock: ['2026-08-31', '23:30'], onSheet: 0, onCard: 0, isWarned: false })
    itIs(after)
    assert.deepEqual(await reads(), { clock: [day, '00:30'], onSheet: 1, onCard: 1, isWarned: true })
  })

  test(`in ${timeZone}: who is withdrawn without a day leaves on the local one`, async () => {
    for (const [moment, expected] of [
      [before, '2026-08-31'],
      [after, day],
    ] as const) {
      itIs(moment)
      const seeded = await seedTenant(service, { timeZone })
      await anEnrollment(seeded, { docstatus: 1 })
      const { status, data } = await seeded.resourceClient.call('api.withdraw_student', { student: seeded.students[0] })
      assert.deepEqual([status, data.exit_date], [200, expected])
    }
  })
}

test('in a suspended institution nobody marks attendance, and who marks it afterwards is as before', async () => {
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, students, group } = seeded
  const { caller } = await aPerson(service, tenant, ['Academics User'])
  const address = `/console/v1/roll-calls/${encodeURIComponent(group)}/${day}`
  const call = () =>
    caller
      .with({ 'idempotency-key': crypto.randomUUID() })
      .send('PUT', address, { students: students.map((student) => ({ student, status: 'Present' })) })
  const mark = () => resourceClient.call('api.mark_attendance', { students_present: '[]', students_absent: '[]' })
  const isRejected = async () => (await caller.get(`/console/v1/roll-calls?date=${day}`)).status === 403
  await tenant.change({ status: 'suspended' })
  await withinASecond(isRejected)
  for (const { status } of [await call(), await mark()]) assert.equal(status, 403)
  const count = () =>
    service.database.inspect<{ count: number }>(
      'select count(*)::integer as count from student_attendances where tenant_id = $1',
      [tenant.id],
    )
  assert.deepEqual(await count(), [{ count: 0 }])
  await tenant.change({ status: 'active' })
  await withinASecond(async () => !(await isRejected()))
  assert.equal((await call()).status, 200)
  assert.deepEqual(await count(), [{ count: students.length }])
})
