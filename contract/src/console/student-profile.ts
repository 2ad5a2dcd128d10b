import { Type } from 'typebox'
import { operation } from '../operation.ts'
import {
  CalendarDate,
  count,
  decimal,
  described,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  record,
  Stamp,
  text,
  Uuid,
} from '../schema.ts'

/** What a profile warns of. */
export const profileWarnings = ['not_active', 'overdue_payments', 'missing_documents', 'absent_today'] as const

/** How many of the newest of each part a profile tells of. */
export const newestOfPart = 5

const owed = {
  currency: label('Currency (ISO 4217).'),
  outstanding: decimal('What is to be paid and not paid, in all.'),
  overdue: decimal('How much of it should have been paid by now.'),
}

const Part = (description: string) =>
  nullable(
    Type.Object(
      {
        total: count('How many there are that the caller may read.'),
        newest: listOf(
          Type.Object(
            {
              id: nullable(described(Uuid, 'Id, where operations know it by one; else null.')),
              name: nullable(label('Its name on the Resource API; null where it has none.')),
              title: label('What people call it.'),
              status: nullable(label('Where it stands.')),
              at: nullable(label('The day, or the moment, that it is of.')),
            },
            { additionalProperties: false, description: 'One of them.' },
          ),
          `The ${newestOfPart} newest.`,
        ),
      },
      { additionalProperties: false, description },
    ),
  )

/** What is asked of a student on the phone. */
export const StudentProfile = record(
  'StudentProfile',
  'What is asked of a student on the phone: who, which group, what is owed, which papers are missing, whether there today, and the newest of each part. What the caller may not read is null.',
  {
    id: described(Uuid, 'Id of the student.'),
    name: label('The student’s name on the Resource API.'),
    fullName: label('Full name.'),
    status: label('Where the student stands.'),
    photoUrl: nullable(label('Address of a picture.')),
    program: label('Name of the program; empty without one.'),
    academicYear: nullable(label('The academic year.')),
    dateOfBirth: nullable(described(CalendarDate, 'Date of birth.')),
    email: nullable(label('E-mail address.')),
    phone: nullable(label('Telephone number.')),
    address: nullable(label('Postal address in one line.')),
    groups: nullable(listOf(label('Name of a group.'), 'The groups that the student is in.')),
    contacts: nullable(
      listOf(
        Type.Object(
          {
            name: label('Name.'),
            guardian: label('Name of the person on the Resource API.'),
            relationship: nullable(label('What the contact is to the student.')),
            phone: nullable(label('Telephone.')),
            email: nullable(label('E-mail address.')),
            isPrimary: flag('Whether this one is asked first.'),
          },
          { additionalProperties: false, description: 'A guardian of the student.' },
        ),
        'Those who answer for the student, the first to be asked first.',
      ),
    ),
    money: nullable(
      Type.Object(
        {
          ...owed,
          byCurrency: listOf(
            Type.Object(owed, { additionalProperties: false, description: 'What is owed in a currency.' }),
            'What is owed, a currency each, the institution’s first; none where nothing is.',
          ),
        },
        {
          additionalProperties: false,
          description: 'What the student owes: in the currency of the institution, and in each.',
        },
      ),
    ),
    documents: nullable(
      Type.Object(
        {
          required: count('How many documents are required.'),
          complete: count('How many of those are there and approved, or waived.'),
          missing: listOf(label('What is asked for.'), 'What is missing of them.'),
        },
        { additionalProperties: false, description: 'How complete the papers are.' },
      ),
    ),
    attendance: nullable(
      Type.Object(
        {
          today: nullable(label('How the student was marked today; null where not yet.')),
          absences: count('How often absent in the last 30 days.'),
        },
        { additionalProperties: false, description: 'Whether the student is there.' },
      ),
    ),
    enrollments: Part('Programs that the student is, or was, enrolled in.'),
    payments: Part('What is to be paid, or was.'),
    papers: Part('Documents.'),
    requests: Part('Requests for documents.'),
    results: Part('Results of assessments.'),
    warnings: listOf(
      Type.Object(
        {
          code: oneOf(profileWarnings, 'What it is.'),
          count: count('How many there are of it.'),
        },
        { additionalProperties: false, description: 'Something that whoever answers should say.' },
      ),
      'What whoever answers should know at once.',
    ),
    readAt: described(Stamp, 'When this was read. RFC 3339, UTC, milliseconds.'),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000101',
    name: 'EDU-STU-2026-00042',
    fullName: 'José García Peña',
    status: 'active',
    photoUrl: null,
    program: 'Nursing',
    academicYear: '2026-27',
    dateOfBirth: '2009-04-12',
    email: 'jose@example.org',
    phone: null,
    address: '12 Elm Street, 78401 Corpus Christi, United States',
    groups: ['Nursing 1A'],
    contacts: [
      {
        name: 'Ana Peña',
        guardian: 'EDU-GRD-2026-00001',
        relationship: 'Mother',
        phone: '+1 361 555 0101',
        email: null,
        isPrimary: true,
      },
    ],
    money: {
      currency: 'USD',
      outstanding: 240,
      overdue: 120,
      byCurrency: [
        { currency: 'USD', outstanding: 240, overdue: 120 },
        { currency: 'MXN', outstanding: 900.5, overdue: 0 },
      ],
    },
    documents: { required: 4, complete: 3, missing: ['Birth certificate'] },
    attendance: { today: 'Absent', absences: 2 },
    enrollments: null,
    payments: {
      total: 2,
      newest: [
        {
          id: '01985b2e-5a00-7000-8000-000000000111',
          name: null,
          title: 'Tuition',
          status: 'overdue',
          at: '2026-09-01T00:00:00.000Z',
        },
      ],
    },
    papers: null,
    requests: null,
    results: null,
    warnings: [
      { code: 'overdue_payments', count: 1 },
      { code: 'missing_documents', count: 1 },
      { code: 'absent_today', count: 1 },
    ],
    readAt: '2026-09-14T09:30:00.000Z',
  },
)

export const profileOperations = {
  readStudentProfile: operation(
    { tag: 'Profile', modules: [], domain: null },
    {
      method: 'GET',
      path: '/student-profile',
      scope: null,
      idempotency: 'none',
      summary: 'Read what is asked of a student',
      description:
        'In one call: who it is, what is owed, which papers are missing, whether there today, and the newest of each part. By whoever may read the student; each part by whoever may read it.',
      query: Type.Object(
        { student: text('The student’s name on the Resource API, or its id.', 140, 1) },
        { additionalProperties: false },
      ),
      shape: 'record',
      record: StudentProfile,
      status: 200,
      errors: ['resource_not_found', 'insufficient_role'],
      events: [],
    },
  ),
}
