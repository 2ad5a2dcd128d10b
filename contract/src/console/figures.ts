import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { CalendarDate, count, decimal, described, label, listOf, nullable, record } from '../schema.ts'

/** How far back figures go: weeks of attendance, and months of collections. */
export const figureBounds = { weeks: 8, months: 6, programs: 12 } as const

const Week = Type.Object(
  {
    week: described(CalendarDate, 'The Monday of the week.'),
    present: count('How often students were marked present.'),
    absent: count('How often they were absent or on leave.'),
  },
  { additionalProperties: false, description: 'The attendance of a week.' },
)

const Month = Type.Object(
  {
    month: described(CalendarDate, 'The first day of the month.'),
    due: decimal('What came due in it.'),
    received: decimal('What was received in it, without receipts that were reversed.'),
  },
  { additionalProperties: false, description: 'What came due and what was received in a month.' },
)

const Program = Type.Object(
  { program: label('The program.'), students: count('How many are enrolled.') },
  { additionalProperties: false, description: 'The enrolment of a program.' },
)

/** The figures of an institution that a decision hangs on. */
export const Figures = record(
  'Figures',
  'The figures of an institution that a decision hangs on; null for whoever may not read what they count.',
  {
    attendance: nullable(listOf(Week, `The last ${figureBounds.weeks} weeks, the oldest first.`)),
    currency: label('The institution’s currency, of which collections are.'),
    collections: nullable(listOf(Month, `The last ${figureBounds.months} months, the oldest first.`)),
    academicYear: nullable(label('The year of the enrolment; null where none is set.')),
    enrollment: nullable(listOf(Program, `The ${figureBounds.programs} largest programs of the year.`)),
  },
  {
    attendance: [{ week: '2026-09-07', present: 1180, absent: 42 }],
    currency: 'USD',
    collections: [{ month: '2026-09-01', due: 48_000, received: 45_250.5 }],
    academicYear: '2026-27',
    enrollment: [{ program: 'Nursing', students: 184 }],
  },
)

export const figureOperations = {
  readFigures: operation(
    { tag: 'Figures', modules: [], domain: null },
    {
      method: 'GET',
      path: '/figures',
      scope: null,
      idempotency: 'none',
      summary: 'Read the figures that a decision hangs on',
      description:
        'Attendance by week, collections against what came due by month, and enrolment by program. Each is for those who may read all that it counts.',
      shape: 'record',
      record: Figures,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
