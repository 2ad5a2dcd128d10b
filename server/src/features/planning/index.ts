import type { RecordDefinition } from '../../record-engine/index.ts'
import { courseSchedulingRecord } from './course-scheduling.ts'
import { groupCreationRecord } from './group-creation.ts'
import { programEnrollmentToolRecord } from './program-enrollments.ts'
import { studentPromotionRecord } from './student-promotion.ts'

export { promotionMethods } from './promotion-methods.ts'

/** The tools with which staff makes many records at once. */
export const planningRecords: readonly RecordDefinition[] = [
  courseSchedulingRecord,
  programEnrollmentToolRecord,
  groupCreationRecord,
  studentPromotionRecord,
]
