import { type FormEntityType, FormTemplate, type formOperations, type Static } from '@matricula/contract'
import type { RecordList } from '../../../changes/index.ts'
import { type Sql, sql, table } from '../../../database/index.ts'
import { type StoredRow, storedFields } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'

export type FormTemplateRecord = Static<typeof FormTemplate>

/** The stored fields of a template, by column; questions are stored with the version. */
const templateColumns = {
  key: 'key',
  name: 'name',
  description: 'description',
  category: 'category',
  status: 'status',
  isPublic: 'is_public',
  version: 'current_version',
} as const

export const templateTable = table('form_templates', { ...templateColumns, translations: 'translations' })

const templateFields = storedFields(FormTemplate, 'f', templateColumns)

interface TemplateRow extends StoredRow<FormTemplateRecord, typeof templateColumns> {
  readonly tenant_slug: string
  readonly entity_type: FormEntityType
  readonly sections: FormTemplateRecord['sections']
  readonly fields: FormTemplateRecord['fields']
  readonly published_at: string | null
  readonly submission_count: number
}

/** Selects templates by a condition on `f`, with the questions of their current version. */
function selectTemplates(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${templateFields.selected}, (select slug from tenants where id = ${tenantId}) as tenant_slug,
           v.entity_type, v.sections, v.fields, v.published_at, sent.submission_count,
           greatest(f.updated_at, sent.shown_at) as updated_at
      from form_templates f
      join form_template_versions v
        on v.tenant_id = ${tenantId} and v.template_id = f.id and v.version_number = f.current_version
      cross join lateral (
        select coalesce(sum(c.count), 0)::bigint as submission_count, max(c.shown_at) as shown_at
          from form_submission_counts c
         where c.tenant_id = ${tenantId} and c.template_id = f.id) sent
     where f.tenant_id = ${tenantId} and ${condition}`
}

/** The list of form templates. */
export const templateList = {
  entityType: 'form_template',
  noun: 'form template',
  table: 'form_templates',
  isCountedByStatus: true,
} as const satisfies RecordList

/** The list of form templates. `publicUrl` is the base address of the public pages. */
export function templatesAt(publicUrl: string): ListDefinition<TemplateRow, FormTemplateRecord> {
  return {
    ...templateList,
    alias: 'f',
    select: selectTemplates,
    toRecord: templateFields.reader<TemplateRow>({
      entityType: (row) => row.entity_type,
      sections: (row) => row.sections,
      fields: (row) => row.fields,
      publicUrl: (row) =>
        row.is_public && row.status === 'published' ? publicFormUrl(publicUrl, row.tenant_slug, row.key) : null,
      submissionCount: (row) => row.submission_count,
      publishedAt: (row) => row.published_at,
    }),
    versions: (row) => [row.version],
    shows: [sql`join form_submission_counts shown on shown.tenant_id = f.tenant_id and shown.template_id = f.id`],
    filters: {} satisfies FiltersOf<(typeof formOperations)['listFormTemplates']>,
  }
}

/** The address of a public form, readable so that it can be printed and typed. */
export function publicFormUrl(publicUrl: string, tenantSlug: string, templateKey: string): string {
  return `${publicUrl}/f/${tenantSlug}/${templateKey}`
}
