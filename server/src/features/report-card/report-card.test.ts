import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printedText } from '../../testing/fixtures/files/printed-text.ts'
import {
  anEnrollment,
  aPlan,
  aResult,
  aScale,
  type SeededTenant,
  seedTenant,
} from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const path = 'report_card.get_student_report_card'

/** Two submitted results in Anatomy and one in Ethics, one draft and one cancelled; three days present of four. */
async function aYear(): Promise<SeededTenant & { plans: string[]; results: string[] }> {
  const seededTenant = await seedTenant(service)
  const { resourceClient, students, group } = seededTenant
  await aScale(seededTenant)
  for (const assessment_group_name of ['Midterm', 'Final']) {
    const parent_assessment_group = 'All Assessment Groups'
    await resourceClient.make('Assessment Group', { assessment_group_name, parent_assessment_group })
  }
  const midterm = await aPlan(seededTenant, { assessment_group: 'Midterm', schedule_date: '2026-10-01' })
  const final = await aPlan(seededTenant, { assessment_group: 'Final', schedule_date: '2026-12-01' })
  const ethics = await aPlan(seededTenant, { assessment_group: 'Final', schedule_date: '2026-12-02', course: 'Ethics' })
  const oral = await aPlan(seededTenant, { assessment_group: 'Midterm', schedule_date: '2026-10-02', course: 'Ethics' })
  const submitted = { docstatus: 1 }
  const results = [
    await aResult(seededTenant, midterm, { Written: 50, Oral: 19.5 }, submitted),
    await aResult(seededTenant, final, { Written: 60, Oral: 40 }, submitted),
    await aResult(seededTenant, ethics, { Written: 20, Oral: 13.3 }, submitted),
    await aResult(seededTenant, oral, { Written: 60, Oral: 40 }),
    await aResult(seededTenant, midterm, { Written: 1, Oral: 1 }, { ...submitted, student: students[1] }),
  ].map(({ data, told: reported }) => data?.name ?? assert.fail(reported))
  for (const [day, status, docstatus] of [
    ['2026-09-01', 'Present', 1],
    ['2026-09-02', 'Present', 1],
    ['2026-09-03', 'Absent', 1],
    ['2026-09-04', 'Leave', 1],
    ['2026-09-07', 'Present', 0],
    ['2026-07-31', 'Present', 1],
  ]) {
    const fields = { student: students[0], student_group: group, date: day, status, docstatus }
    await resourceClient.make('Student Attendance', fields)
  }
  await anEnrollment(seededTenant, { docstatus: 1 })
  return { ...seededTenant, plans: [midterm, final, ethics], results }
}

test('a report card has the submitted results of the year, their sums, percentages and grades, and the attendance', async () => {
  const { resourceClient, students, year, plans, results } = await aYear()
  const { status, data } = await resourceClient.call(path, { student: students[0], academic_year: year })
  assert.equal(status, 200)
  const { generated_on, ...card } = data
  assert.match(generated_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
  const detail = (assessment_criteria: string, score: number, maximum_score: number, grade: string) => ({
    assessment_criteria,
    score,
    maximum_score,
    grade,
  })
  assert.deepEqual(card, {
    student: students[0],
    student_name: 'Ada Byron',
    program: 'Nursing',
    academic_year: year,
    academic_term: null,
    courses: [
      {
        course: 'Anatomy',
        course_name: 'Anatomy',
        assessments: [
          {
            assessment_result: results[0],
            assessment_plan: plans[0],
            assessment_group: 'Midterm',
            total_score: 69.5,
            maximum_score: 100,
            grade: 'B',
            details: [detail('Written', 50, 60, 'A'), detail('Oral', 19.5, 40, 'F')],
          },
          {
            assessment_result: results[1],
            assessment_plan: plans[1],
            assessment_group: 'Final',
            total_score: 100,
            maximum_score: 100,
            grade: 'A',
            details: [detail('Written', 60, 60, 'A'), detail('Oral', 40, 40, 'A')],
          },
        ],
        // 169.5 of 200
        total_score: 169.5,
        maximum_score: 200,
        percentage: 84.75,
        grade: 'A',
      },
      {
        course: 'Ethics',
        course_name: 'Ethics',
        assessments: [
          {
            assessment_result: results[2],
            assessment_plan: plans[2],
            assessment_group: 'Final',
            total_score: 33.3,
            maximum_score: 100,
            grade: 'F',
            details: [detail('Written', 20, 60, 'F'), detail('Oral', 13.3, 40, 'F')],
          },
        ],
        total_score: 33.3,
        maximum_score: 100,
        percentage: 33.3,
        grade: 'F',
      },
    ],
    attendance: { total: 4, present: 2, absent: 1, leave: 1, percentage: 50 },
    // 202.8 of 300
    summary: { courses: 2, percentage: 67.6, grade: 'B' },
  })
})

test('without a year that of the term counts, or the current one, or the last in which the student was enrolled', async () => {
  const seededTenant = await aYear()
  const { resourceClient, students, year, term } = seededTenant
  const ask = (args: object) => resourceClient.call(path, { student: students[0], ...args })
  const unset = await resourceClient.call(path, { student: students[1] })
  assert.deepEqual([unset.status, unset.error], [417, 'ValidationError'])
  assert.equal((await ask({})).data.academic_year, year)
  for (const [name, year_start_date, year_end_date] of [
    ['2025-26', '2025-08-01', '2026-06-30'],
    ['2027-28', '2027-08-01', '2028-06-30'],
  ] as const) {
    await resourceClient.make('Academic Year', { academic_year_name: name, year_start_date, year_end_date })
    const docstatus = name === '2025-26' ? 1 : 0
    const enrolled = await anEnrollment(seededTenant, {
      ...{ academic_year: name, enrollment_date: year_start_date, docstatus },
    })
    assert.equal(enrolled.status, 200, enrolled.told)
  }
  const current = (name: string) =>
    resourceClient.update('Education Settings', 'Education Settings', { current_academic_year: name })
  await current('2027-28')
  assert.equal((await ask({ academic_year: null, academic_term: '' })).data.academic_year, year)
  await current('2025-26')
  const { data } = await ask({})
  assert.deepEqual([data.academic_year, data.summary.courses], ['2025-26', 0])
  assert.equal((await resourceClient.call(path, { student: students[1] })).data.academic_year, '2025-26')
  assert.equal((await ask({ academic_term: term })).data.academic_year, year)
})

test('a term keeps to its results; nothing has no percentage and no grade', async () => {
  const { resourceClient, students, year, term } = await aYear()
  const { data } = await resourceClient.call(path, { student: students[0], academic_year: year, academic_term: term })
  assert.deepEqual(data.courses, [])
  assert.deepEqual(data.summary, { courses: 0, percentage: null, grade: null })
  const other = await resourceClient.call(path, { student: students[1], academic_year: year })
  assert.deepEqual(other.data.attendance, { total: 0, present: 0, absent: 0, leave: 0, percentage: null })
  assert.deepEqual([other.data.program, other.data.summary.grade], [null, 'F'])
})

test('a report card of a student, year or term that is not there, or of another form, is refused', async () => {
  const { resourceClient, students, year } = await aYear()
  for (const [args, status, error] of [
    [{ student: 'none', academic_year: year }, 404, 'DoesNotExistError'],
    [{ student: students[0], academic_year: '1999' }, 404, 'DoesNotExistError'],
    [{ student: students[0], academic_year: year, academic_term: 'none' }, 404, 'DoesNotExistError'],
    [{ student: students[0], academic_year: year, format: 'docx' }, 417, 'FrappeTypeError'],
    [{ academic_year: year }, 417, 'FrappeTypeError'],
    [{ student: 5, academic_year: year }, 417, 'FrappeTypeError'],
  ] as const) {
    const response = await resourceClient.call(path, args)
    assert.deepEqual([response.status, response.error], [status, error], response.told)
  }
})

test('only staff reads the report cards of others', async () => {
  const { resourceClient, students, year } = await aYear()
  for (const role of ['Student', 'Instructor']) {
    const { status, error } = await resourceClient.as(role).call(path, { student: students[0], academic_year: year })
    assert.deepEqual([status, error], [403, 'PermissionError'])
  }
  assert.equal(
    (await resourceClient.as('Academics User').call(path, { student: students[0], academic_year: year })).status,
    200,
  )
})

async function loadPdf({ resourceClient }: SeededTenant, method: string, args: object) {
  const { status, answer: response } = await resourceClient.call(method, args)
  assert.equal(status, 200, response.text.slice(0, 500))
  assert.equal(response.headers.get('content-type'), 'application/pdf')
  return { disposition: response.headers.get('content-disposition') ?? '', bytes: response.bytes }
}

test('with format pdf the report card is a printable file with a name, the scores and page numbers', async () => {
  const seededTenant = await aYear()
  const { students, year, tenant } = seededTenant
  const { disposition, bytes } = await loadPdf(seededTenant, path, {
    student: students[0],
    academic_year: year,
    format: 'pdf',
  })
  assert.match(disposition, new RegExp(`Report Card ${students[0]}\\.pdf`))
  assert.match(bytes.toString('latin1'), /^%PDF-1\.\d/)
  const printed = printedText(bytes)
  for (const text of [
    tenant.name,
    'Ada Byron',
    'Nursing',
    'Anatomy',
    'Midterm',
    'Written',
    '69.5',
    '84.75 %',
    'Page 1 of 1',
  ]) {
    assert.ok(printed.includes(text), `${text} in ${printed}`)
  }
})

const preview = 'doctype.student_report_generation_tool.student_report_generation_tool.preview_report_card'

test('preview_report_card prints the assessments of one group, with marks only where they are asked for', async () => {
  const seededTenant = await aYear()
  const { students, year, program } = seededTenant
  const doc = { student: students[0], academic_year: year, program, assessment_group: 'Midterm', show_marks: 0 }
  const plain = printedText((await loadPdf(seededTenant, preview, { doc: JSON.stringify(doc) })).bytes)
  assert.ok(plain.includes('Anatomy') && plain.includes('Midterm') && !plain.includes('Ethics'), plain)
  assert.ok(!plain.includes('69.5') && !plain.includes('84.75 %'), plain)
  const all = {
    ...doc,
    assessment_group: 'All Assessment Groups',
    show_marks: 1,
    parents_meeting: '3',
    parents_attendance: '2',
  }
  const marked = printedText((await loadPdf(seededTenant, preview, { doc: all })).bytes)
  assert.ok(marked.includes('Ethics') && marked.includes('84.75 %') && marked.includes('2 of 3'), marked)
  const rejected = await seededTenant.resourceClient.call(preview, { doc: '{"academic_year":"x"}' })
  assert.deepEqual([rejected.status, rejected.error], [417, 'FrappeTypeError'])
})
