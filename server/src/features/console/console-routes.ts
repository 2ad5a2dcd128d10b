import { accessRuleOperations, bootOperations } from '@matricula/contract'
import { Problem } from '../../errors/index.ts'
import { implement, type Route } from '../../http/index.ts'
import type { RecordRegistry } from '../../record-engine/index.ts'
import { accessRule, accessRules, limitAfter, lockRole, nothingTaken, readLimits, saveLimit } from './access-rules.ts'
import { readBoot } from './boot.ts'

/** What answers the console's own operations about the session, and about what roles may do. */
export function consoleRoutes(registry: RecordRegistry): Route[] {
  return [
    ...implement(bootOperations, {
      getBoot: async (database, request) => ({ record: await readBoot(database, request, registry), entityTag: null }),
    }),
    ...implement(accessRuleOperations, {
      listAccessRules: async (_database, { context }) => accessRules(context.tenant.roleLimits ?? {}),
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
        return { record: accessRule(role, after), entityTag: null }
      },
    }),
  ]
}
