import type { Caller } from '../../record-engine/index.ts'
import type { Tenant } from '../../tenancy/index.ts'

/** The caller that books what the card gateway reports. */
export function gatewayCaller(
  tenant: Tenant,
  request: { readonly requestId: string | null; readonly address: string | null },
): Caller {
  return {
    tenant,
    kind: 'key',
    user: 'Administrator',
    fullName: 'Card gateway',
    roles: new Set(['System Manager']),
    actor: { type: 'system', id: null, name: 'card gateway' },
    ...request,
  }
}
