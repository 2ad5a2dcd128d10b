import type { Program, programOperations, Static } from '@matricula/contract'
import { type Sql, sql, table } from '../../database/index.ts'
import type { FiltersOf, ListDefinition } from '../../platform/lists.ts'
import { likeAnywhere } from '../../platform/search-text.ts'

export type ProgramRecord = Static<typeof Program>

/** The fields that a program's row keeps, by column. */
export const programColumns = {
  externalId: 'external_id',
  code: 'code',
  name: 'name',
  description: 'description',
  educationLevel: 'education_level',
  organizationProfile: 'organization_profile',
  status: 'status',
  modality: 'modality',
  startDate: 'start_date',
  endDate: 'end_date',
  searchText: 'search_text',
  modifiedBy: 'modified_by',
} as const

export const programTable = table('programs', programColumns)

interface ProgramRow {
  id: string
  total: number
  external_id: string | null
  code: string
  name: string
  description: string
  education_level: string
  organization_profile: string
  status: ProgramRecord['status']
  modality: string | null
  start_date: string | null
  end_date: string | null
  course_count: number
  version: number
  created_at: string
  updated_at: string
}

function selectPrograms(tenantId: string, condition: Sql): Sql {
  return sql`
    select p.id, p.external_id, p.code, p.name, p.description, p.education_level, p.organization_profile, p.status,
           p.modality, p.start_date, p.end_date,
           (select count(distinct l.course_id)::int from program_courses l where l.tenant_id = ${tenantId} and l.program_id = p.id)
             as course_count,
           p.version, p.created_at, p.updated_at
      from programs p
     where p.tenant_id = ${tenantId} and ${condition}`
}

export const programs: ListDefinition<ProgramRow, ProgramRecord> = {
  entityType: 'program',
  noun: 'program',
  table: 'programs',
  isCountedByStatus: true,
  alias: 'p',
  select: selectPrograms,
  toRecord: toProgram,
  versions: (row) => [row.version],
  filters: {
    search: (search) => sql`p.search_text like ${likeAnywhere(search)}`,
  } satisfies FiltersOf<(typeof programOperations)['listPrograms']>,
}

function toProgram(row: ProgramRow): ProgramRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    code: row.code,
    name: row.name,
    description: row.description,
    educationLevel: row.education_level,
    organizationProfile: row.organization_profile,
    status: row.status,
    modality: row.modality,
    startDate: row.start_date,
    endDate: row.end_date,
    courseCount: row.course_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
