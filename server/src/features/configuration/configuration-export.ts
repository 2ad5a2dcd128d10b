import type { Json, PublicLocale } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import { readIssuers, toReport } from '../../identity/identity-providers/index.ts'
import { readRequiredFactors, readSessionSettings } from '../../identity/users/index.ts'
import { readCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { Translations } from '../../tenancy/index.ts'
import { readPipelineSettings } from '../admissions/index.ts'
import { loadBillingSettings } from '../billing-accounts/index.ts'
import { readLimits } from '../console/index.ts'
import { readDisclosureSettings } from '../disclosures/index.ts'
import { readTemplateSettings, type TemplateSettings } from '../forms/index.ts'
import { readRosterSettings } from '../oneroster/index.ts'
import { readDocumentTypeSettings, readProfileSettings } from '../requirements/index.ts'
import type { Configuration } from './configuration-file.ts'
import { settingsOf } from './custom-field-settings.ts'

/**
 * How an institution works now, as a file that `matricula apply` takes: applied to the same institution it changes
 * nothing. Secrets of issuers are left out.
 *
 * @param language The language of the institution's own texts
 */
export async function exportConfiguration(tx: Transaction, language: PublicLocale): Promise<Configuration> {
  const documentTypes = await readDocumentTypeSettings(tx)
  const statuses = await readPipelineSettings(tx)
  const profiles = await readProfileSettings(tx)
  const templates = await readTemplateSettings(tx)
  const limits = await readLimits(tx)
  const factors = await readRequiredFactors(tx)
  const issuers = await readIssuers(tx)
  const customFields = await readCustomFields((statement) => tx.query(statement), tx.tenantId)
  const billing = await loadBillingSettings(tx)
  const texts = (own: string, translations: Translations | undefined, name: string) =>
    withTranslations(own, translations?.[name], language)
  const configuration = {
    documentTypes: [...documentTypes.values()].map(({ translations, ...type }) => ({
      ...type,
      name: texts(type.name, translations, 'name'),
      description: texts(type.description, translations, 'description'),
    })),
    pipelineStatuses: [...statuses.values()],
    requirementProfiles: [...profiles.values()].map(({ requirements, ...profile }) => ({
      ...profile,
      requirements: requirements.map(({ translations, ...requirement }) => ({
        ...requirement,
        label: texts(requirement.label, translations, 'label'),
        instructions: texts(requirement.instructions, translations, 'instructions'),
      })),
    })),
    formTemplates: [...templates.values()].map((template) => exportTemplate(template, language)),
    roles: Object.entries(limits).map(([role, { scopes, records }]) => ({
      role,
      takenScopes: scopes,
      takenRights: records,
    })),
    sessions: await readSessionSettings(tx),
    disclosures: await readDisclosureSettings(tx),
    oneroster: await readRosterSettings(tx),
    billing: { ...billing, print: withoutNulls(billing.print) },
    issuers: [...issuers.values()].map(toReport),
    requiredFactors: [...factors.values()],
    customFields: [...customFields.values()].flatMap(({ defined }) => defined.map(settingsOf)),
  }
  // The settings are stored more loosely typed than a file is; a test applies what is exported.
  return configuration as unknown as Configuration
}

/** Members that are stored as null say nothing in a file. */
function withoutNulls<Members extends object>(members: Members): Partial<Members> {
  const said = Object.entries(members).filter(([, value]) => value !== null)
  return Object.fromEntries(said) as Partial<Members>
}

type WrittenText = string | Readonly<Partial<Record<PublicLocale, string>>>

function withTranslations(
  own: string,
  others: Readonly<Partial<Record<string, string>>> | undefined,
  language: PublicLocale,
): WrittenText {
  return others === undefined || Object.keys(others).length === 0 ? own : { [language]: own, ...others }
}

function exportTemplate({ translations, ...template }: TemplateSettings, language: PublicLocale): Json {
  const { texts, sections = {}, fields = {} } = translations
  const exported = {
    ...template,
    name: withTranslations(template.name, texts?.name, language),
    description: withTranslations(template.description, texts?.description, language),
    sections: template.sections.map(({ key, title }) => ({
      key,
      title: withTranslations(title, sections[key]?.title, language),
    })),
    fields: template.fields.map(({ section, ...field }) => {
      const own = fields[field.key]
      return {
        ...field,
        ...(section !== '' && { section }),
        label: withTranslations(field.label, own?.texts?.label, language),
        helpText: withTranslations(field.helpText, own?.texts?.helpText, language),
        options: field.options.map(({ value, label }) => ({
          value,
          label: withTranslations(label, own?.options?.[value], language),
        })),
      }
    }),
  }
  return exported as unknown as Json
}
