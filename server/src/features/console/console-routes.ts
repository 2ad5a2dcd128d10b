import { accessRuleOperations, bootOperations } from '@matricula/contract'
import { Problem } from '../../errors/index.ts'
import { implement, type Route } from '../../http/index.ts'
import type { RecordRegistry } from '../../record-engine/index.ts'
import {
  buildAccessRule,
  limitAfter,
  listAccessRules,
  lockRole,
  nothingTaken,
  readLimits,
  saveLimit,
} from './access-rules.ts'
import { readBoot } from './boot.ts'

/** The operations of the console's session and access rules. */
export function consoleRoutes(registry: RecordRegistry): Route[] {
  return [
    ...implement(bootOperations, {
      getBoot: async (database, request) => ({ record: await readBoot(database, request, registry), entityTag: null }),
    }),
    ...implement(accessRuleOperations, {
      listAccessRules: async (_database, { context }) => listAccessRules(context.tenant.roleLimits ?? {}),
      updateAccessRule: async (tx, { context, params, body }) => {
        const { role } = params
        const roleId = await lockRole(tx, role)
        if (roleId === null) throw new Problem('resource_not_found', `There is no role ${role}.`)
        const before = (await readLimits(tx))[role] ?? nothingTaken
        const rights = body.takenRights?.map(({ type, rights }) => [type, rights] as const)
        const after = limitAfter(role, before, {
          takenScopes: body.takenScopes,
          takenRights: rights && Object.fromEntries(rights),
        })
        if ('fault' in after) throw new Problem('rule_violated', `${after.fault}.`, { rule: 'access_rules' })
        await saveLimit(tx, context, roleId, role, before, after)
        return { record: buildAccessRule(role, after), entityTag: null }
      },
    }),
  ]
}
