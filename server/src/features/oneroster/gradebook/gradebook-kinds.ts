import type { EntityType } from '@matricula/contract'
import type { ReferencedType } from '../roster/roster-context.ts'

/** How a member of a gradebook object is stored and given out. */
export type MemberType =
  | 'text'
  | 'number'
  /** A time, given out in UTC. */
  | 'moment'
  /** A date; a time is taken as its date. */
  | 'day'
  /** `"true"` or `"false"`. */
  | 'flag'
  | 'status'
  | 'objectives'
  | 'scaleValues'
  | { readonly refersTo: ReferencedType | 'student' }

/** A class of gradebook objects that learning platforms may put. */
export interface GradebookKind {
  readonly name: 'category' | 'lineItem' | 'result' | 'scoreScale' | 'assessmentLineItem' | 'assessmentResult'
  readonly entityType: EntityType
  readonly members: Readonly<Record<string, MemberType>>
  readonly required: readonly string[]
  /** The member that names the object to which it belongs. */
  readonly parent: string | null
}

const scores = {
  scoreScale: { refersTo: 'scoreScale' },
  scoreStatus: 'status',
  score: 'number',
  textScore: 'text',
  scoreDate: 'day',
  comment: 'text',
  learningObjectiveSet: 'objectives',
  inProgress: 'flag',
  incomplete: 'flag',
  late: 'flag',
  missing: 'flag',
} as const satisfies GradebookKind['members']

/** The classes of the gradebook by the key of a single object. */
export const gradebookKinds = {
  category: {
    name: 'category',
    entityType: 'gradebook_category',
    members: { title: 'text', weight: 'number' },
    required: ['title'],
    parent: null,
  },
  lineItem: {
    name: 'lineItem',
    entityType: 'line_item',
    members: {
      title: 'text',
      description: 'text',
      assignDate: 'moment',
      dueDate: 'moment',
      class: { refersTo: 'class' },
      school: { refersTo: 'org' },
      category: { refersTo: 'category' },
      gradingPeriod: { refersTo: 'academicSession' },
      academicSession: { refersTo: 'academicSession' },
      scoreScale: { refersTo: 'scoreScale' },
      resultValueMin: 'number',
      resultValueMax: 'number',
      learningObjectiveSet: 'objectives',
    },
    required: ['title', 'assignDate', 'dueDate', 'class', 'school', 'category'],
    parent: null,
  },
  result: {
    name: 'result',
    entityType: 'line_item_result',
    members: {
      lineItem: { refersTo: 'lineItem' },
      student: { refersTo: 'student' },
      class: { refersTo: 'class' },
      ...scores,
    },
    required: ['lineItem', 'student', 'scoreStatus', 'scoreDate'],
    parent: 'lineItem',
  },
  scoreScale: {
    name: 'scoreScale',
    entityType: 'score_scale',
    members: {
      title: 'text',
      type: 'text',
      course: { refersTo: 'course' },
      class: { refersTo: 'class' },
      scoreScaleValue: 'scaleValues',
    },
    required: ['title', 'type', 'class', 'scoreScaleValue'],
    parent: null,
  },
  assessmentLineItem: {
    name: 'assessmentLineItem',
    entityType: 'assessment_line_item',
    members: {
      title: 'text',
      description: 'text',
      class: { refersTo: 'class' },
      parentAssessmentLineItem: { refersTo: 'assessmentLineItem' },
      scoreScale: { refersTo: 'scoreScale' },
      resultValueMin: 'number',
      resultValueMax: 'number',
      learningObjectiveSet: 'objectives',
    },
    required: ['title'],
    parent: 'parentAssessmentLineItem',
  },
  assessmentResult: {
    name: 'assessmentResult',
    entityType: 'assessment_line_item_result',
    members: {
      assessmentLineItem: { refersTo: 'assessmentLineItem' },
      student: { refersTo: 'student' },
      ...scores,
      scorePercentile: 'number',
    },
    required: ['assessmentLineItem', 'student', 'scoreStatus', 'scoreDate'],
    parent: 'assessmentLineItem',
  },
} as const satisfies Readonly<Record<GradebookKind['name'], GradebookKind>>
