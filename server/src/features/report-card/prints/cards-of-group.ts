import type { ReportCardsOfGroup, Static } from '@matricula/contract'
import {
  academicTerm,
  assessmentResult,
  studentAttendance,
  studentGroup,
  student as studentType,
} from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { type RecordEngine, RecordError, readsOnlyItsOwn } from '../../../record-engine/index.ts'
import { isPosted } from '../../assessment/index.ts'
import { readGroupMembers } from '../../groups/index.ts'
import { loadIssues } from '../issued-cards.ts'

type OfGroup = Static<typeof ReportCardsOfGroup>
type Lacking = OfGroup['students'][number]['lacks'][number]

/** A group and the term or year of its report cards. */
export interface GroupPeriod {
  readonly studentGroup: string
  readonly academicYear: string
  readonly academicTerm: string | null
}

/**
 * Refuses whoever may not read all that a card shows, also whoever reaches records as a teacher alone, because a card shows the
 * courses of others too.
 *
 * @throws RecordError `PermissionError`.
 */
export function requireMayReadCards(engine: RecordEngine): void {
  for (const type of [assessmentResult, studentAttendance, studentType, studentGroup]) {
    engine.require(type, 'read')
    if (!readsOnlyItsOwn(engine.caller, { type })) continue
    const text = 'Report cards of a group show the courses of other teachers. Ask the office for them.'
    throw new RecordError('PermissionError', text)
  }
}

/**
 * The year of a group, and the term that is asked for: undefined for the group's own, null for the whole year.
 *
 * @throws RecordError `DoesNotExistError`, `PermissionError`, and `ValidationError` for a term of another year.
 */
export async function findPeriod(
  engine: RecordEngine,
  group: string,
  term: string | null | undefined,
): Promise<GroupPeriod> {
  requireMayReadCards(engine)
  const { name, academic_year, academic_term } = await engine.get(studentGroup, group)
  const wanted = term === undefined ? academic_term || null : term || null
  if (!academic_year) throw new RecordError('ValidationError', `Set the Academic Year of the Student Group ${name}.`)
  if (wanted !== null && (await engine.get(academicTerm, wanted)).academic_year !== academic_year) {
    throw new RecordError(
      'ValidationError',
      `The Academic Term ${wanted} is not of the Academic Year ${academic_year}.`,
    )
  }
  return { studentGroup: name, academicYear: academic_year, academicTerm: wanted }
}

/** Who of a group lacks what on the report card. */
export async function readCardsOfGroup(engine: RecordEngine, period: GroupPeriod): Promise<OfGroup> {
  const members = await readGroupMembers(engine, period.studentGroup)
  const students = members.map(({ student }) => student)
  const results = await countResults(engine, students, period)
  const lacking = await findLacking(engine, students, period)
  const of = { academic_year: period.academicYear, academic_term: period.academicTerm }
  const issues = await loadIssues(engine, students, of)
  return {
    ...period,
    students: members.map(({ student, student_name }) => ({
      student,
      studentName: student_name ?? student,
      results: results.get(student)?.results ?? 0,
      isPosted: results.get(student)?.isPosted ?? false,
      edition: issues.get(student)?.edition ?? null,
      lacks: lacking.get(student) ?? [],
    })),
  }
}

interface CountedResults {
  readonly student: string
  readonly results: number
  readonly isPosted: boolean
}

async function countResults(
  { tx }: RecordEngine,
  students: readonly string[],
  { academicYear, academicTerm: term }: GroupPeriod,
): Promise<ReadonlyMap<string, CountedResults>> {
  const posted = isPosted(tx.tenantId, {
    course: sql`r.course`,
    academic_year: sql`r.academic_year`,
    academic_term: sql`r.academic_term`,
    student_group: sql`r.student_group`,
  })
  const counted = await tx.query<CountedResults>(sql`
    select r.student, count(*)::integer as results, bool_and(${posted}) as "isPosted"
      from assessment_results r
     where r.tenant_id = ${tx.tenantId} and r.student = any(${students}::text[]) and r.docstatus = 1
       and r.academic_year = ${academicYear} and (${term}::text is null or r.academic_term = ${term})
     group by r.student`)
  return new Map(counted.map((each) => [each.student, each]))
}

/** The submitted plans of the students' groups of which they have no submitted result, by student. */
async function findLacking(
  { tx }: RecordEngine,
  students: readonly string[],
  { academicYear, academicTerm: term }: GroupPeriod,
): Promise<ReadonlyMap<string, Lacking[]>> {
  const found = await tx.query<Lacking & { readonly student: string }>(sql`
    select distinct on (m.student, p.schedule_date, p.name)
           m.student, p.name as plan, coalesce(nullif(p.assessment_name, ''), p.name) as title,
           coalesce(p.course, '') as course, r.name as result
      from student_groups_students m
      join student_groups g on g.tenant_id = m.tenant_id and g.id = m.parent_id
      join assessment_plans p on p.tenant_id = g.tenant_id and p.student_group = g.name and p.docstatus = 1
      left join assessment_results r on r.tenant_id = p.tenant_id and r.assessment_plan = p.name and r.student = m.student
                                    and r.docstatus < 2
     where m.tenant_id = ${tx.tenantId} and m.student = any(${students}::text[]) and m.active = 1
       and p.academic_year = ${academicYear} and (${term}::text is null or p.academic_term = ${term})
       and coalesce(r.docstatus, 0) = 0
     order by m.student, p.schedule_date, p.name`)
  const byStudent = new Map<string, Lacking[]>()
  for (const { student, ...lacking } of found) byStudent.set(student, [...(byStudent.get(student) ?? []), lacking])
  return byStudent
}
