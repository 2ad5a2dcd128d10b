import { type JsonObject, Program, type programOperations, type Static } from '@matricula/contract'
import { type Sql, sql, table } from '../../database/index.ts'
import { type StoredRow, storedFields } from '../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../listing/index.ts'
import { searchPatterns } from '../../values/index.ts'

export type ProgramRecord = Static<typeof Program>

/** The fields that a program's row keeps, by column. */
export const programColumns = {
  externalId: 'external_id',
  code: 'code',
  name: 'name',
  description: 'description',
  educationLevel: 'education_level',
  organizationProfile: 'organization_profile',
  department: 'department',
  status: 'status',
  modality: 'modality',
  startDate: 'start_date',
  endDate: 'end_date',
  searchText: 'search_text',
  modifiedBy: 'modified_by',
} as const

export const programTable = table('programs', programColumns, 'name')

/** The fields of a program as its row keeps them. */
export const programFields = storedFields(Program, 'p', programColumns)

export interface ProgramRow extends StoredRow<ProgramRecord, typeof programColumns> {
  readonly course_count: number
  readonly custom_fields: JsonObject | null
}

function selectPrograms(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${programFields.selected}, p.updated_at,
           (select count(distinct l.course_id)::int from program_courses l where l.tenant_id = ${tenantId} and l.program_id = p.id)
             as course_count,
           nullif(p.custom_fields, '{}') as custom_fields
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
  toRecord: programFields.reader<ProgramRow>({
    courseCount: (row) => row.course_count,
    customFields: (row) => row.custom_fields ?? undefined,
  }),
  versions: (row) => [row.version],
  filters: {
    search: (search) => sql`p.search_text like all (${searchPatterns(search)}::text[])`,
  } satisfies FiltersOf<(typeof programOperations)['listPrograms']>,
}
