import { assessmentResultTool } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { assessmentCatalogueRecords } from './assessment-catalogue.ts'
import { assessmentPlanRecord } from './assessment-plan.ts'
import { assessmentResultRecord } from './assessment-result.ts'
import { gradingScaleRecord } from './grading-scale.ts'

export { rootAssessmentGroup, seedAssessmentGroups } from './assessment-catalogue.ts'
export { assessmentMethods } from './assessment-methods.ts'
export {
  type GradedCourse,
  getCountedAttempts,
  getGradePointAverage,
  type RepeatedCourses,
} from './grade-points.ts'
export { gradeSheetRoutes } from './grade-sheet-routes.ts'
export { type GradeInterval, getGrade, getGradePoints, getPercentage } from './grading-scale.ts'
export { areMarksPosted, isPosted, lockMarks } from './posted-marks.ts'
export { loadResult } from './result-entry.ts'

/** The record types of assessments. */
export const assessmentRecords: readonly RecordDefinition[] = [
  gradingScaleRecord,
  ...assessmentCatalogueRecords,
  assessmentPlanRecord,
  assessmentResultRecord,
  defineRecord(assessmentResultTool, { isForm: true }),
]
