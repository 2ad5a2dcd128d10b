import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { described, label, nullable, oneOf, optional, record, text, Uuid } from '../schema.ts'

/** What a search can find. */
export const searchKinds = [
  'student',
  'applicant',
  'guardian',
  'employee',
  'instructor',
  'payment',
  'document',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** Bounds of a search. */
export const searchBounds = { typed: 200, limit: { minimum: 1, maximum: 50, default: 20 } } as const

/** Something that was found by what was typed. */
export const SearchHit = record(
  'SearchHit',
  'Something that was found by what was typed.',
  {
    kind: oneOf(searchKinds, 'What it is.'),
    id: described(Uuid, 'Id, by which the operations know it.'),
    type: nullable(label('Its record type in the Resource API; null for payments and documents.')),
    name: nullable(label('Its name there; null for payments and documents.')),
    title: label('What people know it by.'),
    detail: label('A second line: what tells it from others of that title.'),
    status: nullable(label('The status that it is in; null where it has none.')),
  },
  {
    kind: 'student',
    id: '01985b2e-5a00-7000-8000-000000000101',
    type: 'Student',
    name: 'EDU-STU-2026-00042',
    title: 'José García Peña',
    detail: 'EDU-STU-2026-00042 · Nursing',
    status: 'active',
  },
)

export const searchOperations = {
  search: operation(
    { tag: 'Search', modules: [], domain: null },
    {
      method: 'GET',
      path: '/search',
      scope: null,
      idempotency: 'none',
      summary: 'Find people and things by what is typed',
      description:
        'Students, applicants, guardians, staff, payments and documents in one answer, the nearest first. Each word begins a word of a name, code, address or number, in any order; accents and case do not matter. Where nothing is found so, words that are spelt alike will do. Only what the caller may read is found.',
      query: Type.Object(
        {
          q: text('What was typed.', searchBounds.typed, 1),
          kind: optional(
            oneOf(searchKinds, 'Only what is of this kind; all that the caller may read where nothing is said.'),
          ),
          limit: optional(
            Type.Unsafe<number>({ type: 'integer', ...searchBounds.limit, description: 'The number of listed hits.' }),
          ),
        },
        { additionalProperties: false },
      ),
      shape: 'list',
      record: SearchHit,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
