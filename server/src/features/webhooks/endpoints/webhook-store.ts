import { type Scope, type Static, Webhook } from '@matricula/contract'
import { type Database, empty, type Sql, sql, type Transaction, table } from '../../../database/index.ts'
import type { ReadDefinition } from '../../../entities/index.ts'
import { type StoredRow, storedFields } from '../../../entities/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { isUuid } from '../../../values/index.ts'

export type WebhookRecord = Static<typeof Webhook>

/** The stored fields of an endpoint, by column. */
const webhookColumns = {
  url: 'url',
  types: 'types',
  description: 'description',
  status: 'status',
  disabledReason: 'disabled_reason',
} as const

/** The columns that a change of an endpoint writes. */
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
  versions: (row) => [row.version, toMilliseconds(row.last_success_at), toMilliseconds(row.last_failure_at)],
}

function toMilliseconds(stamp: string | null): number {
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

/** An endpoint as needed to deliver: address, secrets, and selected events. */
export interface Endpoint {
  readonly id: string
  readonly tenantId: string
  readonly tenantSlug: string
  readonly url: string
  readonly types: readonly string[]
  readonly scopes: readonly Scope[]
  /** Whether deliveries are allowed: it is enabled, and its institution is active with the module. */
  readonly isEnabled: boolean
  /** The current encrypted secrets, the newest first. */
  readonly secrets: readonly string[]
}

/** The statement that reads endpoints, with an optional condition on `w`. */
export function endpointsStatement(tenantId: string, condition: Sql = empty): Sql {
  return sql`
    select w.id, w.tenant_id as "tenantId", t.slug as "tenantSlug", w.url, w.types, w.scopes,
           w.status = 'enabled' and t.status = 'active' and 'platform_integrations' = any (t.enabled_modules) as "isEnabled",
           case when w.previous_secret_until > now() then array[w.secret, w.previous_secret] else array[w.secret] end as secrets
      from webhooks w
      join tenants t on t.id = ${tenantId}
     where w.tenant_id = ${tenantId} ${condition}`
}

/** Reads an endpoint for delivery. Throws `resource_not_found`. */
export async function requireEndpoint(database: Database, tenantId: string, id: string): Promise<Endpoint> {
  const [endpoint] = isUuid(id)
    ? await database.read<Endpoint>(tenantId, endpointsStatement(tenantId, sql`and w.id = ${id}`))
    : []
  if (endpoint === undefined) throw notFoundProblem(webhooks.noun)
  return endpoint
}

/** The number of endpoints of the tenant. */
export async function countWebhooks(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::bigint as count from webhooks where tenant_id = ${tx.tenantId}`,
  )
  return row?.count ?? 0
}
