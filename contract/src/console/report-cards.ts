import { Type } from 'typebox'
import { operation } from '../operation.ts'
import {
  body,
  CreatedAt,
  count,
  described,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'

/** How long a print can be downloaded, in hours. */
export const cardPrintBounds = { keptHours: 24 } as const

const period = {
  studentGroup: label('The group.'),
  academicYear: label('The academic year of the group.'),
  academicTerm: nullable(label('The term; null for the whole year.')),
}

const periodExample = { studentGroup: 'Nursing 1A', academicYear: '2026-27', academicTerm: '2026-27 (Autumn)' }

const Lacking = Type.Object(
  {
    plan: label('Name of the Assessment Plan.'),
    title: label('What the assessment is called.'),
    course: label('The course.'),
    result: nullable(label('Name of the Assessment Result that is a draft; null where there is none.')),
  },
  { additionalProperties: false, description: 'An assessment of which the student has no submitted result.' },
)

const CardStudent = Type.Object(
  {
    student: label('Name of the student on the Resource API.'),
    studentName: label('What the student is called.'),
    results: count('How many submitted results the card has.'),
    isPosted: flag('Whether there are results and the marks of all of them are posted.'),
    edition: nullable(count('The edition of the card that was issued last; null where none was.')),
    lacks: listOf(Lacking, 'The assessments of the student’s groups without a submitted result.'),
  },
  { additionalProperties: false, description: 'A student of the group.' },
)

/** What the report cards of a group have and lack. */
export const ReportCardsOfGroup = record(
  'ReportCardsOfGroup',
  'Who of a group lacks what on the report card of a term or a year.',
  { ...period, students: listOf(CardStudent, 'The students of the group, in its order.') },
  {
    ...periodExample,
    students: [
      {
        student: 'EDU-STU-2026-00042',
        studentName: 'José García Peña',
        results: 5,
        isPosted: false,
        edition: null,
        lacks: [{ plan: 'EDU-ASP-2026-00003', title: 'Algebra midterm', course: 'Algebra', result: null }],
      },
    ],
  },
)

const statuses = ['queued', 'running', 'done', 'cancelled', 'failed'] as const

const print = {
  id: Uuid,
  ...period,
  showMarks: flag('Whether scores stand beside grades.'),
  onlyComplete: flag('Whether students who lack something are left out.'),
  status: oneOf(statuses, 'Where it stands.'),
  total: count('How many cards it has.'),
  done: count('How many are set.'),
  fault: nullable(label('Why it failed, in words.')),
  by: label('The user who asked for it.'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
  finishedAt: nullable(described(Stamp, 'When it was over; null until then. RFC 3339, UTC, milliseconds.')),
}

const printExample = {
  id: '01985b2e-5a00-7000-8000-000000000c01',
  ...periodExample,
  showMarks: true,
  onlyComplete: false,
  status: 'running' as const,
  total: 500,
  done: 125,
  fault: null,
  by: 'registrar@grand-bend.example',
  createdAt: '2026-12-20T08:00:00.000Z',
  updatedAt: '2026-12-20T08:00:04.000Z',
  finishedAt: null,
}

/** The report cards of a group as one document. */
export const ReportCardPrint = record(
  'ReportCardPrint',
  'The report cards of a group, set as one document in the background.',
  print,
  printExample,
)

/** A print with those whose cards it has. */
export const ReportCardFile = record(
  'ReportCardFile',
  'The report cards of a group, with those whose cards they are; usually had as PDF.',
  { ...print, students: listOf(label('Name of a student.'), 'Whose cards it has.') },
  { ...printExample, status: 'done', done: 500, students: ['EDU-STU-2026-00042'] },
)

const CreatePrintBody = body(
  'CreateReportCardPrintBody',
  'Whose report cards are printed.',
  {
    studentGroup: text('The group.', 140, 1),
    academicTerm: optional(nullable(text('The term; null for the whole year. That of the group when absent.', 140, 1))),
    showMarks: optional(flag('Whether scores stand beside grades; true when absent.')),
    onlyComplete: optional(flag('Whether students who lack something are left out; false when absent.')),
  },
  null,
  { studentGroup: 'Nursing 1A', academicTerm: null, onlyComplete: true },
)

const group = { tag: 'Report cards', modules: [], domain: null } as const
const answered = { shape: 'record', record: ReportCardPrint, events: [] } as const

export const reportCardOperations = {
  readReportCardsOfGroup: operation(group, {
    method: 'GET',
    path: '/report-cards',
    scope: null,
    idempotency: 'none',
    summary: 'Tell who of a group lacks what on the report card',
    description: 'Of the term that is named, of the whole year for an empty text, else of the term of the group.',
    query: Type.Object(
      { studentGroup: text('The group.', 140, 1), academicTerm: optional(text('The term, or an empty text.', 140)) },
      { additionalProperties: false },
    ),
    shape: 'record',
    record: ReportCardsOfGroup,
    status: 200,
    errors: ['resource_not_found', 'insufficient_role', 'rule_violated'],
    events: [],
  }),
  createReportCardPrint: operation(group, {
    method: 'POST',
    path: '/report-cards/prints',
    scope: null,
    idempotency: 'required',
    summary: 'Print the report cards of a group',
    description: `As one PDF, in the order of the group, set in the background with the rights of the user who asked for it. It is kept for ${cardPrintBounds.keptHours} hours.`,
    body: CreatePrintBody,
    ...answered,
    status: 201,
    location: '/report-cards/prints/{id}',
    errors: ['resource_not_found', 'insufficient_role', 'rule_violated'],
  }),
  getReportCardPrint: operation(group, {
    method: 'GET',
    path: '/report-cards/prints/{id}',
    scope: null,
    idempotency: 'none',
    summary: 'Read how far a print is',
    description: 'By the user who asked for it, and by a System Manager.',
    ...answered,
    status: 200,
    errors: ['resource_not_found'],
  }),
  cancelReportCardPrint: operation(group, {
    method: 'POST',
    path: '/report-cards/prints/{id}/cancel',
    scope: null,
    idempotency: 'natural',
    summary: 'Cancel a print',
    description: 'One that is over stays as it is.',
    ...answered,
    status: 200,
    errors: ['resource_not_found'],
  }),
  downloadReportCardPrint: operation(group, {
    method: 'GET',
    path: '/report-cards/prints/{id}/file',
    scope: null,
    idempotency: 'none',
    summary: 'Download printed report cards',
    description: 'Once the print is done.',
    shape: 'record',
    record: ReportCardFile,
    media: { types: ['application/pdf'], isDefault: true },
    status: 200,
    errors: ['resource_not_found', 'insufficient_role', 'state_conflict'],
    events: [],
  }),
}
