import { tokenContextOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'

export const tokenRoutes = implement(tokenContextOperations, {
  getTokenContext: async (_database, { context }) => {
    const { tenant, credentials } = context
    const record = {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      apiKey: {
        id: credentials.apiKeyId,
        name: credentials.apiKeyName,
        scopes: [...credentials.scopes],
        masterDomains: [...credentials.masterDomains],
        rateLimit: { requestsPerMinute: credentials.requestsPerMinute },
      },
      productAccess: { enabledModules: [...tenant.enabledModules], sorByDomain: { ...tenant.systemOfRecord } },
    }
    return { record, entityTag: null }
  },
})
