import { sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'
import type { LoadedCard, ReportCard, ReportPeriod } from './report-card.ts'

/** An issued card as it is stored. */
export interface Issue {
  readonly student: string
  readonly edition: number
  readonly result_names: string
  readonly card: string
}

/** The newest edition of the cards of students in a period. */
export async function loadIssues(work: RecordWork, students: readonly string[], period: ReportPeriod) {
  const rows = await work.tx.query<Issue>(sql`
    select distinct on (student) student, edition, result_names, card from issued_report_cards
     where tenant_id = ${work.tx.tenantId} and student = any(${students}::text[])
       and academic_year = ${period.academic_year} and academic_term is not distinct from ${period.academic_term}
     order by student, edition desc`)
  return new Map(rows.map((row) => [row.student, row]))
}

/** How the results that a card is made of are stored. */
export const toText = (names: readonly string[]): string => names.join(' ')

/** The issued cards, by student, of those that are made of the same results. */
export async function findIssuedCards(
  work: RecordWork,
  loaded: readonly LoadedCard[],
  period: ReportPeriod,
): Promise<ReadonlyMap<string, ReportCard>> {
  const posted = loaded.filter(({ isPosted }) => isPosted)
  if (posted.length === 0) return new Map()
  const issues = await loadIssues(
    work,
    posted.map(({ card }) => card.student),
    period,
  )
  const found = posted.flatMap(({ card: { student }, resultNames }): [string, ReportCard][] => {
    const issue = issues.get(student)
    return issue?.result_names === toText(resultNames) ? [[student, JSON.parse(issue.card) as ReportCard]] : []
  })
  return new Map(found)
}
