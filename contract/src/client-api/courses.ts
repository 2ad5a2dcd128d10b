import { Type } from 'typebox'
import { operation, pagedQuery } from '../operation.ts'
import {
  CreatedAt,
  decimal,
  described,
  ExternalId,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'
import { CustomFieldValues } from './custom-fields.ts'
import { catalogueStatuses } from './programs.ts'

const CatalogueStatus = oneOf(catalogueStatuses, 'Whether it is offered.')

export const Course = record(
  'Course',
  'A course, which may belong to several programs.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    code: label('Short code.'),
    name: label('Name, unique in the tenant.'),
    description: label('Description; empty when there is none.'),
    programs: listOf(
      Type.Object(
        { id: described(Uuid, 'Id of the program.'), name: label('Name of the program.') },
        { additionalProperties: false, description: 'A program.' },
      ),
      'The programs that the course belongs to, by name.',
    ),
    credits: nullable(decimal('Credits.')),
    hours: nullable(decimal('Hours of teaching.')),
    department: nullable(label('Department that offers it, by name.')),
    status: CatalogueStatus,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    customFields: optional(CustomFieldValues),
  },
  {
    id: '01985b2e-5a00-7000-8000-0000000000d1',
    externalId: 'ANAT-1',
    code: 'ANAT-1',
    name: 'Anatomy I',
    description: '',
    programs: [{ id: '01985b2e-5a00-7000-8000-0000000000c1', name: 'Nursing' }],
    credits: 6,
    hours: 90,
    department: null,
    status: 'active',
    createdAt: '2026-01-15T09:30:00.000Z',
    updatedAt: '2026-01-15T09:30:00.000Z',
  },
)

const courses = { tag: 'Courses', modules: ['platform_integrations', 'staff_courses'], domain: null } as const

export const courseOperations = {
  listCourses: operation(courses, {
    method: 'GET',
    path: '/courses',
    scope: 'courses:read',
    idempotency: 'none',
    summary: 'List courses',
    query: pagedQuery({
      status: optional(CatalogueStatus),
      programId: optional(described(Uuid, 'Only courses of this program.')),
      search: optional(text('Part of the name or the code, in any case.', 120, 1)),
    }),
    shape: 'page',
    record: Course,
    status: 200,
    errors: [],
    events: [],
  }),
  getCourse: operation(courses, {
    method: 'GET',
    path: '/courses/{id}',
    scope: 'courses:read',
    idempotency: 'none',
    summary: 'Read one course',
    shape: 'record',
    record: Course,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
}
