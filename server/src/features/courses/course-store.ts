import { Course, type courseOperations, type JsonObject, type Static } from '@matricula/contract'
import { type Sql, sql, table } from '../../database/index.ts'
import { type StoredRow, storedFields } from '../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../listing/index.ts'
import { searchPatterns } from '../../values/index.ts'

export type CourseRecord = Static<typeof Course>

/** The stored fields of a course, by column. */
export const courseColumns = {
  externalId: 'external_id',
  code: 'code',
  name: 'name',
  description: 'description',
  credits: 'credits',
  hours: 'hours',
  department: 'department',
  status: 'status',
  searchText: 'search_text',
  modifiedBy: 'modified_by',
} as const

export const courseTable = table('courses', courseColumns, 'name')

/** The stored fields of a course. */
export const courseFields = storedFields(Course, 'c', courseColumns)

export interface CourseRow extends StoredRow<CourseRecord, typeof courseColumns> {
  readonly programs: CourseRecord['programs'] | null
  readonly programs_version: number
  readonly custom_fields: JsonObject | null
}

function selectCourses(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${courseFields.selected}, joined.programs, joined.programs_version,
           nullif(c.custom_fields, '{}') as custom_fields,
           greatest(c.updated_at, joined.shown_at) as updated_at
      from courses c
      cross join lateral (
        select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name, p.id) as programs,
               coalesce(sum(p.version), 0) as programs_version, max(p.shown_at) as shown_at
          from programs p
         where p.tenant_id = ${tenantId}
           and p.id in (select l.program_id from program_courses l where l.tenant_id = ${tenantId} and l.course_id = c.id)
      ) joined
     where c.tenant_id = ${tenantId} and ${condition}`
}

export const courses: ListDefinition<CourseRow, CourseRecord> = {
  entityType: 'course',
  noun: 'course',
  table: 'courses',
  isCountedByStatus: true,
  alias: 'c',
  select: selectCourses,
  toRecord: courseFields.reader<CourseRow>({
    programs: (row) => (row.programs ?? []).map(({ id, name }) => ({ id, name })),
    customFields: (row) => row.custom_fields ?? undefined,
  }),
  versions: (row) => [row.version, row.programs_version],
  shows: [
    sql`join program_courses l on l.tenant_id = c.tenant_id and l.course_id = c.id
        join programs shown on shown.tenant_id = c.tenant_id and shown.id = l.program_id`,
  ],
  filters: {
    search: (search) => sql`c.search_text like all (${searchPatterns(search)}::text[])`,
    programId: (programId) => sql`exists (
      select from program_courses l
       where l.tenant_id = c.tenant_id and l.course_id = c.id and l.program_id = ${programId})`,
  } satisfies FiltersOf<(typeof courseOperations)['listCourses']>,
}
