import { Type } from 'typebox'
import { operation } from '../operation.ts'
import {
  body,
  CalendarDate,
  count,
  described,
  flag,
  freeObject,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  text,
} from '../schema.ts'

/** The bounds of a roll call: how many students one request marks at most, and how late somebody may be, in minutes. */
export const rollCallBounds = { students: 500, minutes: 1440 } as const

const rollKinds = ['lesson', 'group'] as const

/** What a lesson or the daily roll of a group is called over: the same in a list of rolls and in one of them. */
const place = {
  of: label('Name of the Course Schedule, or of the Student Group for its daily roll.'),
  kind: oneOf(rollKinds, 'Whether it is of a lesson, or the daily roll of a group.'),
  date: CalendarDate,
  studentGroup: label('The group.'),
  course: nullable(label('The course of the lesson; null for a daily roll.')),
  room: nullable(label('What the room is called; null for a daily roll.')),
  instructor: nullable(label('What the instructor is called; null for a daily roll.')),
  from: nullable(label('When the lesson begins, `HH:MM` in the time zone of the institution; null for a daily roll.')),
  to: nullable(label('When it ends.')),
}

const placeExample = {
  of: 'EDU-CSH-2026-00012',
  kind: 'lesson' as const,
  date: '2026-09-01',
  studentGroup: 'Nursing 1A',
  course: 'Anatomy',
  room: 'Lecture Hall',
  instructor: 'Grace Hopper',
  from: '08:00',
  to: '08:45',
}

const Roll = Type.Object(
  {
    ...place,
    isMine: flag('Whether the caller teaches the lesson, or the group.'),
    isExpected: flag('Whether the institution keeps attendance by such rolls, so that this one is missed.'),
    students: count('How many are in the group on that day.'),
    marked: count('How many of them are marked.'),
  },
  { additionalProperties: false, description: 'A roll of the day.' },
)

/** The rolls of a day. */
export const RollCallDay = record(
  'RollCallDay',
  'The rolls that are called on a day, with how many students of each are marked.',
  {
    date: CalendarDate,
    now: label('The time in the institution, `HH:MM`.'),
    today: CalendarDate,
    isHoliday: flag('Whether the day is a holiday, on which no attendance is kept.'),
    frozenUntil: nullable(described(CalendarDate, 'The last day whose attendance changes no more.')),
    rolls: listOf(Roll, 'Lessons by their time, then daily rolls by group.'),
  },
  {
    date: '2026-09-01',
    now: '08:05',
    today: '2026-09-01',
    isHoliday: false,
    frozenUntil: null,
    rolls: [{ ...placeExample, isMine: true, isExpected: true, students: 30, marked: 0 }],
  },
)

const Code = Type.Object(
  {
    code: label('The code.'),
    label: label('What it is called in the language of the institution.'),
    labels: freeObject('What it is called in other languages, by their codes.'),
    countsAs: oneOf(
      ['Present', 'Absent', 'Late', 'Excused'] as const,
      'What it counts as: late is present, excused is absent.',
    ),
    minutes: count('How late somebody with the code is, unless it is said.'),
  },
  { additionalProperties: false, description: 'An attendance code of the institution.' },
)

const Student = Type.Object(
  {
    student: label('Name of the student on the Resource API.'),
    studentName: label('What the student is called.'),
    rollNumber: count('Number in the group.'),
    attendance: nullable(label('Name of the Student Attendance; null where nothing is marked.')),
    version: nullable(
      label('What is to be sent back with a mark, so that nobody overwrites another unseen; null for nothing marked.'),
    ),
    status: nullable(oneOf(['Present', 'Absent', 'Leave'] as const, 'What is marked; null for nothing.')),
    code: nullable(label('The attendance code of the mark.')),
    minutesLate: count('How late a student who is present came, in minutes.'),
    excused: flag('Whether an absence is excused.'),
    halfDay: flag('Whether the absence or leave is of half a day.'),
    leave: nullable(
      Type.Object(
        { name: label('Name of the Student Leave Application.'), halfDay: flag('Whether it is of half the day.') },
        { additionalProperties: false, description: 'The leave that the student has on that day.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'A student of the group, with what is marked.' },
)

const studentExample = {
  student: 'EDU-STU-2026-00042',
  studentName: 'José García Peña',
  rollNumber: 1,
  attendance: 'EDU-ATT-2026-00007',
  version: 'EDU-ATT-2026-00007.1',
  status: 'Present' as const,
  code: 'L',
  minutesLate: 5,
  excused: false,
  halfDay: false,
  leave: null,
}

const students = listOf(Student, 'Who is in the group on that day, in its order.')

/** A roll with its students. */
export const RollCall = record(
  'RollCall',
  'A lesson, or a group on a day, with its students and what is marked of them.',
  {
    ...place,
    mayMark: flag('Whether the caller may mark it now.'),
    closed: nullable(
      oneOf(['holiday', 'frozen'] as const, 'Why nobody marks it: the day is a holiday, or its attendance is frozen.'),
    ),
    frozenUntil: nullable(described(CalendarDate, 'The last day whose attendance changes no more.')),
    codes: listOf(Code, 'The attendance codes that are not disabled, in their order.'),
    students,
  },
  {
    ...placeExample,
    mayMark: true,
    closed: null,
    frozenUntil: null,
    codes: [{ code: 'L', label: 'Late', labels: { es: 'Tarde' }, countsAs: 'Late', minutes: 5 }],
    students: [studentExample],
  },
)

const Refused = Type.Object(
  {
    student: label('Name of the student.'),
    code: oneOf(
      ['unknown_student', 'unknown_code', 'detail_does_not_fit', 'changed_meanwhile'] as const,
      'Why the student was not marked.',
    ),
    detail: label('What to do.'),
  },
  { additionalProperties: false, description: 'A student who was not marked.' },
)

/** What became of a roll call. */
export const CalledRoll = record(
  'CalledRoll',
  'What became of a roll call.',
  {
    of: place.of,
    date: CalendarDate,
    students: listOf(Student, 'The students who were listed, as they are marked now.'),
    refused: listOf(Refused, 'The students who were not marked, with the reason; the others were.'),
  },
  { of: placeExample.of, date: placeExample.date, students: [studentExample], refused: [] },
)

/** The mark of a student as it is sent. */
export interface MarkInput {
  student: string
  status: 'Present' | 'Absent'
  code?: string | null
  minutesLate?: number
  excused?: boolean
  halfDay?: boolean
  version?: string | null
}

const CallRollBody = body(
  'CallRollBody',
  `The marks of a roll, at most ${rollCallBounds.students}.`,
  {
    students: Type.Unsafe<MarkInput[]>({
      type: 'array',
      minItems: 1,
      maxItems: rollCallBounds.students,
      description: 'The students, each once. Who is not listed stays as they are.',
      items: Type.Object(
        {
          student: text('Name of the student.', 140, 1),
          status: oneOf(['Present', 'Absent'] as const, 'Whether the student is there.'),
          code: optional(nullable(text('An attendance code that counts as the status, or null.', 140))),
          minutesLate: optional(
            Type.Integer({
              minimum: 0,
              maximum: rollCallBounds.minutes,
              description: 'How late a student who is present came, in minutes.',
            }),
          ),
          excused: optional(flag('Whether the absence is excused.')),
          halfDay: optional(flag('Whether the absence is of half a day.')),
          version: optional(
            nullable(
              text(
                'The version of the student’s mark when it was read. Where it is another by now, and the mark not what is sent, the student is refused (`changed_meanwhile`). Absent: whatever it was.',
                160,
              ),
            ),
          ),
        },
        { additionalProperties: false },
      ),
    }),
  },
  null,
  { students: [{ student: 'EDU-STU-2026-00042', status: 'Present' as const, minutesLate: 5, version: null }] },
)

const group = { tag: 'Roll calls', modules: [], domain: null } as const

export const rollCallOperations = {
  listRollCalls: operation(group, {
    method: 'GET',
    path: '/roll-calls',
    scope: null,
    idempotency: 'none',
    summary: 'List the rolls of a day',
    description:
      'The lessons and daily rolls of the groups that the caller reaches: a teacher those of the own groups, the office all. What is expected and has fewer marks than students is still to be called.',
    query: Type.Object(
      {
        date: optional(described(CalendarDate, 'The day, `YYYY-MM-DD`; today when absent.')),
        only: optional(
          oneOf(
            ['mine', 'open'] as const,
            '`mine`: rolls of lessons and groups that the caller teaches; `open`: rolls that are expected and not wholly marked.',
          ),
        ),
      },
      { additionalProperties: false },
    ),
    shape: 'record',
    record: RollCallDay,
    status: 200,
    errors: ['insufficient_role'],
    events: [],
  }),
  readRollCall: operation(group, {
    method: 'GET',
    path: '/roll-calls/{of}/{date}',
    scope: null,
    idempotency: 'none',
    summary: 'Read a roll',
    description:
      'Of the lesson of that name, on its day; else of the group of that name. The students are those who are in the group on the day.',
    shape: 'record',
    record: RollCall,
    status: 200,
    errors: ['resource_not_found', 'insufficient_role'],
    events: [],
  }),
  callRoll: operation(group, {
    method: 'PUT',
    path: '/roll-calls/{of}/{date}',
    scope: null,
    idempotency: 'required',
    summary: 'Call a roll, or correct it',
    description:
      'Says what shall be, so that it may be repeated: who is marked already is corrected, and each student is marked once. Who is away with a leave stays so; that is the office’s to take back. A student who cannot be marked is refused alone.',
    body: CallRollBody,
    shape: 'record',
    record: CalledRoll,
    status: 200,
    errors: ['resource_not_found', 'insufficient_role', 'rule_violated'],
    events: [],
  }),
}
