import { type Database, sql, type Transaction } from '../database/index.ts'
import { newId } from '../values/index.ts'
import { SealError, type SecretSeal } from './sealed-secrets.ts'

/** A consumer of OAuth 1.0a (RFC 5849): an API key, whose tokens are its secrets. */
export interface OAuthConsumer {
  readonly tenantId: string
  readonly secrets: readonly string[]
}

const purpose = 'OAuth 1.0a consumer secret'

/** Stores the token of a key so that requests signed with it can be checked. */
export function storeConsumerSecret(tx: Transaction, seal: SecretSeal, apiKeyId: string, secret: string): void {
  tx.send(sql`
    insert into oauth_consumer_secrets (tenant_id, id, api_key_id, secret)
    values (${tx.tenantId}, ${newId()}, ${apiKeyId}, ${seal.seal(secret, purpose)})`)
}

/** Whether a key is a consumer of OAuth 1.0a. */
export async function isOAuthConsumer(tx: Transaction, apiKeyId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 as found from oauth_consumer_secrets
     where tenant_id = ${tx.tenantId} and api_key_id = ${apiKeyId} limit 1`)
  return rows.length > 0
}

/** The consumer with a key, newest secret first; null where there is none. */
export async function findOAuthConsumer(
  database: Database,
  seal: SecretSeal,
  consumerKey: string,
): Promise<OAuthConsumer | null> {
  const [found] = await database.readGlobal<{ tenant_id: string | null }>(
    sql`select tenant_of_oauth_consumer(${consumerKey}::uuid) as tenant_id`,
  )
  const tenantId = found?.tenant_id ?? null
  if (tenantId === null) return null
  const rows = await database.read<{ secret: string }>(
    tenantId,
    sql`select secret from oauth_consumer_secrets
         where tenant_id = ${tenantId} and api_key_id = ${consumerKey} order by created_at desc, id desc limit 10`,
  )
  return { tenantId, secrets: rows.flatMap(({ secret }) => openSecret(seal, secret) ?? []) }
}

function openSecret(seal: SecretSeal, stored: string): string | null {
  try {
    return seal.open(stored, purpose)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

/**
 * Uses a nonce of a consumer up; false where it was used before, on whatever process.
 *
 * @param nonce Its hash, with the timestamp
 * @param seconds How long it is remembered: longer than a timestamp is taken
 */
export function useNonce(
  database: Database,
  tenantId: string,
  apiKeyId: string,
  nonce: Buffer,
  seconds: number,
): Promise<boolean> {
  return database.transaction(tenantId, async (tx) => {
    const rows = await tx.query(sql`
      insert into oauth_nonces (tenant_id, api_key_id, nonce, expires_at)
      values (${tenantId}, ${apiKeyId}, ${nonce}, current_stamp() + make_interval(secs => ${seconds}))
      on conflict (tenant_id, api_key_id, nonce) do nothing
      returning 1 as used`)
    return rows.length > 0
  })
}
