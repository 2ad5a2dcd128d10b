import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { body, count, decimal, flag, label, listOf, nullable, oneOf, optional, record, text } from '../schema.ts'

/** What is known of a student in a criterion. */
export const scoreOutcomes = ['Assessed', 'Not Assessed', 'Excused'] as const

/** Of how many cells one request tells at most: forty students in eight criteria, and what a spreadsheet pastes. */
export const gradeSheetBounds = { cells: 1000 } as const

const Score = Type.Object(
  {
    criterion: label('The criterion.'),
    outcome: oneOf(scoreOutcomes, 'Whether there is a score.'),
    score: nullable(decimal('The score; null unless assessed.')),
    grade: nullable(label('The grade of the score by the grading scale.')),
  },
  { additionalProperties: false, description: 'What is known of a student in a criterion.' },
)

const Student = Type.Object(
  {
    student: label('Name of the student on the Resource API.'),
    studentName: label('What the student is called.'),
    result: nullable(label('Name of the Assessment Result; null where nothing was entered.')),
    status: oneOf(
      ['open', 'draft', 'submitted'] as const,
      'Whether something was entered, and whether it is official.',
    ),
    total: nullable(decimal('Sum of the scores.')),
    maximum: nullable(decimal('Sum of the maxima of what was assessed.')),
    grade: nullable(label('The grade of the total.')),
    scores: listOf(Score, 'A score for each criterion, in the order of the plan.'),
  },
  { additionalProperties: false, description: 'A student of the group.' },
)

const cell = { student: text('Name of the student.', 140, 1), criterion: text('The criterion.', 140, 1) }

const Refused = Type.Object(
  {
    student: label('Name of the student.'),
    criterion: label('The criterion.'),
    code: oneOf(
      ['unknown_student', 'unknown_criterion', 'out_of_range', 'submitted', 'changed_meanwhile'] as const,
      'Why it was not entered.',
    ),
    detail: label('What to do.'),
  },
  { additionalProperties: false, description: 'A cell that was not entered.' },
)

const sheet = {
  plan: label('Name of the Assessment Plan.'),
  title: label('What the assessment is called.'),
  course: label('The course.'),
  studentGroup: label('The group.'),
  gradingScale: nullable(label('The grading scale.')),
  mayEnter: flag('Whether the caller may enter scores.'),
  maySubmit: flag('Whether the caller may submit results.'),
  criteria: listOf(
    Type.Object(
      {
        criterion: label('The criterion.'),
        maximum: decimal('The maximum score.'),
        allowsBonus: flag('Whether a score may lie above the maximum.'),
      },
      { additionalProperties: false, description: 'A criterion of the plan.' },
    ),
    'The criteria, in the order of the plan.',
  ),
  students: listOf(Student, 'The active students of the group, in its order.'),
}

const sheetExample = {
  plan: 'EDU-ASP-2026-00003',
  title: 'Algebra midterm',
  course: 'Algebra',
  studentGroup: 'Nursing 1A',
  gradingScale: 'Percent',
  mayEnter: true,
  maySubmit: true,
  criteria: [{ criterion: 'Exam', maximum: 100, allowsBonus: false }],
  students: [
    {
      student: 'EDU-STU-2026-00042',
      studentName: 'José García Peña',
      result: 'EDU-RES-2026-00011',
      status: 'draft' as const,
      total: 87.5,
      maximum: 100,
      grade: 'B',
      scores: [{ criterion: 'Exam', outcome: 'Assessed' as const, score: 87.5, grade: 'B' }],
    },
  ],
}

/** The scores of a group in an assessment. */
export const GradeSheet = record('GradeSheet', 'The scores of a group in an assessment.', sheet, sheetExample)

/** What became of cells that were entered. */
export const EnteredScores = record(
  'EnteredScores',
  'What became of cells that were entered.',
  {
    plan: sheet.plan,
    students: listOf(Student, 'The students of whom something was entered or refused, as they are now.'),
    refused: listOf(Refused, 'The cells that were not entered, with the reason; the others were.'),
  },
  { plan: sheetExample.plan, students: sheetExample.students, refused: [] },
)

/** How many results became official. */
export const SubmittedScores = record(
  'SubmittedScores',
  'How many results became official.',
  { plan: sheet.plan, submitted: count('How many results were submitted.') },
  { plan: sheetExample.plan, submitted: 28 },
)

const EnterScoresBody = body(
  'EnterScoresBody',
  `Cells of a grade sheet, at most ${gradeSheetBounds.cells}.`,
  {
    cells: Type.Unsafe<
      {
        student: string
        criterion: string
        outcome: (typeof scoreOutcomes)[number]
        score?: number | null
        was?: number | string | null
      }[]
    >({
      type: 'array',
      minItems: 1,
      maxItems: gradeSheetBounds.cells,
      description: 'The cells, each once.',
      items: Type.Object(
        {
          ...cell,
          outcome: oneOf(scoreOutcomes, 'Whether there is a score.'),
          score: optional(nullable(decimal('The score, where it was assessed.'))),
          was: optional(
            Type.Unsafe<number | string | null>({
              anyOf: [{ type: 'number' }, { type: 'string', enum: ['Not Assessed', 'Excused'] }, { type: 'null' }],
              description:
                'What the cell had when it was read: a score, an outcome, or null for nothing. Where it has something else by now, and not what is sent, the cell is refused (`changed_meanwhile`). Absent: whatever it had.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    }),
  },
  null,
  {
    cells: [{ student: 'EDU-STU-2026-00042', criterion: 'Exam', outcome: 'Assessed' as const, score: 87.5, was: null }],
  },
)

const group = { tag: 'Grade sheets', modules: [], domain: null } as const

export const gradeSheetOperations = {
  readGradeSheet: operation(group, {
    method: 'GET',
    path: '/grade-sheets/{plan}',
    scope: null,
    idempotency: 'none',
    summary: 'Read the scores of a group in an assessment',
    description: 'By whoever may read the plan and results of its group.',
    shape: 'record',
    record: GradeSheet,
    status: 200,
    errors: ['resource_not_found', 'insufficient_role'],
    events: [],
  }),
  enterScores: operation(group, {
    method: 'PATCH',
    path: '/grade-sheets/{plan}',
    scope: null,
    idempotency: 'natural',
    summary: 'Enter scores of a group',
    description:
      'As drafts, cell by cell: a cell that cannot be entered is refused by itself, and what others entered in other cells stays. A result holds every criterion; what was not entered is `Not Assessed`.',
    body: EnterScoresBody,
    shape: 'record',
    record: EnteredScores,
    status: 200,
    errors: ['resource_not_found', 'insufficient_role', 'rule_violated'],
    events: [],
  }),
  submitScores: operation(group, {
    method: 'POST',
    path: '/grade-sheets/{plan}/submit',
    scope: null,
    idempotency: 'required',
    summary: 'Make the scores of a group official',
    description: 'Submits every draft of the plan’s group. Submitted results change by cancelling and amending them.',
    shape: 'record',
    record: SubmittedScores,
    status: 200,
    errors: ['resource_not_found', 'insufficient_role', 'rule_violated'],
    events: [],
  }),
}
