import type { CustomFieldEntry, Static } from '@matricula/contract'
import { customField, mostCustomFields } from '@matricula/contract/record-types'
import type { ChangeContext } from '../../changes/index.ts'
import { lockTenantExclusive, undoneByFailure } from '../../concurrency/index.ts'
import type { Transaction } from '../../database/index.ts'
import { type Caller, RecordEngine, RecordError, type RecordRegistry } from '../../record-engine/index.ts'
import { type CustomField, readCustomFields } from '../../tenancy/custom-fields/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import type { ConfigurationError } from './configuration-file.ts'
import type { PlannedWrite } from './planned-change.ts'
import { differences } from './settings-differences.ts'

type Entry = Static<typeof CustomFieldEntry>

/** How an institution describes a field that it adds to a type of records. */
export type CustomFieldSettings = { -readonly [Name in keyof Entry]-?: Exclude<Entry[Name], undefined> }

/**
 * What a file's custom fields come to: the changes, and everything that the rules of custom fields refuse of them,
 * found by trying each of them. The transaction works alone from then on.
 */
export async function planCustomFields(
  tx: Transaction,
  registry: RecordRegistry,
  tenant: Tenant,
  context: ChangeContext,
  entries: readonly Entry[],
): Promise<{ readonly writes: PlannedWrite[]; readonly faults: ConfigurationError[] }> {
  if (entries.length === 0) return { writes: [], faults: [] }
  await lockTenantExclusive(tx)
  const known = await readCustomFields((statement) => tx.query(statement), tx.tenantId)
  const stored = new Map(
    [...known.values()]
      .flatMap(({ defined }) => defined)
      .map((field) => [`${field.recordType}.${field.name}`, settingsOf(field)]),
  )
  const tooMany = typesWithTooMany(entries, new Set(stored.keys()))
  const validationErrors: ConfigurationError[] = []
  const writes: PlannedWrite[] = []
  const seen = new Set<string>()
  const reported = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const key = `${entry.recordType}.${entry.name}`
    const at = (name: string, detail: string) => validationErrors.push({ path: ['customFields', index, name], detail })
    const before = stored.get(key) ?? null
    if (seen.has(key)) {
      at('name', `${key} appears twice; combine the entries`)
      continue
    }
    seen.add(key)
    const count = tooMany.get(entry.recordType)
    if (count !== undefined) {
      const detail = `${entry.recordType} would have ${count} custom fields; it takes at most ${mostCustomFields}`
      if (!reported.has(entry.recordType)) at('recordType', detail)
      reported.add(entry.recordType)
      continue
    }
    if (before === null && entry.type === undefined) {
      at('type', `is required, because there is no ${key} yet`)
      continue
    }
    const after = { ...(before ?? initial(entry)), ...entry }
    const write: PlannedWrite['write'] = (inside, by) => save(inside, registry, tenant, by, before, after)
    const changes = before === null ? [] : differences(before, after)
    if (before !== null && changes.length === 0) continue
    const rejection = await tried(tx, () => write(tx, context))
    if (rejection !== null) at('name', rejection)
    writes.push({ action: before === null ? 'create' : 'change', kind: 'customFields', key, changes, write })
  }
  return { writes, faults: validationErrors }
}

/** How many fields each type would have that would have too many. */
function typesWithTooMany(entries: readonly Entry[], stored: ReadonlySet<string>): Map<string, number> {
  const keys = new Set([...stored, ...entries.map(({ recordType, name }) => `${recordType}.${name}`)])
  const counts = new Map<string, number>()
  for (const key of keys) {
    const type = key.slice(0, key.lastIndexOf('.'))
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return new Map([...counts].filter(([, count]) => count > mostCustomFields))
}

class Tried extends Error {}

/** Why a change is refused, or null; nothing of it stays. */
async function tried(tx: Transaction, change: () => Promise<void>): Promise<string | null> {
  try {
    await undoneByFailure(tx, async () => {
      await change()
      throw new Tried()
    })
  } catch (error) {
    if (error instanceof RecordError) return error.messages.join(' ')
    if (!(error instanceof Tried)) throw error
  }
  return null
}

function initial({ recordType, name, type = 'Data' }: Entry): CustomFieldSettings {
  return {
    recordType,
    name,
    type,
    label: name,
    options: [],
    linksTo: null,
    required: false,
    unique: false,
    default: null,
    description: '',
    readOnly: false,
    hidden: false,
    inListView: false,
    insertAfter: null,
    allowOnSubmit: false,
    noCopy: false,
    precision: null,
  }
}

/** The settings of a field as it is stored. */
export function settingsOf(field: CustomField): CustomFieldSettings {
  return {
    recordType: field.recordType,
    name: field.name,
    type: field.fieldType,
    label: field.label,
    options: field.options.filter((option) => option !== ''),
    linksTo: field.target?.type ?? null,
    required: field.isRequired,
    unique: field.isUnique,
    default: field.default,
    description: field.description ?? '',
    readOnly: field.isReadOnly,
    hidden: field.isHidden,
    inListView: field.isInListView,
    insertAfter: field.insertAfter,
    allowOnSubmit: field.isAllowedOnSubmit,
    noCopy: field.isNotCopied,
    precision: field.precision,
  }
}

/** Makes a field, or brings it to settings that differ from what is stored, by the rules of custom fields. */
async function save(
  tx: Transaction,
  registry: RecordRegistry,
  tenant: Tenant,
  { actor }: ChangeContext,
  before: CustomFieldSettings | null,
  after: CustomFieldSettings,
): Promise<void> {
  const engine = new RecordEngine(tx, getCaller(tenant, actor), registry)
  const { recordType, name } = after
  const fields = getFields(after)
  if (before === null) await engine.insert(customField, fields)
  else await engine.change(customField, `${recordType}-${name}`, (document) => void Object.assign(document, fields))
}

/** Nothing is chosen until somebody chooses. */
function getFields(settings: CustomFieldSettings) {
  const check = (isSet: boolean) => (isSet ? 1 : 0)
  return {
    dt: settings.recordType,
    fieldname: settings.name,
    label: settings.label,
    fieldtype: settings.type,
    options: settings.type === 'Select' ? ['', ...settings.options].join('\n') : settings.linksTo,
    reqd: check(settings.required),
    unique: check(settings.unique),
    default: settings.default,
    description: settings.description || null,
    read_only: check(settings.readOnly),
    hidden: check(settings.hidden),
    in_list_view: check(settings.inListView),
    insert_after: settings.insertAfter,
    allow_on_submit: check(settings.allowOnSubmit),
    no_copy: check(settings.noCopy),
    precision: settings.precision === null ? '' : String(settings.precision),
  }
}

function getCaller(tenant: Tenant, actor: ChangeContext['actor']): Caller {
  return {
    tenant: { ...tenant, customFields: new Map() },
    kind: 'key',
    user: 'Administrator',
    fullName: 'Administrator',
    roles: new Set(['System Manager']),
    actor,
    requestId: null,
    address: null,
  }
}
