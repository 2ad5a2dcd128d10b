import type { PublicLocale } from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import { type Database, sql } from '../../../database/index.ts'
import { inLanguage, type Translations } from '../../../tenancy/index.ts'
import { type FormDefinition, type FormFieldRecord, getDocumentTypeKey } from '../form-definition.ts'
import type { FileLimits } from '../submissions/form-answers.ts'
import { openStudentFormToken } from './form-links.ts'

/** A public form. */
export interface PublicForm {
  readonly tenant: ChangeContext['tenant']
  readonly institution: string
  /** The language of its original texts. */
  readonly language: PublicLocale
  readonly templateId: string
  readonly key: string
  readonly name: string
  readonly description: string
  /** Name and description in other languages. */
  readonly texts: Translations
  readonly version: number
  readonly definition: FormDefinition
  /** The limits of each question of type `file`, by question key. */
  readonly files: ReadonlyMap<string, QuestionFileLimits>
}

/** The limits of a question's files and their document type. */
export interface QuestionFileLimits extends FileLimits {
  readonly documentTypeId: string
}

interface TenantRow {
  id: string
  name: string
  time_zone: string
  currency: string
  language: PublicLocale
}

interface FormRow extends FormDefinition {
  id: string
  key: string
  name: string
  description: string
  texts: Translations
  version: number
}

/**
 * The form at `/f/{slug}/{key}`, or null: the tenant is suspended or has no forms, or the template is not published,
 * archived, or not public.
 */
export async function findPublicForm(database: Database, slug: string, key: string): Promise<PublicForm | null> {
  const [tenant] = await database.readGlobal<TenantRow>(sql`
    select id, name, time_zone, currency, language from tenants
     where slug = ${slug} and status = 'active' and 'staff_forms' = any (enabled_modules)`)
  if (tenant === undefined) return null
  const [row] = await database.read<FormRow>(
    tenant.id,
    sql`
      select f.id, f.key, f.name, f.description, v.version_number as version, v.entity_type as "entityType",
             v.sections, v.fields, v.mapping, f.translations as texts, v.translations
        from form_templates f
        join form_template_versions v
          on v.tenant_id = f.tenant_id and v.template_id = f.id and v.version_number = f.current_version
       where f.tenant_id = ${tenant.id} and f.key = ${key} and f.status = 'published' and f.is_public`,
  )
  if (row === undefined) return null
  const { entityType, sections, fields, mapping, translations } = row
  return {
    tenant: { id: tenant.id, timeZone: tenant.time_zone, currency: tenant.currency },
    institution: tenant.name,
    language: tenant.language,
    templateId: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    texts: row.texts,
    version: row.version,
    definition: { entityType, sections, fields, mapping, translations },
    files: await readFileLimits(database, tenant.id, fields),
  }
}

/** A form with its texts in a language. */
export function formIn(form: PublicForm, locale: PublicLocale): PublicForm {
  const { sections, fields, translations } = form.definition
  return {
    ...inLanguage(form, form.texts, locale),
    definition: {
      ...form.definition,
      sections: sections.map((section) => inLanguage(section, translations.sections?.[section.key], locale)),
      fields: fields.map((field) => {
        const { texts, options = {} } = translations.fields?.[field.key] ?? {}
        const labelled = field.options.map((option) => ({
          ...option,
          label: options[option.value]?.[locale] ?? option.label,
        }))
        return { ...inLanguage(field, texts, locale), options: labelled }
      }),
    },
  }
}

interface TypeRow {
  id: string
  key: string
  allowed_mime_types: string[]
  max_size_bytes: number
}

/** The limits that both the question and its document type allow. An unknown document type allows nothing. */
async function readFileLimits(
  database: Database,
  tenantId: string,
  fields: readonly FormFieldRecord[],
): Promise<Map<string, QuestionFileLimits>> {
  const ofFiles = fields.filter(({ type }) => type === 'file')
  if (ofFiles.length === 0) return new Map()
  const rows = await database.read<TypeRow>(
    tenantId,
    sql`
      select id, key, allowed_mime_types, max_size_bytes from document_types
       where tenant_id = ${tenantId} and is_active and key = any (${ofFiles.map(getDocumentTypeKey)})`,
  )
  const types = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    ofFiles.map((field) => {
      const type = types.get(getDocumentTypeKey(field))
      const { mediaTypes, maxSizeBytes = Number.POSITIVE_INFINITY } = field.validation
      const limits = {
        documentTypeId: type?.id ?? '',
        allowedMimeTypes: (type?.allowed_mime_types ?? []).filter((one) => mediaTypes?.includes(one) ?? true),
        maxSizeBytes: Math.min(type?.max_size_bytes ?? 0, maxSizeBytes),
      }
      return [field.key, limits]
    }),
  )
}

/** The student of a form. */
export interface FormStudent {
  readonly id: string
  readonly fullName: string
}

/**
 * The student of a link, for a form whose submissions belong to students. Null for a token that was not made for this
 * form.
 */
export async function findFormStudent(
  database: Database,
  secretKey: string,
  { tenant, templateId, definition }: PublicForm,
  token: string,
): Promise<FormStudent | null> {
  const studentId = openStudentFormToken(secretKey, { tenantId: tenant.id, templateId }, token)
  if (studentId === null || definition.entityType !== 'student') return null
  const [row] = await database.read<FormStudent>(
    tenant.id,
    sql`select id, full_name as "fullName" from students where tenant_id = ${tenant.id} and id = ${studentId}`,
  )
  return row ?? null
}
