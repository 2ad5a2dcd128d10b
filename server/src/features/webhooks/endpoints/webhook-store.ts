import { type Scope, type Static, Webhook } from '@matricula/contract'
import { type Database, empty, type Sql, sql, type Transaction, table } from '../../../database/index.ts'
import type { ReadDefinition } from '../../../entities/index.ts'
import { type StoredRow, storedFields } from '../../../entities/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { isUuid } from '../../../values/index.ts'

export type WebhookRecord = Static<typeof Webhook>

/** What the row of an endpoint keeps of its record. */
const webhookColumns = {
  url: 'url',
  types: 'types',
  description: 'description',
  status: 'status',
  disabledReason: 'disabled_reason',
} as const

/** What a change of an endpoint writes. */
export const webhookTable = table('webhooks', { ...webhookColumns, scopes: 'scopes' })

const webhookFields = storedFields(Webhook, 'w', webhookColumns)

interface WebhookRow extends StoredRow<WebhookRecord, typeof webhookColumns> {
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
}

/** The endpoints of a tenant. */
export const webhooks: ReadDefinition<WebhookRow, WebhookRecord> = {
  entityType: 'webhook',
  noun: 'webhook',
  table: 'webhooks',
  alias: 'w',
  select: (tenantId: string, condition: Sql) => sql`
    select ${webhookFields.selected}, w.updated_at, s.last_success_at, s.last_failure_at
      from webhooks w
      join webhook_states s on s.tenant_id = ${tenantId} and s.webhook_id = w.id
     where w.tenant_id = ${tenantId} and ${condition}`,
  toRecord: webhookFields.reader<WebhookRow>({
    lastSuccessAt: (row) => row.last_success_at,
    lastFailureAt: (row) => row.last_failure_at,
  }),
  versions: (row) => [row.version, getMoment(row.last_success_at), getMoment(row.last_failure_at)],
}

function getMoment(stamp: string | null): number {
  return stamp === null ? 0 : Date.parse(stamp)
}

/** Every endpoint of a tenant, oldest first. */
export async function listWebhooks(database: Database, tenantId: string): Promise<WebhookRecord[]> {
  const rows = await database.read<WebhookRow>(
    tenantId,
    sql`${webhooks.select(tenantId, sql`true`)} order by w.created_at, w.id`,
  )
  return rows.map(webhooks.toRecord)
}

/** Where deliveries go, what they are signed with, and what may be sent there. */
export interface Endpoint {
  readonly id: string
  readonly tenantId: string
  readonly tenantSlug: string
  readonly url: string
  readonly types: readonly string[]
  readonly scopes: readonly Scope[]
  /** Whether anything may be sent to it: it is enabled, and its institution may use it. */
  readonly isEnabled: boolean
  /** The sealed secrets that sign at this moment, the newest first. */
  readonly secrets: readonly string[]
}

/** The statement that reads endpoints as they are now, with a condition on `w`, or with none. */
export function endpointsStatement(tenantId: string, condition: Sql = empty): Sql {
  return sql`
    select w.id, w.tenant_id as "tenantId", t.slug as "tenantSlug", w.url, w.types, w.scopes,
           w.status = 'enabled' and t.status = 'active' and 'platform_integrations' = any (t.enabled_modules) as "isEnabled",
           case when w.previous_secret_until > now() then array[w.secret, w.previous_secret] else array[w.secret] end as secrets
      from webhooks w
      join tenants t on t.id = ${tenantId}
     where w.tenant_id = ${tenantId} ${condition}`
}

/** Reads an endpoint with what it takes to deliver to it. Throws `resource_not_found`. */
export async function requireEndpoint(database: Database, tenantId: string, id: string): Promise<Endpoint> {
  const [endpoint] = isUuid(id)
    ? await database.read<Endpoint>(tenantId, endpointsStatement(tenantId, sql`and w.id = ${id}`))
    : []
  if (endpoint === undefined) throw notFoundProblem(webhooks.noun)
  return endpoint
}

/** How many endpoints the tenant has. */
export async function countWebhooks(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::bigint as count from webhooks where tenant_id = ${tx.tenantId}`,
  )
  return row?.count ?? 0
}
