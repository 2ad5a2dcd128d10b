import { assessmentPlan, assessmentResult, course, gradingScale, studentGroup } from '@matricula/contract/record-types'
import { requireOwn, requireReadableOf, shownRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { getGrade, loadIntervals } from './grading-scale.ts'
import { enterScores, loadResult, resultsOfGroup, submitResults } from './result-entry.ts'

const plan = { assessment_plan: { type: 'string', required: true } } as const

/** The methods of assessments. */
export const assessmentMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.get_assessment_criteria',
    rights: [{ type: course, right: 'read' }],
    summary: 'The criteria of a course with their weights.',
    result: { type: 'array', description: 'Objects with `assessment_criteria` and `weightage`.' },
    parameters: { course: { type: 'string', required: true } },
    run: async (engine, args) => {
      const found = await engine.find(course, args.course)
      return (found?.assessment_criteria ?? []).map(({ assessment_criteria, weightage }) => ({
        assessment_criteria,
        weightage,
      }))
    },
  }),
  recordMethod({
    path: 'education.education.api.get_assessment_details',
    rights: [{ type: assessmentPlan, right: 'read' }],
    summary: 'The criteria of a plan with their maxima.',
    result: { type: 'array', description: 'Objects with `assessment_criteria`, `maximum_score` and `docstatus`.' },
    parameters: plan,
    run: async (engine, { assessment_plan }) => {
      await requireOwn(engine, assessmentPlan, assessment_plan)
      const found = await engine.find(assessmentPlan, assessment_plan)
      return (found?.assessment_criteria ?? []).map(({ assessment_criteria, maximum_score, docstatus }) => ({
        assessment_criteria,
        maximum_score,
        docstatus,
      }))
    },
  }),
  recordMethod({
    path: 'education.education.api.get_assessment_students',
    rights: [
      { type: assessmentResult, right: 'read' },
      { type: assessmentPlan, right: 'read' },
      { type: studentGroup, right: 'read' },
    ],
    summary: 'The active students of a group with what was entered of them in a plan.',
    result: {
      type: 'array',
      description:
        'Objects with `student`, `student_name`, `assessment_details` and, where there is a result, `docstatus` and `name`.',
    },
    parameters: { ...plan, student_group: { type: 'string', required: true } },
    run: async (engine, { assessment_plan, student_group }) => {
      return resultsOfGroup(engine, assessment_plan, student_group)
    },
  }),
  recordMethod({
    path: 'education.education.api.get_result',
    rights: [{ type: assessmentResult, right: 'read' }],
    isForStudents: true,
    summary: 'The result of a student in a plan, unless it is cancelled.',
    result: { type: 'object', description: 'The Assessment Result; absent where there is none.' },
    parameters: { student: { type: 'string', required: true }, ...plan },
    run: async (engine, { student, assessment_plan }) => {
      await requireReadableOf(engine, assessmentResult.name, student)
      const result = await loadResult(engine, student, assessment_plan)
      if (result !== null) await requireOwn(engine, assessmentResult, result.name)
      return result === null ? null : shownRecord(engine.caller, assessmentResult, result, { nulls: false })
    },
  }),
  recordMethod({
    path: 'education.education.api.get_grade',
    rights: [{ type: gradingScale, right: 'read' }],
    summary: 'The grade of a percentage in a grading scale; empty below all of its thresholds.',
    result: { type: 'string' },
    parameters: { grading_scale: { type: 'string', required: true }, percentage: { type: 'number', required: true } },
    run: async (engine, { grading_scale, percentage }) =>
      getGrade(await loadIntervals(engine, grading_scale), percentage),
  }),
  recordMethod({
    path: 'education.education.api.mark_assessment_result',
    rights: [
      { type: assessmentResult, right: 'read' },
      { type: assessmentPlan, right: 'read' },
    ],
    summary: 'Enters the scores of a student in a plan, as a draft.',
    result: {
      type: 'object',
      description: '`name`, `student`, `total_score`, `grade`, and under `details` the grade of each criterion.',
    },
    parameters: { ...plan, scores: { type: 'json', required: true } },
    run: (engine, { assessment_plan, scores }) => enterScores(engine, assessment_plan, scores),
  }),
  recordMethod({
    path: 'education.education.api.submit_assessment_results',
    rights: [
      { type: assessmentResult, right: 'submit' },
      { type: assessmentPlan, right: 'read' },
      { type: studentGroup, right: 'read' },
    ],
    summary:
      'Submits what was entered in a plan of the active students of a group, and tells how many results that were.',
    result: { type: 'integer', description: 'How many results were submitted.' },
    parameters: { ...plan, student_group: { type: 'string', required: true } },
    run: (engine, { assessment_plan, student_group }) => submitResults(engine, assessment_plan, student_group),
  }),
]
