import type { PublicLocale } from '@matricula/contract'
import { sql, type Transaction } from '../../database/index.ts'
import { type PipelineStatusSettings, pipelineStatusSettings, readPipelineSettings } from '../admissions/index.ts'
import { readTemplateSettings, type TemplateSettings, templateSettings } from '../forms/index.ts'
import {
  type DocumentTypeSettings,
  documentTypeSettings,
  type RequirementProfileSettings,
  readDocumentTypeSettings,
  readProfileSettings,
  requirementProfileSettings,
} from '../requirements/index.ts'
import type { Configuration } from './configuration-file.ts'

/** The settings of one kind by their keys: as they are, and as they are to be. */
export interface Planned<Settings> {
  readonly before: ReadonlyMap<string, Settings>
  readonly after: ReadonlyMap<string, Settings>
}

/** The settings of a tenant, as they are and as a file wants them. */
export interface ConfigurationState {
  readonly documentTypes: Planned<DocumentTypeSettings>
  readonly pipelineStatuses: Planned<PipelineStatusSettings>
  readonly requirementProfiles: Planned<RequirementProfileSettings>
  readonly formTemplates: Planned<TemplateSettings>
  /** The names of the tenant's programs by name, and by code where that is nobody's name. */
  readonly programs: ReadonlyMap<string, string>
}

/**
 * Reads the tenant's settings and lays a file over them, whose plain texts are in the tenant's language. What the
 * file does not name stays as it is.
 */
export async function readConfigurationState(
  tx: Transaction,
  configuration: Configuration,
  language: PublicLocale,
): Promise<ConfigurationState> {
  const rows = await tx.query<{ name: string; code: string }>(
    sql`select name, code from programs where tenant_id = ${tx.tenantId} order by name`,
  )
  const byCode = rows.filter(({ code }) => code !== '').map(({ name, code }) => [code, name] as const)
  const programs = new Map([...byCode, ...rows.map(({ name }) => [name, name] as const)])
  const documentTypes = laidOver(
    await readDocumentTypeSettings(tx),
    configuration.documentTypes ?? [],
    (entry, current, position) => documentTypeSettings(entry, current, position, language),
  )
  const getName = (key: string) => {
    const type = documentTypes.after.get(key)
    return type === undefined ? key : { ...type.translations.name, [language]: type.name }
  }
  const getProgram = (word: string) => programs.get(word) ?? word
  return {
    documentTypes,
    pipelineStatuses: laidOver(
      await readPipelineSettings(tx),
      configuration.pipelineStatuses ?? [],
      pipelineStatusSettings,
    ),
    requirementProfiles: laidOver(
      await readProfileSettings(tx),
      configuration.requirementProfiles ?? [],
      (entry, current) => requirementProfileSettings(entry, current, getName, getProgram, language),
    ),
    formTemplates: laidOver(await readTemplateSettings(tx), configuration.formTemplates ?? [], (entry, current) =>
      templateSettings(entry, current, language),
    ),
    programs,
  }
}

function laidOver<Settings extends object, Entry extends { readonly key: string }>(
  before: ReadonlyMap<string, Settings>,
  entries: readonly Entry[],
  merge: (entry: Entry, current: Settings | null, position: number) => Settings,
): Planned<Settings> {
  const after = new Map(before)
  const locations = [...before.values()].map((settings) => ('position' in settings ? Number(settings.position) : 0))
  let last = Math.max(0, ...locations)
  for (const entry of entries) {
    const current = after.get(entry.key) ?? null
    if (current === null) last += 1
    after.set(entry.key, merge(entry, current, last))
  }
  return { before, after }
}
