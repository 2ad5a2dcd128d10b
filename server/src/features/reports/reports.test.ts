import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import {
  aFee,
  anEnrollment,
  aPlan,
  aResult,
  aScale,
  type SeededTenant,
  seedTenant,
} from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const seededTenant = await seedTenant(service)
const { tenant, resourceClient, students, group, program, year, courses } = seededTenant
const [ada, alan] = students
const run = async (report_name: string, filters: unknown = {}, caller = aRecordCaller(service, tenant)) => {
  const { status, body } = await (await caller).post('/api/method/frappe.desk.query_report.run', {
    report_name,
    filters,
  })
  const columns = (body.message?.columns ?? []).map(({ fieldname }: { fieldname: string }) => fieldname)
  return {
    status,
    error: body.exc_type ?? null,
    columns,
    rows: body.message?.result,
    chart: body.message?.chart,
    totals: body.message?.add_total_row,
  }
}

test('the report of absent students: without those on a leave that counts as present', async () => {
  const day = '2026-09-01'
  const kept = (student: string, status: string) =>
    resourceClient.make('Student Attendance', { student, student_group: group, date: day, status, docstatus: 1 })
  await kept(ada, 'Absent')
  await kept(alan, 'Present')
  const { status, columns, rows } = await run('Absent Student Report', { date: day })
  assert.deepEqual(
    [status, columns],
    [200, ['student', 'student_name', 'student_group', 'student_email_address', 'student_mobile_no.']],
  )
  assert.deepEqual(
    rows.map((row: Record<string, string>) => [
      row.student,
      row.student_name,
      row.student_group,
      row.student_email_address,
    ]),
    [[ada, 'Ada Byron', group, 'ada@example.org']],
  )
  assert.deepEqual((await run('Absent Student Report', '{"date":"2026-09-02"}')).rows, [])
})

test('attendance reports: a letter per day and totals of the month; the batch report totals a day', async () => {
  const filters = { month: 'Sep', year: '2026', student_group: group }
  const { columns, rows } = await run('Student Monthly Attendance Sheet', filters)
  assert.deepEqual([columns.length, columns[2], columns.at(-1)], [2 + 30 + 3, '1', 'Total Absent'])
  const byStudent = new Map(rows.map((row: Record<string, unknown>) => [row.student, row]))
  const of = (student: string) => byStudent.get(student) as Record<string, unknown>
  assert.deepEqual([of(ada)['1'], of(ada)['Total Absent'], of(alan)['1'], of(alan)['Total Present']], ['A', 1, 'P', 1])
  assert.equal(of(ada)['2'], '')
  const batch = await resourceClient.make('Student Batch Name', { batch_name: 'A1' })
  await resourceClient.make('Student Group', {
    student_group_name: 'Batch A1',
    academic_year: year,
    group_based_on: 'Batch',
    program,
    batch: batch.name,
    students: [{ student: ada }],
  })
  await resourceClient.update('Education Settings', 'Education Settings', { current_academic_year: year })
  const ofDay = await run('Student Batch-Wise Attendance', { date: '2026-09-01' })
  assert.deepEqual(ofDay.rows, [
    {
      student_group: 'Batch A1',
      student_group_strength: 1,
      present_students: 0,
      absent_students: 0,
      leave_students: 0,
      unmarked_students: 1,
    },
  ])
})

test('assessment reports: grade and score per criterion and course, and what is missing per plan', async () => {
  await aScale(seededTenant)
  const assessment_group = (
    await resourceClient.make('Assessment Group', {
      assessment_group_name: 'Finals',
      parent_assessment_group: 'All Assessment Groups',
      is_group: 0,
    })
  ).name
  const plan = await aPlan(seededTenant, { assessment_group })
  await aResult(seededTenant, plan, { Written: 50, Oral: 30 }, { docstatus: 1 })
  const status = await run('Assessment Plan Status', { assessment_group, schedule_date: '2026-12-31' })
  assert.deepEqual(
    status.rows.map((row: Record<string, unknown>) => [
      row.assessment_plan,
      row.student_group_strength,
      row.submitted,
      row.remaining,
    ]),
    [[plan, 2, 1, 1]],
  )
  assert.deepEqual(status.chart, {
    type: 'percentage',
    data: { labels: ['Saved', 'Submitted', 'Remaining'], datasets: [{ values: [0, 1, 1] }] },
  })
  assert.deepEqual((await run('Assessment Plan Status', { schedule_date: '2020-01-01' })).rows, [])
  const filters = { academic_year: year, course: courses[0], assessment_group }
  const wise = await run('Course wise Assessment Report', filters)
  assert.deepEqual(wise.columns, ['student', 'student_name', 'written', 'written_score', 'oral', 'oral_score'])
  assert.deepEqual([wise.rows.length, wise.rows[0].student, wise.rows[0].written_score], [1, ada, 50])
  assert.deepEqual(wise.chart, {
    type: 'bar',
    data: {
      labels: ['Written', 'Oral'],
      datasets: [
        { name: 'A', values: [1, 0] },
        { name: 'B', values: [0, 1] },
      ],
    },
  })
  const all = await run('Course wise Assessment Report', { ...filters, assessment_group: 'All Assessment Groups' })
  assert.deepEqual([all.status, all.error], [417, 'ValidationError'])
  const finals = await run('Final Assessment Grades', { academic_year: year, student_group: group, assessment_group })
  assert.deepEqual(finals.columns.slice(3), ['grade_anatomy', 'score_anatomy'])
  assert.deepEqual([finals.rows[0].student, finals.rows[0].score_anatomy, finals.rows[0].grade_anatomy], [ada, 80, 'A'])
})

test('fee reports: charged and paid amounts by program and by student', async () => {
  const enrollment = await anEnrollment(seededTenant, { docstatus: 1 })
  await aFee(seededTenant, enrollment.data.name, { amount: 1000 })
  const byStudent = await run('Student Fee Collection')
  assert.deepEqual(byStudent.totals, 1)
  assert.deepEqual(byStudent.rows, [
    { student: ada, student_name: 'Ada Byron', paid_amount: 0, outstanding_amount: 1000, grand_total: 1000 },
    ['Total', '', 0, 1000, 1000],
  ])
  for (const [filters, count] of [
    [{ academic_year: year, program }, 2],
    [{ academic_year: '1999-2000' }, 0],
    [{ program: 'None' }, 0],
  ] as const) {
    assert.equal((await run('Student Fee Collection', filters)).rows.length, count, JSON.stringify(filters))
  }
  const time = { from_date: '2026-09-01', to_date: '2026-09-30' }
  const byProgram = await run('Program wise Fee Collection', time)
  assert.deepEqual(byProgram.rows, [
    { program, paid_amount: 0, outstanding_amount: 1000, grand_total: 1000 },
    ['Total', 0, 1000, 1000],
  ])
  assert.deepEqual(byProgram.chart, {
    type: 'bar',
    data: {
      labels: [program],
      datasets: [
        { name: 'Fees Collected', values: [0] },
        { name: 'Outstanding Amt', values: [1000] },
      ],
    },
  })
  const none = await run('Program wise Fee Collection', { ...time, to_date: '2026-08-31' })
  assert.deepEqual([none.rows, none.chart], [[], null])
  assert.equal(byStudent.chart, null)
})

test('the report of contact details: students of a batch with their first two guardians', async () => {
  const guardian = await resourceClient.make('Guardian', {
    guardian_name: 'Annabella',
    mobile_number: '+1 555 010 0100',
  })
  await resourceClient.update('Student', alan, { guardians: [{ guardian: guardian.name, relation: 'Mother' }] })
  await anEnrollment(seededTenant, { student: alan, student_batch_name: 'A1' })
  const filters = { academic_year: year, program, student_batch_name: 'A1' }
  const { rows, columns } = await run('Student and Guardian Contact Details', filters)
  assert.equal(columns.length, 14)
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [
      row.student_id,
      row.guardian1_name,
      row.relation_with_guardian1,
      row.guardian2_name,
    ]),
    [[alan, 'Annabella', 'Mother', null]],
  )
})

const everything: Record<string, object> = {
  'Absent Student Report': { date: '2026-09-01' },
  'Assessment Plan Status': {},
  'Course wise Assessment Report': { academic_year: year, course: courses[0], assessment_group: 'Finals' },
  'Final Assessment Grades': { academic_year: year, student_group: group, assessment_group: 'Finals' },
  'Program wise Fee Collection': { from_date: '2026-01-01', to_date: '2026-12-31' },
  'Student and Guardian Contact Details': { academic_year: year, program, student_batch_name: 'A1' },
  'Student Batch-Wise Attendance': { date: '2026-09-01' },
  'Student Fee Collection': {},
  'Student Monthly Attendance Sheet': { month: 'Sep', year: '2026', student_group: group },
}

const loadScript = async (report_name: string, caller = aRecordCaller(service, tenant)) =>
  (await caller).post('/api/method/frappe.desk.query_report.get_script', { report_name })

test('report scripts: a Frappe page gets the filters of each report, and the report', async () => {
  const me = await aRecordCaller(service, tenant)
  for (const [name, filters] of Object.entries(everything)) {
    const { status, body } = await loadScript(name)
    assert.equal(status, 200, name)
    const page: { query_reports: Record<string, { filters: Record<string, unknown>[] }> } = { query_reports: {} }
    runInNewContext(body.message.script, { frappe: page })
    const fields = page.query_reports[name]?.filters ?? []
    assert.deepEqual(JSON.parse(JSON.stringify(fields)), body.message.filters)
    const required = [...body.message.filters].filter(({ reqd }) => reqd === 1).map(({ fieldname }) => fieldname)
    assert.deepEqual(required.sort(), Object.keys(filters).sort(), name)
    for (const { fieldtype, options } of fields) {
      if (fieldtype === 'Link') assert.equal((await me.get(`/api/resource/DocType/${options}`)).status, 200)
    }
    assert.deepEqual([body.message.html_format, body.message.execution_time], [null, 0])
    const loaded = await me.post('/api/method/frappe.desk.form.load.getdoc', { doctype: 'Report', name })
    const [report] = loaded.body.docs
    assert.deepEqual([report.name, report.report_type, report.disabled], [name, 'Script Report', 0])
    assert.equal((await me.get(`/api/resource/DocType/${report.ref_doctype}`)).status, 200)
    assert.equal(report.filters.length, fields.length)
  }
  const names = (await me.get('/api/resource/Report')).body.data.map((each: { name: string }) => each.name)
  assert.deepEqual(names, Object.keys(everything).sort())
  const month = (await loadScript('Student Monthly Attendance Sheet')).body.message.filters[0]
  assert.deepEqual([month.label, month.fieldtype, month.options.split('\n').length], ['Month', 'Select', 12])
  assert.equal((await loadScript('Nonsense')).status, 404)
  assert.equal((await loadScript('constructor')).status, 404)
})

test('reports: a caller without the right learns nothing of them', async () => {
  const name = 'Student and Guardian Contact Details'
  const accounts = await aRecordCaller(service, tenant, ['Accounts User'])
  assert.equal((await loadScript(name, Promise.resolve(accounts))).body.exc_type, 'PermissionError')
  assert.deepEqual((await accounts.get('/api/resource/Report')).body.data, [{ name: 'Program wise Fee Collection' }])
  assert.equal((await accounts.get(`/api/resource/Report/${name}`)).status, 404)
  for (const role of ['Student', 'Guardian']) {
    const caller = await aRecordCaller(service, tenant, [role])
    assert.equal((await loadScript(name, Promise.resolve(caller))).status, 403)
    assert.equal((await caller.get('/api/resource/Report')).status, 403)
  }
})

test('reports: students, guardians and staff without a role are rejected', async () => {
  for (const roles of [['Student'], ['Guardian'], ['Student', 'Guardian'], ['Blogger']]) {
    const caller = aRecordCaller(service, tenant, roles)
    for (const [name, filters] of Object.entries(everything)) {
      const { status, error, rows } = await run(name, filters, caller)
      assert.deepEqual([name, roles, status, error, rows], [name, roles, 403, 'PermissionError', undefined])
    }
  }
  const accounts = aRecordCaller(service, tenant, ['Accounts User'])
  const [fees, contacts] = ['Program wise Fee Collection', 'Student and Guardian Contact Details'] as const
  assert.equal((await run(fees, everything[fees], accounts)).status, 200)
  assert.equal((await run(contacts, everything[contacts], accounts)).status, 403)
})

test('reports: show nothing of another institution with the same names', async () => {
  const other = await seedTenant(service)
  await other.resourceClient.make('Student Batch Name', { batch_name: 'A1' })
  const caller = aRecordCaller(service, (other as SeededTenant).tenant)
  for (const [name, filters] of Object.entries(everything)) {
    const { status, rows } = await run(name, filters, caller)
    assert.equal(status, 200, name)
    const text = JSON.stringify(rows)
    assert.ok(!text.includes('"P"') && !text.includes('Annabella') && !text.includes('1000'), `${name}: ${text}`)
  }
})

test('reports: unknown ones, missing filters and hostile values are rejected', async () => {
  const unknown = await run('Nonsense')
  assert.deepEqual([unknown.status, unknown.error], [404, 'DoesNotExistError'])
  for (const [name, filters] of [
    ['Absent Student Report', {}],
    ['Absent Student Report', { date: "2026-09-01'; drop table fees; --" }],
    ['Absent Student Report', { date: ['2026-09-01'] }],
    ['Absent Student Report', { date: '2026-02-30' }],
    ['Student Monthly Attendance Sheet', { month: 'Undecimber', year: '2026', student_group: group }],
    ['Student Monthly Attendance Sheet', { month: 'Sep', year: '99999', student_group: group }],
    ['Program wise Fee Collection', { from_date: '2026-09-01' }],
  ] as const) {
    const { status, error } = await run(name, filters)
    assert.deepEqual([name, status, error], [name, 417, 'ValidationError'])
  }
  assert.equal((await run('Absent Student Report', '[1]')).status, 417)
  assert.equal((await run('Absent Student Report', '{')).status, 400)
  const injected = await run('Assessment Plan Status', { assessment_group: "x' or '1'='1" })
  assert.deepEqual(injected.rows, [])
})
