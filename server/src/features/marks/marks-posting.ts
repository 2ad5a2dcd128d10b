import { academicTerm, marksPosting } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { lockMarks } from '../assessment/index.ts'
import { issueReportCards } from '../report-card/index.ts'

type Posting = RecordOf<typeof marksPosting>

/** The condition on the alias `r` that a result is of what a posting posts. */
export function belongsToPosting({ course, academic_year, academic_term: term, student_group: group }: Posting): Sql {
  return sql`r.course = ${course} and r.academic_year = ${academic_year}
    and (${term}::text is null or r.academic_term = ${term})
    and (${group}::text is null or r.student_group = ${group})`
}

const fields = Object.keys(marksPosting.fields) as (keyof typeof marksPosting.fields)[]

function refuseChange(document: Posting, _work: RecordWork, before: Posting | null): void {
  if (before === null || fields.every((field) => (document[field] || null) === (before[field] || null))) return
  throw new RecordError('ValidationError', 'A posting cannot be changed. Use correct_marks to correct a mark.')
}

function refuseDeletion(): void {
  throw new RecordError('ValidationError', 'Posted marks stay posted. Use correct_marks to correct a mark.')
}

async function setScope(document: Posting, work: RecordWork): Promise<void> {
  document.academic_term = document.academic_term || null
  document.student_group = document.student_group || null
  const term = await work.linked(academicTerm, document.academic_term)
  const year = term?.academic_year ?? null
  if (year !== null && document.academic_year && document.academic_year !== year) {
    throw new RecordError(
      'ValidationError',
      `The Academic Term ${document.academic_term} is not of the Academic Year ${document.academic_year}, but of ${year}.`,
    )
  }
  document.academic_year = document.academic_year || year
  if (document.academic_year) return
  throw new RecordError('ValidationError', 'Name the Academic Term, or the Academic Year, whose marks are posted.')
}

interface Counted {
  readonly drafts: number
  readonly submitted: number
  readonly is_posted: boolean
}

async function requireComplete(document: Posting, work: RecordWork, before: Posting | null): Promise<void> {
  if (before !== null) return
  const { course, academic_year: year, academic_term: term, student_group: group } = document
  await lockMarks(work, course)
  const [counted] = await work.tx.query<Counted>(sql`
    select count(*) filter (where r.docstatus = 0)::integer as drafts,
           count(*) filter (where r.docstatus = 1)::integer as submitted,
           exists (select from marks_postings p
                    where p.tenant_id = ${work.tx.tenantId} and p.course = ${course} and p.academic_year = ${year}
                      and (p.academic_term is null or p.academic_term = ${term})
                      and (p.student_group is null or p.student_group = ${group})) as is_posted
      from assessment_results r
     where r.tenant_id = ${work.tx.tenantId} and ${belongsToPosting(document)}`)
  const { drafts, submitted, is_posted: isPosted } = counted ?? { drafts: 0, submitted: 0, is_posted: false }
  const named = `${course} in ${term ?? year}${group === null ? '' : ` for ${group}`}`
  if (isPosted) throw new RecordError('ValidationError', `The marks of ${named} are already posted.`)
  if (drafts > 0) {
    throw new RecordError(
      'ValidationError',
      `${drafts} ${drafts === 1 ? 'result' : 'results'} of ${named} ${drafts === 1 ? 'is a draft' : 'are drafts'}. Submit or delete them first.`,
    )
  }
  if (submitted === 0) throw new RecordError('ValidationError', `There are no submitted results of ${named} to post.`)
  Object.assign(document, { results: submitted, posted_by: work.caller.user, posted_on: work.now })
}

/** Issues the report cards whose marks are all posted now: of each term that has some, and of the year. */
async function issueCards(document: Posting, work: RecordWork): Promise<void> {
  const rows = await work.tx.query<{ student: string; term: string | null }>(sql`
    select distinct r.student, nullif(r.academic_term, '') as term from assessment_results r
     where r.tenant_id = ${work.tx.tenantId} and r.docstatus = 1 and ${belongsToPosting(document)}
     order by 1, 2`)
  await issueForTerms(work, document.academic_year as string, rows)
}

/** Issues the cards of students for the terms given of each, and for the year. */
export async function issueForTerms(
  work: RecordWork,
  year: string,
  rows: readonly { readonly student: string; readonly term: string | null }[],
): Promise<void> {
  const terms = new Set([...rows.map(({ term }) => term), null])
  for (const term of terms) {
    const students = new Set(rows.filter((row) => term === null || row.term === term).map(({ student }) => student))
    await issueReportCards(work, [...students], { academic_year: year, academic_term: term })
  }
}

/** The record type of postings. */
export const marksPostingRecord = defineRecord(marksPosting, {
  rules: {
    validate: [refuseChange, setScope, requireComplete],
    afterInsert: [issueCards],
    beforeDelete: [refuseDeletion],
  },
})
