import type { FormTemplateEntry, MappingTarget, Static } from '@matricula/contract'
import { always, type TemplateSettings } from './form-definition.ts'

/** What a template is to be: as it is, but for what an entry says; its parts and questions are replaced as a whole. */
export function templateSettings(
  entry: Static<typeof FormTemplateEntry>,
  current: TemplateSettings | null,
): TemplateSettings {
  const { fields, mapping, ...rest } = entry
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
  }
  const base = current ?? initial
  return {
    ...base,
    ...rest,
    fields:
      fields === undefined
        ? base.fields
        : fields.map((field) => ({
            isRequired: false,
            options: [],
            helpText: '',
            validation: {},
            visibleWhen: always,
            section: '',
            ...field,
          })),
    // The contract's schema leaves the targets open; `templateFaults` knows them.
    mapping: mapping === undefined ? base.mapping : (mapping as Record<string, MappingTarget>),
  }
}
