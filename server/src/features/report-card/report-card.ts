/** What a student reached in one criterion of an assessment. */
export interface CriterionScore {
  readonly assessment_criteria: string
  readonly score: number
  readonly maximum_score: number
  readonly grade: string | null
}

/** A submitted result. */
export interface AssessmentScore {
  readonly assessment_result: string
  readonly assessment_plan: string
  readonly assessment_group: string | null
  readonly total_score: number
  readonly maximum_score: number
  readonly grade: string | null
  readonly details: readonly CriterionScore[]
}

/** All submitted results in one course. Percentages have two digits behind the point. */
export interface CourseScore {
  readonly course: string
  readonly course_name: string
  readonly assessments: readonly AssessmentScore[]
  readonly total_score: number
  readonly maximum_score: number
  readonly percentage: number | null
  readonly grade: string | null
  /** Where the grading scale has points. */
  readonly grade_points?: number
  /** The credits of the course, where it has some. */
  readonly credits?: number
}

/** The edition in which a report card of posted marks was issued. */
export interface IssuedEdition {
  /** From 1; a correction of posted marks issues the next one. */
  readonly edition: number
  readonly issued_on: string
}

/** The rank of a student by the overall percentage among those of a group; equals share a rank. */
export interface GroupRank {
  readonly student_group: string
  readonly position: number
  readonly students: number
}

/**
 * How often a student was there, of all submitted attendance within the term or the year up to today: in days, half days among
 * them, each counted once. Without an excused absence, or a late day, those are left out.
 */
export interface AttendanceCount {
  readonly total: number
  readonly present: number
  /** Without those that are excused. */
  readonly absent: number
  readonly excused?: number
  readonly leave: number
  /** Days on which the student came late, and the minutes of them. */
  readonly late?: number
  readonly minutes_late?: number
  readonly percentage: number | null
}

/** What a student reached in a year, or in a term of it. */
export interface ReportCard {
  readonly student: string
  readonly student_name: string | null
  readonly program: string | null
  readonly academic_year: string
  readonly academic_term: string | null
  readonly courses: readonly CourseScore[]
  readonly attendance: AttendanceCount
  readonly summary: { readonly courses: number; readonly percentage: number | null; readonly grade: string | null }
  /** In the tenant's time zone. */
  readonly generated_on: string
  /** The average of the grade points of this card, where a grading scale has points. */
  readonly grade_point_average?: number
  /** Where the institution shows ranks. */
  readonly rank?: GroupRank
  /** Where all marks are posted: the card as it was issued then. */
  readonly posted?: IssuedEdition
}

/** Of what time and assessments report cards are. */
export interface ReportPeriod {
  readonly academic_year: string
  readonly academic_term: string | null
  /** Only assessments of this group; of a group of groups, those directly in it. */
  readonly assessment_group?: string | null
}

/** Whose report card it is, and of what. */
export interface ReportSelection extends ReportPeriod {
  readonly student: string
}

/** Report cards with the results that they are made of. */
export interface LoadedCard {
  readonly card: ReportCard
  readonly resultNames: readonly string[]
  /** Whether there are results, and all of them are posted. */
  readonly isPosted: boolean
}
