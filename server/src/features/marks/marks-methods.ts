import {
  assessmentPlan,
  assessmentResult,
  markCorrection,
  marksPosting,
  studentGroup,
  student as studentType,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { requireMoreThanGroups, requireReadableOf } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { correctMarks } from './correct-marks.ts'
import { belongsToPosting } from './marks-posting.ts'
import { loadTranscript } from './transcript.ts'

/** The methods of posted marks. */
export const marksMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.post_marks',
    rights: [
      { type: marksPosting, right: 'create' },
      { type: assessmentResult, right: 'read' },
      { type: assessmentPlan, right: 'read' },
      { type: studentGroup, right: 'read' },
    ],
    summary:
      'Posts the marks of a course in a term or a year, of one group where it is named: they are final, and their report cards are issued.',
    parameters: {
      course: { type: 'string', required: true },
      academic_term: { type: 'string' },
      academic_year: { type: 'string', about: 'Needed without a term.' },
      student_group: { type: 'string' },
      comment: { type: 'string' },
    },
    result: {
      type: 'object',
      description:
        '`name` of the Marks Posting, `results` as their number, and `missing`: the students of the groups who have no result of a plan, as `student` and `assessment_plan`.',
    },
    run: async (engine, { course, academic_term, academic_year, student_group, comment }) => {
      engine.require(marksPosting, 'create')
      const posting = await engine.insert(marksPosting, {
        course,
        academic_term: academic_term || null,
        academic_year: academic_year || null,
        student_group: student_group || null,
        comment,
      })
      const missing = await engine.tx.query<{ student: string; assessment_plan: string }>(sql`
        select m.student, r.name as assessment_plan
          from assessment_plans r
          join student_groups g on g.tenant_id = r.tenant_id and g.name = r.student_group
          join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id and m.active = 1
         where r.tenant_id = ${engine.tx.tenantId} and r.docstatus = 1 and ${belongsToPosting(posting)}
           and not exists (select from assessment_results x
                            where x.tenant_id = r.tenant_id and x.assessment_plan = r.name and x.student = m.student
                              and x.docstatus = 1)
         order by m.student, r.name`)
      return { name: posting.name, results: posting.results, missing }
    },
  }),
  recordMethod({
    path: 'education.education.api.correct_marks',
    rights: [
      { type: markCorrection, right: 'create' },
      { type: assessmentPlan, right: 'read' },
    ],
    summary: 'Corrects posted marks of a student: keeps the old and the new ones, by whom, when and why.',
    parameters: {
      assessment_plan: { type: 'string', required: true },
      student: { type: 'string', required: true },
      scores: {
        type: 'json',
        required: true,
        about: 'The new score by criterion; empty for not assessed, or the text Excused.',
      },
      reason: { type: 'string', required: true },
    },
    result: {
      type: 'object',
      description: '`mark_correction`, `assessment_result` (the new one), `total_score` and `grade`.',
    },
    run: (engine, { assessment_plan, student, scores, reason }) =>
      correctMarks(engine, { plan: assessment_plan, student, scores, reason }),
  }),
  recordMethod({
    path: 'education.education.api.get_transcript',
    rights: [{ type: assessmentResult, right: 'read' }],
    isForStudents: true,
    summary:
      'The transcript of a student: courses, grade points and average of each term, transfer credits, and the cumulative average.',
    parameters: { student: { type: 'string', required: true } },
    result: { type: 'object', description: '`student`, `student_name`, `terms`, `transfer_credits` and `cumulative`.' },
    run: async (engine, { student }) => {
      await requireReadableOf(engine, assessmentResult.name, student)
      await requireMoreThanGroups(engine, assessmentResult, studentType, student)
      return loadTranscript(engine, student)
    },
  }),
]
