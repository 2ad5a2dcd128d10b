import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CourseScore, ReportCard } from './report-card.ts'
import { reportCardPdf } from './report-card-pdf.ts'

function aCourse(number: number): CourseScore {
  const details = Array.from({ length: 6 }, (_, index) => ({
    assessment_criteria: `Criterion ${index}`,
    score: 1,
    maximum_score: 2,
    grade: 'B',
  }))
  const assessment = {
    assessment_result: 'R',
    assessment_plan: 'P',
    assessment_group: null,
    total_score: 6,
    maximum_score: 12,
    grade: 'B',
    details,
  }
  const name = `Course ${number}`
  const sums = { total_score: 6, maximum_score: 12, percentage: 50, grade: 'B' }
  return { course: name, course_name: name, assessments: [assessment], ...sums }
}

const aCard = (courses: number, student_name: string): ReportCard => ({
  student: 'EDU-STU-2026-00001',
  student_name,
  program: null,
  academic_year: '2026-27',
  academic_term: null,
  courses: Array.from({ length: courses }, (_, index) => aCourse(index)),
  attendance: { total: 0, present: 0, absent: 0, leave: 0, percentage: null },
  summary: { courses, percentage: null, grade: null },
  generated_on: '2026-12-20 10:15:00.000000',
})

async function loadPages(courses: number, name = 'Ada Byron'): Promise<number> {
  const pdf = await reportCardPdf(aCard(courses, name), { institution: 'School', showMarks: true })
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
}

test('a report card has as many pages as its courses need', async () => {
  assert.equal(await loadPages(0), 1)
  assert.equal(await loadPages(2), 1)
  assert.equal(await loadPages(4), 2)
  assert.ok((await loadPages(60)) >= 15)
})

test('a name in any script and of any length is printed', async () => {
  for (const name of ['Łukasz Żółć', '李明', 'محمد', '😀', 'x'.repeat(140), ''])
    assert.equal(await loadPages(1, name), 1)
})
