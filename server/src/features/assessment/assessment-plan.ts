import { academicYear, assessmentPlan, courseSchedule, studentGroup } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { defineRecord, getSum, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { type Planned, requireFreeStudents, requireNoOverlap, requireStillHere } from '../timetable/index.ts'
import { requirePlanNotPosted } from './posted-marks.ts'

type Plan = RecordOf<typeof assessmentPlan>

async function requireFree(document: Plan, work: RecordWork): Promise<void> {
  const { student_group, room, supervisor } = document
  await requireNoOverlap(work, assessmentPlan, document, [
    { in: courseSchedule, field: 'student_group', value: student_group },
    { in: courseSchedule, field: 'room', value: room },
    { in: assessmentPlan, field: 'student_group', value: student_group },
    { in: assessmentPlan, field: 'room', value: room },
    { in: courseSchedule, field: 'instructor', value: supervisor },
    { in: assessmentPlan, field: 'supervisor', value: supervisor },
  ])
  await requireFreeStudents(work, assessmentPlan, document)
}

function requireCriteria({ assessment_criteria: rows }: Plan): void {
  const seen = new Set<string>()
  for (const { idx, assessment_criteria: criterion, maximum_score: maximum } of rows) {
    if (criterion !== null && seen.has(criterion)) {
      throw new RecordError('ValidationError', `Row #${idx}: ${criterion} is there more than once. Keep it in one row.`)
    }
    if (criterion !== null) seen.add(criterion)
    if (maximum !== null && maximum <= 0) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: the Maximum Score of ${criterion}, ${maximum}, must be greater than 0.`,
      )
    }
  }
}

function requireTimes({ from_time: from, to_time: to }: Plan): void {
  if (!from || !to || from < to) return
  throw new RecordError('ValidationError', `To Time (${to}) must be after From Time (${from}).`)
}

async function requireDateInYear({ schedule_date: date, academic_year: year }: Plan, work: RecordWork): Promise<void> {
  const found = year ? await work.find(academicYear, year) : null
  if (found === null || !date) return
  const { year_start_date: start, year_end_date: end } = found
  if ((!start || date >= start) && (!end || date <= end)) return
  throw new RecordError(
    'ValidationError',
    `The Schedule Date ${date} is outside the Academic Year ${year} (${start} to ${end}). Correct the date or the year.`,
  )
}

/** The marks of a group that is based on a course are of that course. */
async function requireCourseOfGroup({ course, student_group }: Plan, work: RecordWork, before: Plan | null) {
  if (before !== null && before.course === course && before.student_group === student_group) return
  const group = await work.linked(studentGroup, student_group)
  if (group?.group_based_on !== 'Course' || !group.course || group.course === course) return
  throw new RecordError(
    'ValidationError',
    `The Student Group ${group.name} is based on the course ${group.course}, not on ${course}. Choose that course, or another group.`,
  )
}

const getPlanned = ({ schedule_date, student_group, supervisor, examiner }: Plan): Planned => ({
  ...{ schedule_date, student_group },
  instructors: [supervisor, examiner],
})

async function requireAllHere(document: Plan, work: RecordWork, before: Plan | null): Promise<void> {
  await requireStillHere(work, getPlanned(document), before && getPlanned(before))
}

function requireSumOfCriteria({ assessment_criteria: criteria, maximum_assessment_score: maximum }: Plan): void {
  if (criteria.length === 0) {
    throw new RecordError('ValidationError', 'List the Assessment Criteria of the plan, each with its Maximum Score.')
  }
  const sum = getSum(criteria.map(({ maximum_score }) => maximum_score))
  if (sum === maximum) return
  throw new RecordError(
    'ValidationError',
    `The maximum scores of the Assessment Criteria add up to ${sum}. They need to add up to the Maximum Assessment Score, ${maximum ?? 0}.`,
  )
}

async function requireNewCriteria(document: Plan, work: RecordWork): Promise<void> {
  const { name, course, student_group: group, assessment_group: assessed, assessment_criteria: rows } = document
  const criteria = rows.flatMap(({ assessment_criteria: criterion }) => criterion ?? [])
  if (criteria.length === 0 || !course || !group || !assessed) return
  await takeAdvisoryLock(work.tx, `assessment of ${group} in ${course}`)
  const [used] = await work.tx.query<{ criterion: string; plan: string }>(sql`
    select c.assessment_criteria as criterion, r.name as plan
      from assessment_plans r
      join assessment_plans_assessment_criteria c on c.tenant_id = r.tenant_id and c.parent_id = r.id
     where r.tenant_id = ${work.tx.tenantId} and r.course = ${course} and r.student_group = ${group}
       and r.assessment_group = ${assessed} and r.docstatus = 1 and r.name <> ${name}
       and c.assessment_criteria = any(${criteria}::text[])
     order by c.idx limit 1`)
  if (used === undefined) return
  throw new RecordError(
    'ValidationError',
    `You have already assessed ${used.criterion} of ${course} for ${group} in ${assessed}${(await work.mayRead(assessmentPlan, used.plan)) ? `, by ${used.plan}` : ''}. Remove the criterion, or choose another Assessment Group.`,
  )
}

/** The record type of assessment plans. */
export const assessmentPlanRecord = defineRecord(assessmentPlan, {
  rules: {
    validate: [
      requireTimes,
      requireDateInYear,
      requireCourseOfGroup,
      requireAllHere,
      requireFree,
      requireCriteria,
      requireSumOfCriteria,
      requireNewCriteria,
    ],
    beforeSubmit: [requirePlanNotPosted],
  },
})
