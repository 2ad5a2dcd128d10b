import type { FormFieldEntry, FormTemplateEntry, MappingTarget, PublicLocale, Static } from '@matricula/contract'
import { otherTexts, type Translations, withOwnTexts } from '../../../tenancy/index.ts'
import { always, type FormTranslations, type TemplateSettings } from '../form-definition.ts'

type TemplateEntry = Static<typeof FormTemplateEntry>
type FieldEntry = Static<typeof FormFieldEntry>

/**
 * The settings of a template after an entry of a settings file: members that the entry leaves out stay; sections and
 * questions are replaced as a whole. The institution's own texts are in `language`.
 */
export function templateSettings(
  entry: TemplateEntry,
  current: TemplateSettings | null,
  language: PublicLocale,
): TemplateSettings {
  const { fields, sections, mapping, ...rest } = entry
  const initial: TemplateSettings = {
    key: entry.key,
    name: '',
    description: '',
    category: '',
    status: 'draft',
    isPublic: false,
    entityType: 'none',
    sections: [],
    fields: [],
    mapping: {},
    translations: {},
  }
  const base = current ?? initial
  const { translations: texts, ...own } = withOwnTexts(rest, ['name', 'description'], language, base.translations.texts)
  const parsed = {
    sections: sections?.map((one) => toSection(one, language)),
    fields: fields?.map((one) => toField(one, language)),
  }
  return {
    ...base,
    ...own,
    sections: parsed.sections?.map(({ settings }) => settings) ?? base.sections,
    fields: parsed.fields?.map(({ settings }) => settings) ?? base.fields,
    // The contract's schema leaves the targets open; `templateErrors` checks them.
    mapping: mapping === undefined ? base.mapping : (mapping as Record<string, MappingTarget>),
    translations: withoutEmpty({
      texts,
      sections: translationsByKey(parsed.sections) ?? base.translations.sections ?? {},
      fields: translationsByKey(parsed.fields) ?? base.translations.fields ?? {},
    }),
  }
}

function toSection(section: NonNullable<TemplateEntry['sections']>[number], language: PublicLocale) {
  const { translations, ...settings } = withOwnTexts(section, ['title'], language)
  return { settings, translations }
}

function toField(field: FieldEntry, language: PublicLocale) {
  const { options = [], ...rest } = field
  const { translations: texts, ...own } = withOwnTexts(rest, ['label', 'helpText'], language)
  const choices = options.map((option) => withOwnTexts(option, ['label'], language))
  const settings = {
    isRequired: false,
    helpText: '',
    validation: {},
    visibleWhen: always,
    section: '',
    ...own,
    options: choices.map(({ translations, ...option }) => option),
  } as TemplateSettings['fields'][number]
  const labels = options.map(({ value, label }) => [value, otherTexts(label, language)] as const)
  const optionTranslations: Translations = Object.fromEntries(
    labels.filter(([, others]) => Object.keys(others).length > 0),
  )
  return { settings, translations: withoutEmpty({ texts, options: optionTranslations }) }
}

/** The translations by key, without empty ones; undefined when the entry does not name the list. */
function translationsByKey<Written extends object>(
  entries: readonly { readonly settings: { readonly key: string }; readonly translations: Written }[] | undefined,
): Record<string, Written> | undefined {
  if (entries === undefined) return undefined
  const parsed = entries.filter(({ translations }) => Object.keys(translations).length > 0)
  return Object.fromEntries(parsed.map(({ settings, translations }) => [settings.key, translations]))
}

function withoutEmpty<Parts extends object>(parts: Parts): Partial<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)) as Partial<Parts>
}

/** The translations of sections and questions, which are stored with the version, and those of the template itself. */
export function splitTranslations({ texts = {}, ...versionTranslations }: TemplateSettings['translations']): {
  readonly texts: Translations
  readonly versionTranslations: FormTranslations
} {
  return { texts, versionTranslations: versionTranslations }
}
