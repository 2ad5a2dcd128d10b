import type { SchemaObject } from '../../reference/index.ts'

const text: SchemaObject = { type: 'string' }
const number: SchemaObject = { type: 'number' }
const count: SchemaObject = { type: 'integer', minimum: 0 }
const days: SchemaObject = { type: 'number', minimum: 0 }
const orNull = (type: string, description?: string): SchemaObject => ({
  type: [type, 'null'],
  ...(description !== undefined && { description }),
})
const object = (properties: Record<string, SchemaObject>, description?: string): SchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...(description !== undefined && { description }),
})
const list = (items: SchemaObject): SchemaObject => ({ type: 'array', items })

const percentage = orNull('number', 'Two digits behind the point; null where there is no maximum.')
const grade = orNull('string')

/** A report card as JSON Schema, as the documentation shows it. */
export const reportCardSchema: SchemaObject = object({
  student: text,
  student_name: orNull('string'),
  program: orNull('string', 'Of the enrolment in the year.'),
  academic_year: text,
  academic_term: orNull('string', 'Null for the whole year.'),
  courses: list(
    object({
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
    }),
  ),
  attendance: {
    type: 'object',
    properties: {
      ...{ total: days, present: days, absent: days, excused: days, leave: days },
      ...{ late: count, minutes_late: count, percentage: orNull('number') },
    },
    required: ['total', 'present', 'absent', 'leave', 'percentage'],
    additionalProperties: false,
    description:
      'Days of the term, or of the whole year, up to today; `excused`, `late` and `minutes_late` where there are any.',
  },
  summary: object({ courses: count, percentage, grade }),
  generated_on: { type: 'string', description: 'In the tenant’s time zone.' },
})
