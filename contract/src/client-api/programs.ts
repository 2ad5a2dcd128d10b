import { operation, pagedQuery } from '../operation.ts'
import {
  CalendarDate,
  CreatedAt,
  count,
  described,
  ExternalId,
  label,
  nullable,
  oneOf,
  optional,
  record,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'
import { CustomFieldValues } from './custom-fields.ts'

export const catalogueStatuses = ['active', 'inactive', 'archived'] as const
const CatalogueStatus = oneOf(catalogueStatuses, 'Whether it is offered.')

/** What other records say of the program that they belong to. */
export const ProgramRef = record('ProgramRef', 'The program that the record belongs to.', {
  id: described(Uuid, 'Id of the program.'),
  name: label('Name of the program.'),
  educationLevel: label('Level of education; empty when unknown.'),
  organizationProfile: label('Kind of institution that offers it; empty when unknown.'),
  status: CatalogueStatus,
})

export const Program = record(
  'Program',
  'An academic program.',
  {
    id: Uuid,
    externalId: nullable(ExternalId),
    code: label('Short code.'),
    name: label('Name, unique in the tenant.'),
    description: label('Description; empty when there is none.'),
    educationLevel: label('Level of education; empty when unknown.'),
    organizationProfile: label('Kind of institution that offers it; empty when unknown.'),
    department: nullable(label('Department that offers it, by name.')),
    status: CatalogueStatus,
    modality: nullable(label('How it is taught, such as on_site or online.')),
    startDate: nullable(described(CalendarDate, 'First day, `YYYY-MM-DD`.')),
    endDate: nullable(described(CalendarDate, 'Last day, `YYYY-MM-DD`.')),
    courseCount: count('Courses of the program.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    customFields: optional(CustomFieldValues),
  },
  {
    id: '01985b2e-5a00-7000-8000-0000000000c1',
    externalId: null,
    code: 'NUR',
    name: 'Nursing',
    description: 'Three-year program with hospital practice.',
    educationLevel: 'undergraduate',
    organizationProfile: 'college',
    department: null,
    status: 'active',
    modality: 'on_site',
    startDate: '2026-09-01',
    endDate: '2029-06-30',
    courseCount: 24,
    createdAt: '2026-01-15T09:30:00.000Z',
    updatedAt: '2026-01-15T09:30:00.000Z',
  },
)

const programs = { tag: 'Programs', modules: ['platform_integrations', 'staff_programs'], domain: null } as const

export const programOperations = {
  listPrograms: operation(programs, {
    method: 'GET',
    path: '/programs',
    scope: 'programs:read',
    idempotency: 'none',
    summary: 'List programs',
    query: pagedQuery({
      status: optional(CatalogueStatus),
      search: optional(text('Part of the name or the code, in any case.', 120, 1)),
    }),
    shape: 'page',
    record: Program,
    status: 200,
    errors: [],
    events: [],
  }),
  getProgram: operation(programs, {
    method: 'GET',
    path: '/programs/{id}',
    scope: 'programs:read',
    idempotency: 'none',
    summary: 'Read one program',
    shape: 'record',
    record: Program,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
}
