import type { Actor, RequestContext } from '../../changes/index.ts'
import type { Database, Transaction } from '../../database/index.ts'
import { nextNames } from '../../entities/index.ts'
import { RecordEngine, type RecordRegistry } from '../../record-engine/index.ts'
import { type Tenant, todayIn } from '../../tenancy/index.ts'
import type { ImportSession } from './kinds/index.ts'

/** Who imports, and for which tenant. */
export interface ImportCaller {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly requestId: string | null
  readonly address: string | null
}

/** What an import works with. */
export interface ImportPlatform {
  readonly database: Database
  readonly registry: RecordRegistry
}

/** What is written in a transaction for a run, under its id, by whoever asked for it, with every right in the tenant. */
export function makeSession(
  tx: Transaction,
  { registry }: ImportPlatform,
  { tenant, actor, address }: ImportCaller,
  runId: string,
): ImportSession {
  const requestId = runId
  const context: RequestContext = {
    tenant,
    actor,
    requestId,
    address,
    ifMatch: null,
    readOnlyFields: {},
    caller: {
      tenant,
      actor: { ...actor, id: actor.id ?? '' },
      side: 'platform',
      scopes: new Set(),
      masterDomains: new Set(),
      requestsPerMinute: 0,
    },
  }
  const everyRight = {
    tenant,
    kind: 'key',
    user: 'Administrator',
    fullName: 'Administrator',
    roles: new Set(['System Manager']),
  } as const
  return {
    tx,
    context,
    runId,
    takeNames: (series, count) => nextNames(tx, `${series}-${todayIn(tenant.timeZone).slice(0, 4)}-`, count),
    makeEngine: () => new RecordEngine(tx, { ...everyRight, actor, requestId, address }, registry, { isLong: true }),
    overwrites: () => false,
  }
}
