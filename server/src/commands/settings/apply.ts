import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import {
  type PlannedChange,
  planConfiguration,
  readConfiguration,
  type SettingKind,
  toText,
} from '../../features/configuration/index.ts'
import { readOrMakeSecretKey } from '../../storage/index.ts'
import { noCustomFields } from '../../tenancy/custom-fields/index.ts'
import { operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface ApplyOptions {
  readonly tenant: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** `matricula apply`: how an institution works, from a file. */
export function addApplyCommand(command: Command): void {
  command
    .argument('<file>', 'YAML or JSON')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--yes', 'apply; without it, only show the plan')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The file has any of documentTypes, requirementProfiles, pipelineStatuses, formTemplates, roles, sessions, disclosures, billing, oneroster, issuers, requiredFactors, customFields;
docs/configuring.md explains each, docs/examples/institution.yaml shows most. Entries are found by their key. What the file does not name stays as it is;
isActive: false or status: archived takes something out of use. All of it is applied, or nothing.`,
    )
    .action(async (file: string, options: ApplyOptions) => {
      const { configuration, refusal: rejection } = await readConfiguration(file)
      const plan = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        const { secretKey: given, dataDir } = operator.config
        const secretKey = given ?? (await readOrMakeSecretKey(dataDir))
        const context = operatorContext(tenant)
        return operator.database.transaction(tenant.id, async (tx) => {
          const { writes, faults: validationErrors } = await planConfiguration(
            tx,
            { ...tenant, systemOfRecord: tenant.sorByDomain, customFields: noCustomFields },
            context,
            configuration,
            { registry: recordRegistry, secretKey },
          )
          if (validationErrors.length > 0) throw rejection(validationErrors)
          if (options.yes) for (const { write } of writes) await write(tx, context)
          return writes.map(({ write, ...change }): PlannedChange => change)
        })
      })
      const applied = options.yes === true && plan.length > 0
      print(options.json, { plan, applied }, describe(plan, applied))
    })
}

const nouns: Readonly<Record<SettingKind, string>> = {
  documentTypes: 'document type',
  pipelineStatuses: 'pipeline status',
  requirementProfiles: 'requirement profile',
  formTemplates: 'form template',
  roles: 'role',
  sessions: 'sessions',
  disclosures: 'record of disclosures',
  oneroster: 'OneRoster',
  billing: 'billing',
  issuers: 'issuer',
  requiredFactors: 'required factors of',
  customFields: 'custom field',
}

function describe(plan: readonly PlannedChange[], applied: boolean): string {
  if (plan.length === 0) return 'Nothing to change.'
  const lines = plan.flatMap(({ action, kind, key, changes }) => [
    `${action.padEnd(10)} ${nouns[kind]} ${key}`,
    ...changes.map((change) => `           ${toText(change)}`),
  ])
  const outcome = applied ? 'Applied.' : 'Nothing was changed yet. Add --yes to apply this.'
  return [...lines, outcome].join('\n')
}
