import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import type { SecretSeal } from '../sealed-secrets.ts'

/** An OpenID Connect identity provider of an institution, without its secret. */
export interface IssuerSettings {
  /** Its name in addresses and in the configuration file. */
  readonly key: string
  /** Its display name, such as Google. */
  readonly name: string
  /** Its Issuer Identifier (OpenID Connect Discovery 1.0 §3). */
  readonly issuer: string
  readonly clientId: string
  /** Only addresses of these domains are accepted; empty: any. */
  readonly domains: readonly string[]
  /** Whether its addresses are trusted without verification, because it is run by the institution. */
  readonly trustsAddresses: boolean
  /** Whether a user is created for an unknown person. */
  readonly createsUsers: boolean
  readonly newUserRoles: readonly string[]
  readonly isActive: boolean
}

/** An identity provider as stored. */
export interface StoredIssuer extends IssuerSettings {
  readonly id: string
  readonly sealedSecret: string
}

/** The encryption purpose of its secret, which is valid for nothing else. */
export function issuerSealPurpose(tenantId: string, key: string): string {
  return `issuer ${tenantId} ${key}`
}

/** The enabled identity providers, by name. */
export function listIssuers(database: Database, tenantId: string): Promise<{ key: string; name: string }[]> {
  return database.read(
    tenantId,
    sql`select key, name from issuers where tenant_id = ${tenantId} and is_active order by name, key limit 100`,
  )
}

/** The enabled identity provider with a key, or null. */
export async function findIssuer(database: Database, tenantId: string, key: string): Promise<StoredIssuer | null> {
  const [row] = await database.read<StoredIssuer>(
    tenantId,
    sql`select ${issuerColumns} from issuers where tenant_id = ${tenantId} and key = ${key} and is_active`,
  )
  return row ?? null
}

/** All identity providers of a tenant by key, including disabled ones. */
export async function readIssuers(tx: Transaction): Promise<ReadonlyMap<string, StoredIssuer>> {
  const rows = await tx.query<StoredIssuer>(sql`
    select ${issuerColumns} from issuers where tenant_id = ${tx.tenantId} order by key`)
  return new Map(rows.map((row) => [row.key, row]))
}

/**
 * Stores an identity provider with its secret, or with the present secret where none is given, with audit and event,
 * neither of which has the secret.
 */
export async function saveIssuer(
  tx: Transaction,
  context: ChangeContext,
  seal: SecretSeal,
  { before, after, secret }: { before: StoredIssuer | null; after: IssuerSettings; secret: string | null },
): Promise<void> {
  const id = before?.id ?? newId()
  const sealed = secret === null ? before?.sealedSecret : seal.seal(secret, issuerSealPurpose(tx.tenantId, after.key))
  if (sealed === undefined) throw new Error('an issuer without a secret')
  await tx.query(sql`
    insert into issuers (tenant_id, id, key, name, issuer, client_id, client_secret, domains, trusts_addresses,
                         creates_users, new_user_roles, is_active)
    values (${tx.tenantId}, ${id}, ${after.key}, ${after.name}, ${after.issuer}, ${after.clientId}, ${sealed},
            ${after.domains}, ${after.trustsAddresses}, ${after.createsUsers}, ${after.newUserRoles}, ${after.isActive})
    on conflict (tenant_id, id) do update set
      name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret,
      domains = excluded.domains, trusts_addresses = excluded.trusts_addresses, creates_users = excluded.creates_users,
      new_user_roles = excluded.new_user_roles, is_active = excluded.is_active, updated_at = excluded.updated_at`)
  const type = before === null ? 'issuer.created' : 'issuer.updated'
  const told = (issuer: IssuerSettings, hasNewSecret: boolean) => ({
    ...toReport(issuer),
    ...(hasNewSecret && { clientSecret: 'changed' }),
  })
  recordChanges(tx, context, [
    {
      type,
      entityType: 'issuer',
      entityId: id,
      before: before && told(before, false),
      after: told(after, secret !== null),
    },
  ])
}

/** The settings of an identity provider without its secret. */
export function toReport(issuer: IssuerSettings): IssuerSettings {
  const {
    key,
    name,
    issuer: address,
    clientId,
    domains,
    trustsAddresses,
    createsUsers,
    newUserRoles,
    isActive,
  } = issuer
  return { key, name, issuer: address, clientId, domains, trustsAddresses, createsUsers, newUserRoles, isActive }
}

const issuerColumns = sql`
  id, key, name, issuer, client_id as "clientId", client_secret as "sealedSecret", domains,
  trusts_addresses as "trustsAddresses", creates_users as "createsUsers", new_user_roles as "newUserRoles",
  is_active as "isActive"`
