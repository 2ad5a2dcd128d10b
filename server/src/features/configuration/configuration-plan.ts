import type { ChangeContext } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import type { RecordRegistry } from '../../record-engine/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { savePipelineStatus } from '../admissions/index.ts'
import { saveTemplate, type TemplateSettings } from '../forms/index.ts'
import { saveDocumentType, saveRequirementProfile } from '../requirements/index.ts'
import { planDisclosures, planOneRoster, planRoles, planSessions } from './access-settings.ts'
import { planBilling } from './billing-settings.ts'
import { configurationErrors } from './configuration-errors.ts'
import type { Configuration, ConfigurationError } from './configuration-file.ts'
import { type ConfigurationState, type Planned, readConfigurationState } from './configuration-state.ts'
import { planCustomFields } from './custom-field-settings.ts'
import { planRequiredFactors } from './factor-settings.ts'
import { planIssuers } from './issuer-settings.ts'
import type { PlannedChange, PlannedWrite, SettingKind } from './planned-change.ts'
import { differences } from './settings-differences.ts'

/** What applying a file does, or why it cannot be applied. */
export interface ConfigurationPlan {
  readonly writes: readonly PlannedWrite[]
  readonly faults: readonly ConfigurationError[]
}

/** What planning needs beside the database. */
export interface PlanningPlatform {
  readonly registry: RecordRegistry
  /** Seals the secrets of issuers. */
  readonly secretKey: string
}

/**
 * Compares a file with the tenant's settings. What the file does not name stays. Holds off other plans for the tenant
 * until the transaction ends.
 */
export async function planConfiguration(
  tx: Transaction,
  tenant: Tenant,
  context: ChangeContext,
  configuration: Configuration,
  { registry, secretKey }: PlanningPlatform,
): Promise<ConfigurationPlan> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`matricula apply ${tx.tenantId}`}, 0)) is null as held`,
  )
  const custom = await planCustomFields(tx, registry, tenant, context, configuration.customFields ?? [])
  const roles = await planRoles(tx, configuration.roles ?? [])
  const issuers = await planIssuers(tx, secretKey, configuration.issuers ?? [])
  const billing = await planBilling(tx, configuration.billing)
  const factors = await planRequiredFactors(tx, configuration)
  const state = await readConfigurationState(tx, configuration, tenant.language)
  const validationErrors = [
    ...(await configurationErrors(tx, configuration, state, tenant.language)),
    ...roles.faults,
    ...billing.faults,
    ...issuers.faults,
    ...factors.faults,
    ...custom.faults,
  ]
  const writes = [
    ...writesOf('documentTypes', state.documentTypes, isActive, saveDocumentType),
    ...writesOf('pipelineStatuses', state.pipelineStatuses, isActive, savePipelineStatus).sort(
      (one, other) => initialLast(one, state) - initialLast(other, state),
    ),
    ...writesOf('requirementProfiles', state.requirementProfiles, isActive, saveRequirementProfile),
    ...writesOf('formTemplates', state.formTemplates, isInUse, (tx, context, _before, after) =>
      saveTemplate(tx, context, after),
    ),
    ...roles.writes,
    ...(await planSessions(tx, configuration.sessions)),
    ...(await planDisclosures(tx, configuration.disclosures)),
    ...(await planOneRoster(tx, configuration.oneroster)),
    ...billing.writes,
    ...issuers.writes,
    ...factors.writes,
    ...custom.writes,
  ]
  return { writes, faults: validationErrors }
}

/** There is never more than one initial status, also not for a moment. */
function initialLast({ key }: PlannedChange, { pipelineStatuses }: ConfigurationState): number {
  return pipelineStatuses.after.get(key)?.isInitial === true ? 1 : 0
}

function isActive(settings: { readonly isActive: boolean }): boolean {
  return settings.isActive
}

function isInUse({ status }: TemplateSettings): boolean {
  return status !== 'archived'
}

function writesOf<Settings extends object>(
  kind: SettingKind,
  { before, after }: Planned<Settings>,
  isUsed: (settings: Settings) => boolean,
  save: (tx: Transaction, context: ChangeContext, before: Settings | null, after: Settings) => Promise<void>,
): PlannedWrite[] {
  return [...after].flatMap(([key, settings]): PlannedWrite[] => {
    const old = before.get(key) ?? null
    const write: PlannedWrite['write'] = (tx, context) => save(tx, context, old, settings)
    if (old === null) return [{ action: 'create', kind, key, changes: [], write }]
    const changes = differences(old, settings)
    if (changes.length === 0) return []
    const action = isUsed(old) && !isUsed(settings) ? 'deactivate' : 'change'
    return [{ action, kind, key, changes, write }]
  })
}
