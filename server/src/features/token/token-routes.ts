import { tokenContextOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'

export const tokenRoutes = implement(tokenContextOperations, {
  getTokenContext: async (_database, { context }) => {
    const { tenant, caller } = context
    const record = {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      apiKey: {
        id: caller.actor.id,
        name: caller.actor.name,
        scopes: [...caller.scopes],
        masterDomains: [...caller.masterDomains],
        rateLimit: { requestsPerMinute: caller.requestsPerMinute },
      },
      productAccess: { enabledModules: [...tenant.enabledModules], sorByDomain: { ...tenant.systemOfRecord } },
    }
    return { record, entityTag: null }
  },
})
