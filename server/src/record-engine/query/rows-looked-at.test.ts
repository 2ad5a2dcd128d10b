import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { RecordError } from '../model/record-error.ts'
import { countRecords, recordReader } from './list-records.ts'
import type { ListParameters } from './list-request.ts'
import { createListedTables, declaredRecords, getCaller, list, storeRecord } from './query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)
const tenant = await service.tenant()
const staff = getCaller(tenant)
const reader = recordReader(service.data, tenant.id)

interface Group {
  readonly name: string
  readonly program: string | null
  readonly students: readonly { readonly student: string; readonly student_name: string | null }[]
  readonly instructors: readonly { readonly instructor: string; readonly instructor_name: string | null }[]
}

const student = (name: string, full: string | null = null) => ({ student: name, student_name: full })
const instructor = (name: string, full: string | null = null) => ({ instructor: name, instructor_name: full })

const groups: readonly Group[] = [
  {
    name: 'G-1',
    program: 'Law',
    students: [student('A'), student('B', 'Bo')],
    instructors: [instructor('X', 'Xenia')],
  },
  { name: 'G-2', program: null, students: [student('A', 'Ana')], instructors: [instructor('X'), instructor('Y')] },
  { name: 'G-3', program: 'Law', students: [], instructors: [instructor('Y', 'Yves')] },
  { name: 'G-4', program: 'Art', students: [student('B'), student('C'), student('A', 'Ana')], instructors: [] },
  { name: 'G-5', program: null, students: [], instructors: [] },
]
for (const group of groups) {
  await storeRecord(service.database, tenant.id, 'Student Group', { ...group, academic_year: '2026' })
}

const lists = (parameters: ListParameters) => list(service.data, staff, 'Student Group', parameters)
const names = async (parameters: ListParameters) =>
  (await lists(parameters)).map((row) => (row as { name: string }).name)
const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof RecordError && error.type === 'DataError' && message.test(error.message)

test('rows of one table stand beside their records, those of another are looked at', async () => {
  const fields = ['name', 'students.student']
  const filters = [['Student Group Instructor', 'instructor', 'in', 'X,Y']]
  assert.deepEqual(await lists({ fields, filters, as_dict: 0 }), [
    ['G-1', 'A'],
    ['G-1', 'B'],
    ['G-2', 'A'], // once, although both of its instructors fit
    ['G-3', null],
  ])
  // A filter on the table that is shown still chooses among its rows.
  assert.deepEqual(await lists({ fields, filters: [...filters, ['students.student', '=', 'B']], as_dict: 0 }), [
    ['G-1', 'B'],
  ])
})

test('a sum over rows counts each of them once, whatever filters look at', async () => {
  const fields = ['count(students.student) as number']
  const filters = [['instructors.instructor', 'in', 'X,Y']]
  assert.deepEqual(await lists({ fields, filters }), [{ number: 3 }])
  const grouped = { fields: ['students.student', 'count(name) as number'], group_by: 'students.student' }
  assert.deepEqual(await lists({ ...grouped, filters, order_by: 'students.student', as_dict: 0 }), [
    [null, 1],
    ['A', 2],
    ['B', 1],
  ])
})

test('rows of two tables side by side are refused, and the refusal says how to ask', async () => {
  const message = /rows of students and of instructors.*one table at a time/
  await assert.rejects(lists({ fields: ['students.student', 'instructors.instructor'] }), refusal(message))
  await assert.rejects(
    lists({ fields: ['count(*)', 'students.student'], group_by: 'students.student, instructors.instructor' }),
    refusal(message),
  )
})

test('a table that only filters name makes a row of each of its rows, and two of them do not', async () => {
  assert.deepEqual(await names({ filters: [['students.student', 'in', 'A,B']] }), ['G-1', 'G-1', 'G-2', 'G-4', 'G-4'])
  const both = [
    ['students.student', 'in', 'A,B'],
    ['instructors.instructor', 'is', 'set'],
  ]
  assert.deepEqual(await names({ filters: both }), ['G-1', 'G-2'])
  assert.equal(await countRecords(reader, declaredRecords, staff, 'Student Group', { filters: both }), 2)
})

/** A filter with what it means in memory. */
const filter = fc.oneof(
  ...(
    [
      ['program', (group: Group) => [group.program]],
      ['students.student', (group: Group) => group.students.map((row) => row.student)],
      ['students.student_name', (group: Group) => group.students.map((row) => row.student_name)],
      ['instructors.instructor', (group: Group) => group.instructors.map((row) => row.instructor)],
      ['instructors.instructor_name', (group: Group) => group.instructors.map((row) => row.instructor_name)],
    ] as const
  ).map(([field]) =>
    fc.tuple(
      fc.constant(field),
      fc.constantFrom('=', '!=', 'in', 'not in', 'like', 'not like', 'is', '>'),
      fc.constantFrom('A', 'B', 'X', 'Y', 'Law', 'Ana', ''),
    ),
  ),
)
type Asked = readonly [string, string, string]

function holds([, operator, sent]: Asked, value: string | null): boolean {
  const text = value ?? ''
  switch (operator) {
    case '=':
    case 'in':
      return text === sent
    case '!=':
    case 'not in':
      return text !== sent
    case 'like':
      return text.toLowerCase() === sent.toLowerCase()
    case 'not like':
      // As upstream has it, the empty pattern is unlike nothing that is unset.
      return text === '' ? sent !== '' : text.toLowerCase() !== sent.toLowerCase()
    case '>':
      return text > sent
    default:
      return (text !== '') === (sent !== '')
  }
}

/** The names of the groups that have rows which meet everything: a product of both tables, each name once. */
function expected(all: readonly Asked[], any: readonly Asked[]): string[] {
  const meets = (group: Group, one: Record<string, unknown>, other: Record<string, unknown>) => {
    const met = (asked: Asked) => {
      const [table, field] = asked[0].includes('.') ? asked[0].split('.') : [null, asked[0]]
      const row = table === null ? group : table === 'students' ? one : other
      return holds(asked, ((row as Record<string, unknown>)[field as string] ?? null) as string | null)
    }
    return all.every(met) && (any.length === 0 || any.some(met))
  }
  const orUnset = (rows: readonly object[]) => (rows.length === 0 ? [{}] : rows) as Record<string, unknown>[]
  return groups
    .filter((group) =>
      orUnset(group.students).some((one) => orUnset(group.instructors).some((other) => meets(group, one, other))),
    )
    .map(({ name }) => name)
}

test('whatever filters ask of rows, the same records are found as in a product of both tables', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(filter, { maxLength: 4 }),
      fc.array(filter, { maxLength: 3 }),
      async (all: Asked[], any: Asked[]) => {
        const asked = (filters: Asked[]) =>
          filters.map(([field, operator, value]) => [
            field,
            operator,
            operator === 'is' ? (value === '' ? 'not set' : 'set') : value,
          ])
        // Both tables are named always, so that both are looked at.
        const both = ['students.student', 'instructors.instructor'].map((field) => [field, 'not in', ['~']])
        const found = await names({ filters: [...asked(all), ...both], or_filters: asked(any) })
        assert.deepEqual(found, expected(all, any))
      },
    ),
    { numRuns: 300, seed: 15 },
  )
})
