import type { ApiKeyKind, Domain, EventType, Scope } from '@matricula/contract'
import type { ChangeContext } from '../changes/index.ts'
import { recordChanges } from '../changes/index.ts'
import { sql, type Transaction } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import { newId } from '../values/index.ts'
import { hashOfSecret, newSecret } from './secrets.ts'

/** An API key as operators see it: everything but its secrets. */
export interface ApiKeyRecord {
  readonly id: string
  readonly name: string
  readonly kind: ApiKeyKind
  readonly scopes: readonly Scope[]
  readonly masterDomains: readonly Domain[]
  readonly roles: readonly string[]
  readonly requestsPerMinute: number
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly secrets: readonly SecretRecord[]
}

/** A secret as listed after it was shown once. */
export interface SecretRecord {
  readonly lastFour: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** The properties of a new API key. */
export interface NewApiKey {
  readonly kind: ApiKeyKind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly masterDomains: readonly Domain[]
  readonly roles: readonly string[]
  readonly requestsPerMinute: number
  readonly expiresInSeconds: number | null
}

/** Maximum overlap after a rotation, in seconds: seven days. */
const maxOverlapSeconds = 7 * 24 * 3600

/** Creates an API key with its first secret, which is never shown again. */
export async function createApiKey(
  tx: Transaction,
  context: ChangeContext,
  key: NewApiKey,
): Promise<{ apiKey: ApiKeyRecord; secret: string }> {
  const id = newId()
  tx.send(sql`
    insert into api_keys (tenant_id, id, name, kind, scopes, master_domains, roles, requests_per_minute)
    values (${tx.tenantId}, ${id}, ${key.name}, ${key.kind}, ${key.scopes}, ${key.masterDomains}, ${key.roles},
            ${key.requestsPerMinute})`)
  const secret = addSecret(tx, id, key.kind, key.expiresInSeconds)
  const apiKey = await requireApiKey(tx, id, key.kind)
  record(tx, context, 'api_key.created', null, apiKey)
  return { apiKey, secret }
}

/** Rotation: adds a second secret; the previous ones expire after the overlap, in seconds. Throws `CommandError`. */
export async function rotateApiKey(
  tx: Transaction,
  context: ChangeContext,
  id: string,
  kind: ApiKeyKind,
  overlapSeconds: number,
): Promise<{ apiKey: ApiKeyRecord; secret: string }> {
  if (overlapSeconds > maxOverlapSeconds) throw new CommandError('invalid_value', 'The overlap is at most 7d.')
  const before = await requireApiKey(tx, id, kind)
  if (before.revokedAt !== null) throw new CommandError('state_conflict', 'The key is revoked. Make a new one.')
  tx.send(sql`
    update api_key_secrets
       set expires_at = least(expires_at, current_stamp() + make_interval(secs => ${overlapSeconds}))
     where tenant_id = ${tx.tenantId} and api_key_id = ${id}`)
  const secret = addSecret(tx, id, kind, null)
  const apiKey = await requireApiKey(tx, id, kind)
  record(tx, context, 'api_key.rotated', before, apiKey)
  return { apiKey, secret }
}

/** Revokes a key with all its secrets, in every process within a second. Idempotent. */
export async function revokeApiKey(
  tx: Transaction,
  context: ChangeContext,
  id: string,
  kind: ApiKeyKind,
): Promise<ApiKeyRecord> {
  const before = await requireApiKey(tx, id, kind)
  if (before.revokedAt !== null) return before
  tx.send(sql`update api_keys set revoked_at = current_stamp() where tenant_id = ${tx.tenantId} and id = ${id}`)
  const apiKey = await requireApiKey(tx, id, kind)
  record(tx, context, 'api_key.revoked', before, apiKey)
  return apiKey
}

/** The keys of a tenant of one kind, oldest first, including revoked ones. */
export async function listApiKeys(tx: Transaction, kind: ApiKeyKind): Promise<ApiKeyRecord[]> {
  const rows = await tx.query<ApiKeyRow>(sql`${selectApiKeys(tx)} and k.kind = ${kind} order by k.created_at, k.id`)
  return rows.map(toApiKey)
}

/** The name and the enabled roles of a key of the Resource API; null where there is none that is not revoked. */
export async function findActiveKey(
  tx: Transaction,
  id: string,
): Promise<Pick<ApiKeyRecord, 'id' | 'name' | 'roles'> | null> {
  const [row] = await tx.query<Pick<ApiKeyRecord, 'id' | 'name' | 'roles'>>(sql`
    select k.id, k.name, array(
             select held.role from unnest(k.roles) with ordinality held (role, position)
              where not exists (select from roles r
                                 where r.tenant_id = ${tx.tenantId} and r.name = held.role and r.disabled = 1)
              order by held.position) as roles
      from api_keys k
     where k.tenant_id = ${tx.tenantId} and k.id = ${id} and k.kind = 'resource' and k.revoked_at is null`)
  return row ?? null
}

/** The tenant of a key, for the operator; null when there is no such key. */
export async function tenantOfApiKey(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx.query<{ tenant_id: string }>(sql`select tenant_id from api_keys where id = ${id}`)
  return row?.tenant_id ?? null
}

function addSecret(tx: Transaction, apiKeyId: string, kind: ApiKeyKind, expiresInSeconds: number | null): string {
  const secret = newSecret(kind)
  tx.send(sql`
    insert into api_key_secrets (tenant_id, id, api_key_id, secret_hash, last_four, expires_at)
    values (${tx.tenantId}, ${newId()}, ${apiKeyId}, ${hashOfSecret(secret)}, ${secret.slice(-4)},
            current_stamp() + make_interval(secs => ${expiresInSeconds}))`)
  return secret
}

interface ApiKeyRow {
  id: string
  name: string
  kind: ApiKeyKind
  scopes: Scope[]
  master_domains: Domain[]
  roles: string[]
  requests_per_minute: number
  created_at: string
  revoked_at: string | null
  secrets: SecretRecord[] | null
}

function selectApiKeys(tx: Transaction) {
  return sql`
    select k.*, (
      select jsonb_agg(jsonb_build_object(
               'lastFour', s.last_four, 'createdAt', stamp_text(s.created_at),
               'expiresAt', stamp_text(s.expires_at), 'lastUsedAt', stamp_text(s.last_used_at))
               order by s.created_at, s.id)
        from api_key_secrets s
       where s.tenant_id = k.tenant_id and s.api_key_id = k.id) as secrets
      from api_keys k
     where k.tenant_id = ${tx.tenantId}`
}

async function requireApiKey(tx: Transaction, id: string, kind: ApiKeyKind): Promise<ApiKeyRecord> {
  const [row] = await tx.query<ApiKeyRow>(sql`${selectApiKeys(tx)} and k.id = ${id} and k.kind = ${kind}`)
  if (row === undefined) throw new CommandError('not_found', `There is no ${kind} key ${id}.`)
  return toApiKey(row)
}

function toApiKey(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    scopes: row.scopes,
    masterDomains: row.master_domains,
    roles: row.roles,
    requestsPerMinute: row.requests_per_minute,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    secrets: (row.secrets ?? []).map(({ lastFour, createdAt, expiresAt, lastUsedAt }) => ({
      lastFour,
      createdAt,
      expiresAt,
      lastUsedAt,
    })),
  }
}

function record(
  tx: Transaction,
  context: ChangeContext,
  type: EventType,
  before: ApiKeyRecord | null,
  after: ApiKeyRecord,
): void {
  recordChanges(tx, context, [{ type, entityType: 'api_key', entityId: after.id, before, after }])
}
