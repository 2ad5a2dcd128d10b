import type { FormFieldEntry, FormTemplateEntry, MappingTarget, PublicLocale, Static } from '@matricula/contract'
import { otherTexts, type Translations, withOwnTexts } from '../../../tenancy/index.ts'
import { always, type FormTranslations, type TemplateSettings } from '../form-definition.ts'

type TemplateEntry = Static<typeof FormTemplateEntry>
type FieldEntry = Static<typeof FormFieldEntry>

/**
 * What a template is to be: as it is, but for what an entry says; its parts and questions are replaced as a whole. The
 * institution's own texts are in `language`.
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
  const written = {
    sections: sections?.map((one) => ownSection(one, language)),
    fields: fields?.map((one) => ownField(one, language)),
  }
  return {
    ...base,
    ...own,
    sections: written.sections?.map(({ settings }) => settings) ?? base.sections,
    fields: written.fields?.map(({ settings }) => settings) ?? base.fields,
    // The contract's schema leaves the targets open; `templateErrors` knows them.
    mapping: mapping === undefined ? base.mapping : (mapping as Record<string, MappingTarget>),
    translations: withoutEmpty({
      texts,
      sections: byKey(written.sections) ?? base.translations.sections ?? {},
      fields: byKey(written.fields) ?? base.translations.fields ?? {},
    }),
  }
}

function ownSection(section: NonNullable<TemplateEntry['sections']>[number], language: PublicLocale) {
  const { translations, ...settings } = withOwnTexts(section, ['title'], language)
  return { settings, translations }
}

function ownField(field: FieldEntry, language: PublicLocale) {
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
  const ofOptions: Translations = Object.fromEntries(labels.filter(([, others]) => Object.keys(others).length > 0))
  return { settings, translations: withoutEmpty({ texts, options: ofOptions }) }
}

/** What was written of things that have keys, where any was; undefined where the file names none of them. */
function byKey<Written extends object>(
  things: readonly { readonly settings: { readonly key: string }; readonly translations: Written }[] | undefined,
): Record<string, Written> | undefined {
  if (things === undefined) return undefined
  const written = things.filter(({ translations }) => Object.keys(translations).length > 0)
  return Object.fromEntries(written.map(({ settings, translations }) => [settings.key, translations]))
}

function withoutEmpty<Parts extends object>(parts: Parts): Partial<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0)) as Partial<Parts>
}

/** The translations of the parts and questions, which are kept with the version, and those of the form itself. */
export function splitTranslations({ texts = {}, ...ofVersion }: TemplateSettings['translations']): {
  readonly texts: Translations
  readonly ofVersion: FormTranslations
} {
  return { texts, ofVersion }
}
