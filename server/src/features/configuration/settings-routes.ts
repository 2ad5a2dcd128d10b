import { createHash } from 'node:crypto'
import { type Body, type Json, type SettingsPlan, type Static, settingsOperations } from '@matricula/contract'
import { type RequestContext, requireMatch } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import { validationProblem } from '../../errors/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { exportConfiguration } from './configuration-export.ts'
import type { Configuration, FilePath } from './configuration-file.ts'
import { type PlanningPlatform, planConfiguration } from './configuration-plan.ts'
import type { PlannedChange } from './planned-change.ts'

type Plan = Versioned<Static<typeof SettingsPlan>>

/** The settings of an institution for its administrators: the plan and the rules of `matricula apply`. */
export function settingsRoutes(platform: PlanningPlatform): Route[] {
  return implement(settingsOperations, {
    readSettings: async (database, { context }) => {
      const configuration = await database.transaction(context.tenant.id, (tx) =>
        exportConfiguration(tx, context.tenant.language),
      )
      return { record: { configuration }, entityTag: toEntityTag(configuration) }
    },
    planSettings: async (tx, { context, body }) => {
      const { writes, faults } = await planConfiguration(
        tx,
        context.tenant,
        context,
        body.configuration as Configuration,
        platform,
      )
      const entityTag = await loadEntityTag(tx, context)
      const errors = faults.map(({ path, detail }) => ({ pointer: toPointer(path), detail }))
      return { record: { plan: writes.map(toChange), errors, applied: false }, entityTag }
    },
    applySettings: (tx, { context, body }) => apply(tx, context, body, platform),
  })
}

/** Throws `precondition_failed` after another change, and `validation_failed` with every setting that cannot be applied. */
async function apply(
  tx: Transaction,
  context: RequestContext,
  { configuration }: Body<(typeof settingsOperations)['applySettings']>,
  platform: PlanningPlatform,
): Promise<Plan> {
  // Planning waits for other plans, so what is compared is what is stored until the end.
  const planned = await planConfiguration(tx, context.tenant, context, configuration as Configuration, platform)
  requireMatch(context, await loadEntityTag(tx, context))
  if (planned.faults.length > 0) {
    const errors = planned.faults.map(({ path, detail }) => {
      return {
        in: 'body' as const,
        pointer: toPointer(['configuration', ...path]),
        code: 'inconsistent' as const,
        detail,
      }
    })
    throw validationProblem(errors)
  }
  for (const { write } of planned.writes) await write(tx, context)
  const applied = planned.writes.length > 0
  return {
    record: { plan: planned.writes.map(toChange), errors: [], applied },
    entityTag: await loadEntityTag(tx, context),
  }
}

function toChange({ action, kind, key, changes }: PlannedChange): Static<typeof SettingsPlan>['plan'][number] {
  return { action, kind, key, changes: changes.map((change) => ({ ...change })) }
}

async function loadEntityTag(tx: Transaction, { tenant }: RequestContext): Promise<string> {
  return toEntityTag(await exportConfiguration(tx, tenant.language))
}

/** The version of all settings: a digest of what they are. */
function toEntityTag(configuration: Configuration): string {
  const text = JSON.stringify(configuration, (_, value: Json) => (isMembers(value) ? sorted(value) : value))
  return `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`
}

function isMembers(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(members: { readonly [name: string]: Json }): Json {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** A JSON Pointer in a fragment (RFC 6901 §6). */
function toPointer(path: FilePath): string {
  return ['#', ...path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}
