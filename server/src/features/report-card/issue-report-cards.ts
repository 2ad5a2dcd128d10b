import { issuedReportCard } from '@matricula/contract/record-types'
import type { RecordWork } from '../../record-engine/index.ts'
import { loadIssues, toText } from './issued-cards.ts'
import { loadReportCards } from './load-report-cards.ts'
import type { ReportPeriod } from './report-card.ts'

/** Issues the cards of students in a period whose marks are all posted, unless the same results were issued before. */
export async function issueReportCards(
  work: RecordWork,
  students: readonly string[],
  period: ReportPeriod,
): Promise<void> {
  const loaded = await loadReportCards(work, students, period)
  const due = loaded.filter(({ isPosted, card }) => isPosted && card.posted === undefined)
  const issues = await loadIssues(
    work,
    due.map(({ card }) => card.student),
    period,
  )
  for (const { card, resultNames } of due) {
    const edition = (issues.get(card.student)?.edition ?? 0) + 1
    await work.insert(issuedReportCard, {
      student: card.student,
      student_name: card.student_name,
      academic_year: card.academic_year,
      academic_term: card.academic_term,
      edition,
      issued_on: work.now,
      result_names: toText(resultNames),
      card: JSON.stringify({ ...card, posted: { edition, issued_on: work.now } }),
    })
  }
}
