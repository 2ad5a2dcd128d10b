import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aSchool, enroll, make, type School, year } from './fee-school.fixture.ts'

const service = await startTestService()

const postingDate = '2026-10-01'

let groups = 0

async function aGroup({ records }: School, students: readonly object[]): Promise<string> {
  groups += 1
  const fields = { student_group_name: `Group ${groups}`, group_based_on: 'Activity', academic_year: year, students }
  return (await make(records, 'Student Group', fields)).name
}

async function aSchedule(school: School, named: readonly string[], fields = {}) {
  return make(school.records, 'Fee Schedule', {
    fee_structure: school.structure,
    academic_year: year,
    posting_date: postingDate,
    due_date: '2026-10-31',
    company: school.tenant.name,
    student_groups: named.map((student_group) => ({ student_group })),
    docstatus: 1,
    ...fields,
  })
}

async function charge(school: School, schedule: { name: string }) {
  const call = { dt: 'Fee Schedule', dn: schedule.name, method: 'create_fees' }
  const created = await school.records.post('/api/method/run_doc_method', call)
  assert.equal(created.status, 200, created.text)
  const filters = JSON.stringify({ fee_schedule: schedule.name })
  const fees = await school.records.get(
    `/api/resource/Fees?limit_page_length=0&fields=["student","program_enrollment","grand_total"]&filters=${filters}`,
  )
  const read = await school.records.get(`/api/resource/Fee Schedule/${schedule.name}`)
  return { fees: fees.body.data as { student: string; grand_total: number }[], schedule: read.body.data }
}

async function update(school: School, type: string, name: string, fields: object) {
  const { status, text } = await school.records.put(`/api/resource/${type}/${encodeURIComponent(name)}`, fields)
  assert.equal(status, 200, text)
}

test('fee schedules: who left by the posting date, is disabled, or has a cancelled enrolment is not charged', async () => {
  const school = await aSchool(service)
  const [stays, leavesLater, leavesToday, disabled, cancelled] = await Promise.all(
    Array.from({ length: 5 }, () => enroll(school)),
  )
  const everybody = [stays, leavesLater, leavesToday, disabled, cancelled] as { student: string; enrollment: string }[]
  const group = await aGroup(
    school,
    everybody.map(({ student }) => ({ student })),
  )
  const joined = { joining_date: '2026-08-15' }
  await update(school, 'Student', leavesLater?.student as string, { ...joined, date_of_leaving: '2026-10-02' })
  await update(school, 'Student', leavesToday?.student as string, { ...joined, date_of_leaving: postingDate })
  await update(school, 'Student', disabled?.student as string, { enabled: 0 })
  await update(school, 'Program Enrollment', cancelled?.enrollment as string, { docstatus: 2 })
  const made = await charge(school, await aSchedule(school, [group]))
  assert.deepEqual(made.fees.map(({ student }) => student).sort(), [stays?.student, leavesLater?.student].sort())
  const { created_fees, created_total, grand_total, student_groups } = made.schedule
  assert.deepEqual([created_fees, created_total, grand_total], [2, 2400, 2400])
  assert.deepEqual(
    student_groups.map((row: Record<string, unknown>) => [row.total_students, row.created_fees, row.created_total]),
    [['2', 2, 2400]],
  )
})

test('fee schedules: the totals follow the members of a group and the enrolments until the fees are created', async () => {
  const school = await aSchool(service)
  const [first, second] = [await enroll(school), await enroll(school)]
  const group = await aGroup(school, [{ student: first.student }])
  const schedule = await aSchedule(school, [group])
  const totals = async () => {
    const { data } = (await school.records.get(`/api/resource/Fee Schedule/${schedule.name}`)).body
    return [data.student_groups[0].total_students, data.grand_total, data.created_fees, data.created_total]
  }
  assert.deepEqual(await totals(), ['1', 1200, 0, 0])
  await update(school, 'Student Group', group, {
    students: [{ student: first.student }, { student: second.student }],
  })
  assert.deepEqual(await totals(), ['2', 2400, 0, 0])
  await update(school, 'Program Enrollment', second.enrollment, { docstatus: 2 })
  assert.deepEqual(await totals(), ['1', 1200, 0, 0])
  await charge(school, schedule)
  assert.deepEqual(await totals(), ['1', 1200, 1, 1200])
  await update(school, 'Student Group', group, { students: [] })
  assert.deepEqual(await totals(), ['1', 1200, 1, 1200])
  const [audit] = await service.database.inspect<{ count: number }>(
    `select count(*)::int as count from audit_entries where tenant_id = $1 and action = 'fee_schedule.updated'`,
    [school.tenant.id],
  )
  assert.ok((audit?.count ?? 0) >= 3)
})

test('fee schedules: somebody who is enrolled in both terms of a year is charged once for the year', async () => {
  const school = await aSchool(service)
  const term = async (term_name: string, term_start_date: string, term_end_date: string) =>
    (await make(school.records, 'Academic Term', { academic_year: year, term_name, term_start_date, term_end_date }))
      .name
  const autumn = await term('Autumn', '2026-08-01', '2026-12-31')
  const spring = await term('Spring', '2027-01-01', '2027-07-31')
  const { student, enrollment } = await enroll(school, { academic_term: autumn })
  const later = { student, program: 'Physics', academic_year: year, academic_term: spring, docstatus: 1 }
  const second = await make(school.records, 'Program Enrollment', { ...later, enrollment_date: '2027-01-10' })
  const group = await aGroup(school, [{ student }])
  const whole = await charge(school, await aSchedule(school, [group]))
  assert.deepEqual(
    whole.fees.map((fee) => [fee.student, fee.grand_total]),
    [[student, 1200]],
  )
  const byTerm = await charge(school, await aSchedule(school, [group], { academic_term: autumn }))
  assert.deepEqual(byTerm.fees, [{ student, program_enrollment: enrollment, grand_total: 1200 }])
  assert.equal(whole.schedule.student_groups[0].total_students, '1')
  assert.notEqual(second.name, enrollment)
})

test('instalments: a schedule is the amount of its row, and what is proposed is what is made', async () => {
  const school = await aSchool(service)
  const { records } = school
  const structure = await make(records, 'Fee Structure', {
    program: 'Physics',
    academic_year: year,
    docstatus: 1,
    components: [
      { fees_category: 'Tuition', amount: 1000 },
      { fees_category: 'Laboratory', amount: 100.05 },
    ],
  })
  const group = await aGroup(school, [])
  const methods = '/api/method/education.education.doctype.fee_structure.fee_structure'
  const proposed = await records.post(`${methods}.get_amount_distribution_based_on_fee_plan`, {
    components: JSON.stringify(structure.components),
    total_amount: structure.total_amount,
    fee_plan: 'Monthly',
  })
  const { distribution, per_component_amount } = proposed.body.message
  const makeSchedules = async (rows: readonly object[]) => {
    const before = await listSchedules()
    const made = await records.post(`${methods}.make_fee_schedule`, {
      source_name: structure.name,
      dialog_values: JSON.stringify({ distribution: rows, student_groups: [{ student_group: group }] }),
      per_component_amount: JSON.stringify(per_component_amount),
      total_amount: structure.total_amount,
    })
    return { made, amounts: (await listSchedules()).slice(before.length) }
  }
  const listSchedules = async (): Promise<number[]> => {
    const filters = JSON.stringify({ fee_structure: structure.name })
    const path = `/api/resource/Fee Schedule?limit_page_length=0&fields=["total_amount"]&order_by=name asc&filters=${filters}`
    return (await records.get(path)).body.data.map((row: { total_amount: number }) => row.total_amount)
  }
  const asProposed = await makeSchedules(distribution)
  assert.equal(asProposed.made.body.message, 12, asProposed.made.text)
  assert.deepEqual(
    asProposed.amounts,
    distribution.map(({ amount }: { amount: number }) => amount),
  )
  assert.equal(Math.round(asProposed.amounts.reduce((all, each) => all + each * 100, 0)), 110005)
  const due_date = distribution[0].due_date
  const own = await makeSchedules([{ due_date, amount: 700 }, { due_date, amount: '300.05' }, { due_date }])
  assert.deepEqual(own.amounts, [700, 300.05, 100])
  const { made: negative, amounts } = await makeSchedules([{ due_date, amount: -1 }])
  assert.deepEqual([negative.status, negative.body.exc_type, amounts], [417, 'ValidationError', []])
  assert.match(negative.body.exception, /Row #1: the amount -1/)
})

interface Person {
  readonly state: 'there' | 'disabled' | 'left' | 'leaving'
  readonly isEnrolled: boolean
  readonly isCancelled: boolean
  readonly isOther: boolean
  readonly groups: readonly (null | 'active' | 'inactive')[]
}

const person: fc.Arbitrary<Person> = fc.record({
  state: fc.constantFrom('there', 'there', 'disabled', 'left', 'leaving'),
  isEnrolled: fc.boolean(),
  isCancelled: fc.boolean(),
  isOther: fc.boolean(),
  groups: fc.array(fc.constantFrom(null, 'active', 'inactive'), { minLength: 2, maxLength: 2 }),
})

test('fee schedules: the fees that are created are those of a naive list, whoever is in the groups', async () => {
  const school = await aSchool(service)
  const { records } = school
  await make(records, 'Program', { program_name: 'Chemistry' })
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 6 }), async (people) => {
      const made = []
      for (const each of people) {
        const student = (await make(records, 'Student', { first_name: 'Ada' })).name
        const enrol = async (program: string, isCancelled: boolean) => {
          const fields = { student, program, academic_year: year, enrollment_date: '2026-08-15', docstatus: 1 }
          const { name } = await make(records, 'Program Enrollment', fields)
          if (isCancelled) await update(school, 'Program Enrollment', name, { docstatus: 2 })
        }
        if (each.isEnrolled) await enrol('Physics', each.isCancelled)
        if (each.isOther) await enrol('Chemistry', false)
        made.push({ ...each, student })
      }
      const named = []
      for (const index of [0, 1]) {
        const members = made.flatMap(({ student, groups: of }) =>
          of[index] === null ? [] : [{ student, active: of[index] === 'active' ? 1 : 0 }],
        )
        named.push(await aGroup(school, members))
      }
      for (const { student, state } of made) {
        if (state === 'disabled') await update(school, 'Student', student, { enabled: 0 })
        const joined = { joining_date: '2026-08-15' }
        if (state === 'left') await update(school, 'Student', student, { ...joined, date_of_leaving: postingDate })
        if (state === 'leaving') await update(school, 'Student', student, { ...joined, date_of_leaving: '2026-10-02' })
      }
      const expected = made.filter(
        ({ state, isEnrolled, isCancelled, groups: of }) =>
          isEnrolled && !isCancelled && of.includes('active') && (state === 'there' || state === 'leaving'),
      )
      const schedule = await aSchedule(school, named)
      assert.equal(schedule.grand_total, expected.length * 1200)
      if (expected.length === 0) {
        const call = { dt: 'Fee Schedule', dn: schedule.name, method: 'create_fees' }
        assert.equal((await records.post('/api/method/run_doc_method', call)).status, 417)
        return
      }
      const charged = await charge(school, schedule)
      assert.deepEqual(charged.fees.map(({ student }) => student).sort(), expected.map(({ student }) => student).sort())
      assert.deepEqual(
        [charged.schedule.created_fees, charged.schedule.created_total],
        [expected.length, expected.length * 1200],
      )
    }),
    { numRuns: 6 },
  )
})

test('get_total_students: counts on the day that is named', async () => {
  const school = await aSchool(service)
  const { student } = await enroll(school)
  const group = await aGroup(school, [{ student }])
  await update(school, 'Student', student, { date_of_leaving: postingDate })
  const caller = await aRecordCaller(service, school.tenant, ['Accounts User'])
  const path = '/api/method/education.education.doctype.fee_schedule.fee_schedule.get_total_students'
  for (const [day, total] of [
    ['2026-09-30', 1],
    [postingDate, 0],
  ] as const) {
    const query = new URLSearchParams({ student_group: group, academic_year: year, posting_date: day })
    assert.deepEqual((await caller.get(`${path}?${query}`)).body, { message: total }, day)
  }
})
