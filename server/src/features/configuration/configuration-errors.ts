import { type PublicLocale, studentStatuses } from '@matricula/contract'
import { loadCount } from '../../changes/index.ts'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { applications } from '../admissions/index.ts'
import { getDocumentTypeKey, type TemplateSettings, templateErrors } from '../forms/index.ts'
import { codeColumns, ownerTables, type RequirementProfileSettings } from '../requirements/index.ts'
import type { Configuration, ConfigurationError, FilePath } from './configuration-file.ts'
import type { ConfigurationState } from './configuration-state.ts'

/** What a new setting of each kind cannot do without. */
const neededOfNew = {
  documentTypes: ['name'],
  pipelineStatuses: ['label', 'category'],
  requirementProfiles: ['name', 'appliesTo'],
  formTemplates: ['name', 'fields'],
} as const

/** Everything that is wrong with what a well-formed file says, given what the tenant has. */
export async function configurationErrors(
  tx: Transaction,
  configuration: Configuration,
  state: ConfigurationState,
  language: PublicLocale,
): Promise<ConfigurationError[]> {
  const validationErrors = [
    ...languageErrors(configuration, language),
    ...entryErrors(configuration, state),
    ...documentTypeErrors(configuration, state),
    ...pipelineErrors(configuration, state),
    ...profileErrors(configuration, state),
    ...(configuration.formTemplates ?? []).flatMap(({ key }, index) => formErrors(key, index, state)),
  ]
  for (const [index, { key }] of (configuration.pipelineStatuses ?? []).entries()) {
    const { before, after } = state.pipelineStatuses
    if (before.get(key)?.isActive !== true || after.get(key)?.isActive !== false) continue
    const count = await loadCount(tx, applications, key)
    if (count === 0) continue
    const detail = `${count} applications are in ${key}; move them to another status first`
    validationErrors.push({ path: ['pipelineStatuses', index, 'isActive'], detail })
  }
  return [...validationErrors, ...(await waiverErrors(tx, configuration, state))]
}

/** What people read, wherever it stands in a file. */
const textNames = ['name', 'label', 'title', 'description', 'instructions', 'helpText', 'texts']

/** Texts in several languages without the one that is the institution's own. */
function languageErrors(value: unknown, language: PublicLocale, path: FilePath = []): ConfigurationError[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]): ConfigurationError[] => {
    const at = [...path, Array.isArray(value) ? Number(name) : name]
    const isTexts = textNames.includes(name) && typeof member === 'object' && member !== null
    if (!isTexts) return languageErrors(member, language, at)
    if ((member as Record<string, string>)[language]) return []
    const detail = `needs ${language}, the language of the institution's own texts (matricula tenant update changes it)`
    return [{ path: at, detail }]
  })
}

/** Keys that stand there twice, and new entries that lack what they need. */
function entryErrors(configuration: Configuration, state: ConfigurationState): ConfigurationError[] {
  return (Object.keys(neededOfNew) as (keyof typeof neededOfNew)[]).flatMap((kind) => {
    const entries: readonly { readonly key: string }[] = configuration[kind] ?? []
    return entries.flatMap((entry, index): ConfigurationError[] => {
      const first = entries.findIndex(({ key }) => key === entry.key)
      if (first !== index) {
        return [{ path: [kind, index, 'key'], detail: `${entry.key} appears twice; combine the entries` }]
      }
      if (state[kind].before.has(entry.key)) return []
      return neededOfNew[kind]
        .filter((name) => !(name in entry))
        .map((name) => ({ path: [kind, index, name], detail: `is required, because there is no ${entry.key} yet` }))
    })
  })
}

function listed(values: Iterable<string>): string {
  return [...values].join(', ') || 'none'
}

function activeKeys(settings: ReadonlyMap<string, { readonly isActive: boolean }>): string[] {
  return [...settings].filter(([, { isActive }]) => isActive).map(([key]) => key)
}

/** A type that something in use needs cannot be taken out of use; what stands in the file is told where it stands. */
function documentTypeErrors({ documentTypes }: Configuration, state: ConfigurationState): ConfigurationError[] {
  return (documentTypes ?? []).flatMap(({ key }, index): ConfigurationError[] => {
    const type = state.documentTypes.after.get(key)
    const validationErrors: ConfigurationError[] = []
    if (type?.allowedMimeTypes.length === 0) {
      validationErrors.push({
        path: ['documentTypes', index, 'allowedMimeTypes'],
        detail: 'needs at least one media type',
      })
    }
    if (type?.isActive !== false) return validationErrors
    const users = [
      ...[...state.requirementProfiles.after.values()]
        .filter(({ isActive, requirements }) => isActive && requirements.some((one) => one.documentType === key))
        .map((profile) => `requirement profile ${profile.key}`),
      ...[...state.formTemplates.after.values()]
        .filter(({ status, fields }) => status === 'published' && fields.some((field) => asksFor(field, key)))
        .map((template) => `form template ${template.key}`),
    ]
    if (users.length > 0) {
      const detail = `${key} is needed by ${users.join(', ')}; change or deactivate that too`
      validationErrors.push({ path: ['documentTypes', index, 'isActive'], detail })
    }
    return validationErrors
  })
}

function asksFor(field: TemplateSettings['fields'][number], documentType: string): boolean {
  return field.type === 'file' && getDocumentTypeKey(field) === documentType
}

function pipelineErrors({ pipelineStatuses }: Configuration, state: ConfigurationState): ConfigurationError[] {
  if (pipelineStatuses === undefined) return []
  const { after } = state.pipelineStatuses
  const validationErrors = pipelineStatuses.flatMap(({ allowedNext }, index) =>
    (allowedNext ?? []).flatMap((key, position): ConfigurationError[] => {
      if (after.has(key)) return []
      const detail = `${key} is no status of the pipeline; there are: ${listed(after.keys())}`
      return [{ path: ['pipelineStatuses', index, 'allowedNext', position], detail }]
    }),
  )
  const initial = [...after.values()].filter(({ isInitial }) => isInitial)
  const [first, ...others] = initial.map(({ key }) => key)
  if (first === undefined) {
    validationErrors.push({
      path: ['pipelineStatuses'],
      detail: 'no status would be the initial one; give one isInitial: true',
    })
  } else if (others.length > 0) {
    const detail = `${listed([first, ...others])} would all be initial; leave isInitial: true to one, and give the others isInitial: false`
    validationErrors.push({ path: pathOfInitial(pipelineStatuses), detail })
  } else if (after.get(first)?.isActive === false) {
    const detail = `${first} is the initial status and cannot be out of use; make another one initial`
    validationErrors.push({ path: pathOfInitial(pipelineStatuses), detail })
  }
  return validationErrors
}

function pathOfInitial(entries: readonly { readonly isInitial?: boolean; readonly isActive?: boolean }[]): FilePath {
  const index = entries.findIndex(({ isInitial, isActive }) => isInitial === true || isActive === false)
  return index < 0 ? ['pipelineStatuses'] : ['pipelineStatuses', index]
}

function profileErrors({ requirementProfiles }: Configuration, state: ConfigurationState): ConfigurationError[] {
  return (requirementProfiles ?? []).flatMap(({ key, requirements = [], conditions = {} }, index) => {
    const profile = state.requirementProfiles.after.get(key) as RequirementProfileSettings
    const at = (...path: FilePath): FilePath => ['requirementProfiles', index, ...path]
    const validationErrors = profile.isActive
      ? requirements.flatMap(({ documentType }, position) =>
          typeErrors(documentType, profile.appliesTo, state, at('requirements', position, 'documentType')),
        )
      : []
    for (const [position, program] of (conditions.programs ?? []).entries()) {
      if (state.programs.has(program)) continue
      const detail = `${program} is neither the name nor the code of a program`
      validationErrors.push({ path: at('conditions', 'programs', position), detail })
    }
    const statuses = profile.appliesTo === 'student' ? studentStatuses : [...state.pipelineStatuses.after.keys()]
    for (const [position, status] of (conditions.statuses ?? []).entries()) {
      if ((statuses as readonly string[]).includes(status)) continue
      const detail = `${status} is no status of ${profile.appliesTo}s; there are: ${listed(statuses)}`
      validationErrors.push({ path: at('conditions', 'statuses', position), detail })
    }
    return validationErrors
  })
}

/** A document type that cannot be asked for. */
function typeErrors(
  key: string,
  owner: 'student' | 'application' | 'none',
  state: ConfigurationState,
  path: FilePath,
): ConfigurationError[] {
  const type = state.documentTypes.after.get(key)
  if (type === undefined || !type.isActive) {
    const what = type === undefined ? 'no document type' : 'a document type that is out of use'
    return [{ path, detail: `${key} is ${what}; there are: ${listed(activeKeys(state.documentTypes.after))}` }]
  }
  if (owner === 'none' || type.appliesTo.includes(owner)) return []
  return [{ path, detail: `${key} is a document type of ${listed(type.appliesTo)}, not of ${owner}` }]
}

function formErrors(key: string, index: number, state: ConfigurationState): ConfigurationError[] {
  const template = state.formTemplates.after.get(key) as TemplateSettings
  const validationErrors = templateErrors(template).map(({ path, detail }) => ({
    path: ['formTemplates', index, ...path],
    detail,
  }))
  const ofFiles = template.fields.flatMap((field, position): ConfigurationError[] => {
    if (field.type !== 'file' || template.status === 'archived') return []
    const path = ['formTemplates', index, 'fields', position, 'validation']
    const found = typeErrors(getDocumentTypeKey(field), template.entityType, state, [...path, 'documentTypeKey'])
    const allowed = state.documentTypes.after.get(getDocumentTypeKey(field))?.allowedMimeTypes ?? []
    const { mediaTypes } = field.validation
    if (found.length > 0 || mediaTypes === undefined || mediaTypes.some((type) => allowed.includes(type))) return found
    const detail = `${getDocumentTypeKey(field)} takes none of these; it takes ${listed(allowed)}`
    return [{ path: [...path, 'mediaTypes'], detail }]
  })
  return [...validationErrors, ...ofFiles]
}

/** Codes of records that the tenant does not have. */
async function waiverErrors(
  tx: Transaction,
  { requirementProfiles }: Configuration,
  state: ConfigurationState,
): Promise<ConfigurationError[]> {
  const validationErrors: ConfigurationError[] = []
  for (const [index, { key, requirements = [] }] of (requirementProfiles ?? []).entries()) {
    const { appliesTo } = state.requirementProfiles.after.get(key) as RequirementProfileSettings
    const code = identifier(codeColumns[appliesTo])
    const asked = requirements.flatMap(({ waivedFor }) => waivedFor ?? [])
    const rows = await tx.query<{ code: string }>(sql`
      select ${code} as code from ${identifier(ownerTables[appliesTo])}
       where tenant_id = ${tx.tenantId} and ${code} = any (${asked})`)
    const known = new Set(rows.map((row) => row.code))
    for (const [position, { waivedFor = [] }] of requirements.entries()) {
      for (const [nth, word] of waivedFor.entries()) {
        if (known.has(word)) continue
        const path = ['requirementProfiles', index, 'requirements', position, 'waivedFor', nth]
        validationErrors.push({ path, detail: `${word} is the code of no ${appliesTo}` })
      }
    }
  }
  return validationErrors
}
