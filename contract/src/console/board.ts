import { Type } from 'typebox'
import { pipelineCategories } from '../client-api/admissions.ts'
import { operation } from '../operation.ts'
import {
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
  Uuid,
} from '../schema.ts'

/** The number of listed cards of a column. */
export const boardCards = { minimum: 0, maximum: 500, default: 50 } as const

const Card = Type.Object(
  {
    id: Uuid,
    entityTag: label('Its version, to be sent as If-Match with a move.'),
    applicationCode: label('Code of the application; its name on the Resource API.'),
    fullName: label('Full name of the applicant.'),
    program: label('Name of the program; empty without one.'),
    studentId: nullable(described(Uuid, 'The student that the applicant became.')),
    academicYear: nullable(label('The academic year.')),
    photoUrl: nullable(label('Address of a picture.')),
    statusSince: described(Stamp, 'Since when it has been in this status. RFC 3339, UTC, milliseconds.'),
    daysInStatus: count('For how many whole days.'),
    documents: Type.Object(
      {
        complete: count('How many required documents are there and approved, or waived.'),
        required: count('How many there are required.'),
      },
      { additionalProperties: false, description: 'How complete its documents are.' },
    ),
  },
  { additionalProperties: false, description: 'An application.' },
)

const Column = Type.Object(
  {
    status: label('Key of the status.'),
    label: label('Name shown to people.'),
    category: oneOf(pipelineCategories, 'What the status means, whatever it is called.'),
    color: label('Colour for people, `#rrggbb`.'),
    isActive: flag('Whether applications can be moved here.'),
    isTerminal: flag('Whether applications end here.'),
    requiresComplete: flag('Whether every required document must be there first.'),
    allowedNext: nullable(
      listOf(label('Key of a status.'), 'Where applications may move to from here; null for anywhere.'),
    ),
    count: count('How many applications are here, exactly.'),
    cards: listOf(Card, 'The first of them, those that applied first before others.'),
  },
  { additionalProperties: false, description: 'The applications in a status.' },
)

/** The admission pipeline at a glance. */
export const Board = record(
  'Board',
  'The admission pipeline: a column for each status with its number of applications and the first of them.',
  { columns: listOf(Column, 'The statuses in their order.') },
  {
    columns: [
      {
        status: 'new',
        label: 'New',
        category: 'open',
        color: '#5b8def',
        isActive: true,
        isTerminal: false,
        requiresComplete: false,
        allowedNext: null,
        count: 812,
        cards: [
          {
            id: '01985b2e-5a00-7000-8000-0000000000f1',
            entityTag: '"3.1"',
            applicationCode: 'EDU-APP-2026-00001',
            fullName: 'Tyrone Dyer',
            program: 'Elementary School',
            studentId: null,
            academicYear: '2026-27',
            photoUrl: null,
            statusSince: '2026-02-01T08:00:00.000Z',
            daysInStatus: 12,
            documents: { complete: 2, required: 4 },
          },
        ],
      },
    ],
  },
)

const Stage = Type.Object(
  {
    status: label('Key of the status.'),
    label: label('Name shown to people.'),
    category: oneOf(pipelineCategories, 'What the status means, whatever it is called.'),
    count: count('How many applications are here, exactly.'),
    reached: count('How many applications are or once were here.'),
    medianDays: nullable(
      described(
        Type.Number({ minimum: 0 }),
        'After how many days half of those that moved on from here had done so, with one decimal; null where none did.',
      ),
    ),
  },
  { additionalProperties: false, description: 'A status as a stage of the way.' },
)

/** How far applications come, and where they stay long. */
export const Funnel = record(
  'Funnel',
  'How many applications came to each status of the pipeline, and for how long they stay there.',
  { stages: listOf(Stage, 'The statuses in their order.') },
  { stages: [{ status: 'new', label: 'New', category: 'open', count: 812, reached: 1920, medianDays: 3.5 }] },
)

export const boardOperations = {
  readFunnel: operation(
    { tag: 'Board', modules: ['staff_admissions'], domain: null },
    {
      method: 'GET',
      path: '/board/funnel',
      scope: 'admissions:read',
      idempotency: 'none',
      summary: 'Read how far applications come',
      description:
        'For each status how many applications are there, how many ever were, and how long they stayed. It reads the moves of all applications: ask for it when somebody looks.',
      shape: 'record',
      record: Funnel,
      status: 200,
      errors: [],
      events: [],
    },
  ),
  readBoard: operation(
    { tag: 'Board', modules: ['staff_admissions'], domain: null },
    {
      method: 'GET',
      path: '/board',
      scope: 'admissions:read',
      idempotency: 'none',
      summary: 'Read the admission pipeline as a board',
      description:
        'Each status with its exact number of applications and the first of them. It costs the same however many there are. Further cards of a column are read with its `status` and the id of the last card as `after`. With a search or a filter, counts are of what it finds. They are moved by the PATCH of `/admissions/applications/{id}` with the card’s `entityTag`.',
      query: Type.Object(
        {
          status: optional(text('Only the column of this status.', 64, 2)),
          cards: optional(
            Type.Unsafe<number>({ type: 'integer', ...boardCards, description: 'How many cards of each column.' }),
          ),
          search: optional(text('Part of the name, code, e-mail or externalId, in any case, accents ignored.', 120, 1)),
          programId: optional(described(Uuid, 'Only applications for this program.')),
          academicYear: optional(text('Only applications for this academic year.', 64, 1)),
          after: optional(
            described(Uuid, 'Only cards of those who applied after this application: the last card that was answered.'),
          ),
        },
        { additionalProperties: false },
      ),
      shape: 'record',
      record: Board,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
