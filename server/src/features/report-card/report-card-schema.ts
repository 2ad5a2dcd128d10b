import type { SchemaObject } from '../../reference/index.ts'

const text: SchemaObject = { type: 'string' }
const number: SchemaObject = { type: 'number' }
const count: SchemaObject = { type: 'integer', minimum: 0 }
const days: SchemaObject = { type: 'number', minimum: 0 }
const orNull = (type: string, description?: string): SchemaObject => ({
  type: [type, 'null'],
  ...(description !== undefined && { description }),
})
const object = (
  properties: Record<string, SchemaObject>,
  description?: string,
  optional: Record<string, SchemaObject> = {},
): SchemaObject => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
  ...(description !== undefined && { description }),
})
const list = (items: SchemaObject): SchemaObject => ({ type: 'array', items })

const percentage = orNull('number', 'Two digits behind the point; null where there is no maximum.')
const grade = orNull('string')

const described = (schema: SchemaObject, description: string): SchemaObject => ({ ...schema, description })

/** Where the institution uses them. */
const standing: Record<string, SchemaObject> = {
  grade_point_average: described(number, 'Of this card, where a grading scale has points.'),
  rank: object(
    { student_group: text, position: count, students: count },
    'By the overall percentage in the group, where the institution shows ranks.',
  ),
  posted: object({ edition: count, issued_on: text }, 'Where all marks are posted: the card as it was issued.'),
}

/** A report card as JSON Schema, as the documentation shows it. */
export const reportCardSchema: SchemaObject = object(
  {
    student: text,
    student_name: orNull('string'),
    program: orNull('string', 'Of the enrolment in the year.'),
    academic_year: text,
    academic_term: orNull('string', 'Null for the whole year.'),
    courses: list(
      object(
        {
          course: text,
          course_name: text,
          assessments: list(
            object({
              assessment_result: text,
              assessment_plan: text,
              assessment_group: orNull('string'),
              total_score: number,
              maximum_score: number,
              grade,
              details: list(object({ assessment_criteria: text, score: number, maximum_score: number, grade })),
            }),
          ),
          total_score: number,
          maximum_score: number,
          percentage,
          grade,
        },
        undefined,
        {
          grade_points: described(number, 'Where the grading scale has points.'),
          credits: described(number, 'Where the course has credits.'),
        },
      ),
    ),
    attendance: object(
      { total: days, present: days, absent: days, leave: days, percentage: orNull('number') },
      'Days of the term, or of the whole year, up to today; `excused`, `late` and `minutes_late` where there are any.',
      { excused: days, late: count, minutes_late: count },
    ),
    summary: object({ courses: count, percentage, grade }),
    generated_on: { type: 'string', description: 'In the tenant’s time zone.' },
  },
  undefined,
  standing,
)
