import type { ChangeContext } from '../../../changes/index.ts'
import { recordChanges } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { lockOne, readBack } from '../../../entities/index.ts'
import type { Translations } from '../../../tenancy/index.ts'
import { newId, sameJson } from '../../../values/index.ts'
import type { FormDefinition, FormFieldRecord, TemplateSettings } from '../form-definition.ts'
import { splitTranslations } from './template-settings.ts'
import { type FormTemplateRecord, templateList, templatesAt, templateTable } from './template-store.ts'

/** Templates for comparison and audit: without public addresses, which depend on the deployment. */
const templates = templatesAt('')

/** The settings of every template of the tenant, by key. */
export async function readTemplateSettings(tx: Transaction): Promise<Map<string, TemplateSettings>> {
  const rows = await tx.query<TemplateSettings & { texts: Translations }>(sql`
    select f.key, f.name, f.description, f.category, f.status, f.is_public as "isPublic",
           v.entity_type as "entityType", v.sections, v.fields, v.mapping, f.translations as texts, v.translations
      from form_templates f
      join form_template_versions v
        on v.tenant_id = f.tenant_id and v.template_id = f.id and v.version_number = f.current_version
     where f.tenant_id = ${tx.tenantId}
     order by f.key`)
  return new Map(rows.map((row) => [row.key, withoutPositions(row)]))
}

function withoutPositions({ texts, ...row }: TemplateSettings & { texts: Translations }): TemplateSettings {
  return {
    ...row,
    translations: { ...(Object.keys(texts).length > 0 && { texts }), ...row.translations },
    sections: row.sections.map(({ key, title }) => ({ key, title })),
    fields: (row.fields as readonly FormFieldRecord[]).map(({ id, position, ...field }) => field),
  }
}

/**
 * Creates or updates the template with the settings' key. Changed questions of a published version become a new
 * version; an unpublished version is changed in place. Writes nothing when nothing changes. The settings have passed
 * `templateErrors`.
 */
export async function saveTemplate(tx: Transaction, context: ChangeContext, settings: TemplateSettings): Promise<void> {
  const locked = await lockOne(tx, templates, sql`f.key = ${settings.key}`)
  if (locked === null) await insertTemplate(tx, context, settings)
  else await changeTemplate(tx, context, locked.record, settings)
}

async function insertTemplate(tx: Transaction, context: ChangeContext, settings: TemplateSettings): Promise<void> {
  const id = newId()
  await tx.query(templateTable.insert(tx.tenantId, id, { ...settings, version: 1, translations: getTexts(settings) }))
  insertVersion(tx, id, 1, buildDefinition(settings, []), settings.status === 'published')
  const { record } = await readBack(tx, templates, id)
  recordTemplate(tx, context, null, record)
}

async function changeTemplate(
  tx: Transaction,
  context: ChangeContext,
  before: FormTemplateRecord,
  settings: TemplateSettings,
): Promise<void> {
  const { key, name, description, category, status, isPublic } = settings
  const [storedVersion] = await tx.query<
    Pick<FormDefinition, 'mapping' | 'translations'> & { texts: Translations }
  >(sql`
    select v.mapping, v.translations, f.translations as texts
      from form_template_versions v
      join form_templates f on f.tenant_id = v.tenant_id and f.id = v.template_id
     where v.tenant_id = ${tx.tenantId} and v.template_id = ${before.id} and v.version_number = ${before.version}`)
  const texts = getTexts(settings)
  const { entityType, sections, fields } = before
  const definition = buildDefinition(settings, fields)
  const { mapping, translations } = storedVersion as Pick<FormDefinition, 'mapping' | 'translations'>
  const isSameForm = sameJson(definition, { entityType, sections, fields, mapping, translations })
  const isSame =
    before.name === name &&
    before.description === description &&
    before.category === category &&
    before.status === status &&
    before.isPublic === isPublic &&
    sameJson(texts, storedVersion?.texts)
  if (isSameForm && isSame) return
  const startsVersion = !isSameForm && before.publishedAt !== null
  const version = startsVersion ? before.version + 1 : before.version
  if (startsVersion) insertVersion(tx, before.id, version, definition, status === 'published')
  else updateVersion(tx, before.id, version, definition, status === 'published')
  await tx.query(
    templateTable.update(tx.tenantId, before.id, {
      key,
      name,
      description,
      category,
      status,
      isPublic,
      version,
      translations: texts,
    }),
  )
  const { record } = await readBack(tx, templates, before.id)
  recordTemplate(tx, context, before, record)
}

function insertVersion(
  tx: Transaction,
  templateId: string,
  versionNumber: number,
  { entityType, sections, fields, mapping, translations }: FormDefinition,
  isPublished: boolean,
): void {
  tx.send(sql`
    insert into form_template_versions (tenant_id, template_id, version_number, entity_type, sections, fields, mapping,
                                        translations, published_at)
    values (${tx.tenantId}, ${templateId}, ${versionNumber}, ${entityType}, ${JSON.stringify(sections)}::jsonb,
            ${JSON.stringify(fields)}::jsonb, ${JSON.stringify(mapping)}::jsonb,
            ${JSON.stringify(translations)}::jsonb, ${isPublished ? sql`current_stamp()` : null})`)
}

/** Updates a version. One that was published gets only values that are the same. */
function updateVersion(
  tx: Transaction,
  templateId: string,
  versionNumber: number,
  { entityType, sections, fields, mapping, translations }: FormDefinition,
  isPublished: boolean,
): void {
  tx.send(sql`
    update form_template_versions
       set entity_type = ${entityType}, sections = ${JSON.stringify(sections)}::jsonb,
           fields = ${JSON.stringify(fields)}::jsonb, mapping = ${JSON.stringify(mapping)}::jsonb,
           translations = ${JSON.stringify(translations)}::jsonb,
           published_at = ${isPublished ? sql`least(published_at, current_stamp())` : sql`published_at`}
     where tenant_id = ${tx.tenantId} and template_id = ${templateId} and version_number = ${versionNumber}`)
}

/** The definition with positions by order; a question keeps its id as long as it keeps its key. */
function buildDefinition(settings: TemplateSettings, before: readonly FormFieldRecord[]): FormDefinition {
  const ids = new Map(before.map(({ key, id }) => [key, id]))
  return {
    entityType: settings.entityType,
    sections: settings.sections.map((section, index) => ({ ...section, position: index + 1 })),
    fields: settings.fields.map((field, index) => ({
      ...field,
      id: ids.get(field.key) ?? newId(),
      position: index + 1,
    })),
    mapping: settings.mapping,
    translations: splitTranslations(settings.translations).versionTranslations,
  }
}

function getTexts({ translations }: TemplateSettings): Translations {
  return splitTranslations(translations).texts
}

function recordTemplate(
  tx: Transaction,
  context: ChangeContext,
  before: FormTemplateRecord | null,
  after: FormTemplateRecord,
): void {
  const type = before === null ? 'form_template.created' : 'form_template.updated'
  recordChanges(tx, context, [{ type, list: templateList, entityId: after.id, before, after }])
}
