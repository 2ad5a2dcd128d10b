import type { FormEntityType, FormTemplate, FormTemplateStatus, formOperations, Static } from '@matricula/contract'
import { type Sql, sql } from '../../database/index.ts'
import type { FiltersOf, ListDefinition } from '../../platform/lists.ts'
import type { RecordList } from '../../platform/record-list.ts'

export type FormTemplateRecord = Static<typeof FormTemplate>

interface TemplateRow {
  id: string
  total: number
  tenant_slug: string
  key: string
  name: string
  description: string
  category: string
  status: FormTemplateStatus
  current_version: number
  entity_type: FormEntityType
  sections: FormTemplateRecord['sections']
  fields: FormTemplateRecord['fields']
  is_public: boolean
  submission_count: number
  published_at: string | null
  version: number
  created_at: string
  updated_at: string
}

/** The templates of a tenant that meet a condition on `f`, with the questions of their current version. */
function selectTemplates(tenantId: string, condition: Sql): Sql {
  return sql`
    select f.id, (select slug from tenants where id = ${tenantId}) as tenant_slug,
           f.key, f.name, f.description, f.category, f.status, f.current_version, v.entity_type, v.sections, v.fields,
           f.is_public, v.published_at, sent.submission_count,
           f.version, f.created_at, greatest(f.updated_at, sent.shown_at) as updated_at
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

/** The form templates of a service whose public pages are found below an address. */
export function templatesAt(publicUrl: string): ListDefinition<TemplateRow, FormTemplateRecord> {
  return {
    ...templateList,
    alias: 'f',
    select: selectTemplates,
    toRecord: (row) => toTemplate(row, publicUrl),
    versions: (row) => [row.version],
    shows: [sql`join form_submission_counts shown on shown.tenant_id = f.tenant_id and shown.template_id = f.id`],
    filters: {} satisfies FiltersOf<(typeof formOperations)['listFormTemplates']>,
  }
}

/** Where the page of a public form is: readable, so that it can be printed and typed. */
export function publicFormUrl(publicUrl: string, tenantSlug: string, templateKey: string): string {
  return `${publicUrl}/f/${tenantSlug}/${templateKey}`
}

function toTemplate(row: TemplateRow, publicUrl: string): FormTemplateRecord {
  const hasPage = row.is_public && row.status === 'published'
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    category: row.category,
    status: row.status,
    version: row.current_version,
    entityType: row.entity_type,
    sections: row.sections,
    fields: row.fields,
    isPublic: row.is_public,
    publicUrl: hasPage ? publicFormUrl(publicUrl, row.tenant_slug, row.key) : null,
    submissionCount: row.submission_count,
    publishedAt: row.published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
