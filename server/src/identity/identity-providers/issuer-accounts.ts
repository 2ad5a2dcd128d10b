import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import {
  createUser,
  type Entry,
  endSessions,
  endSessionsBy,
  goOnWithLogIn,
  hasOwnWay,
  lockOpenUser,
  putOutSignInMail,
  requireUser,
  type Visit,
} from '../users/index.ts'
import type { IssuerClaims } from './issuer-client.ts'
import type { StoredIssuer } from './issuers.ts'

/** Why an account at an identity provider is rejected. */
export type AccountRejection =
  /** The response was used before. */
  | 'over'
  | 'disabled'
  /** The identity provider has not verified the address. */
  | 'unverified'
  /** No user has this address, or it is of another domain. */
  | 'unknown'
  /** The user of this address is linked to another account at this identity provider. */
  | 'otherAccount'
  /** The user of this address removed this link. */
  | 'removed'

/**
 * Logs a person in by an account at an identity provider. An account without a link is linked to the user with the
 * same verified address; without such a user, one is created if the institution allows that.
 *
 * @throws Problem where a user cannot be created
 */
export function logInByAccount(
  database: Database,
  visit: Visit,
  came: {
    readonly issuer: StoredIssuer
    readonly claims: IssuerClaims
  },
): Promise<Entry | { readonly refused: AccountRejection }> {
  const { issuer, claims } = came
  const { subject, email } = claims
  return database.transaction(visit.tenant.id, async (tx) => {
    const refuse = (rejected: AccountRejection, userId: string | null = null) => {
      const actor = { type: 'link', id: null, name: 'log-in' } as const
      const facts = { reason: `issuer_${rejected}`, issuer: issuer.key }
      const access = { action: 'user.log_in_failed', entityType: 'user', entityId: userId, facts } as const
      recordAccess(tx, { ...visit, actor }, access)
      return { refused: rejected }
    }
    const begin = async (userId: string) => {
      const entry = await goOnWithLogIn(tx, visit, userId, ['issuer'], { isCodeAsked: false })
      return entry ?? refuse('disabled', userId)
    }
    const link = async (id: string, name: string) => {
      await tx.query(sql`
        insert into issuer_accounts (tenant_id, id, user_id, issuer, subject, email)
        values (${tx.tenantId}, ${newId()}, ${id}, ${issuer.issuer}, ${subject}, ${name})`)
      const actor = { type: 'user', id, name } as const
      const facts = { issuer: issuer.key }
      const access = { action: 'user.account_linked', entityType: 'user', entityId: id, facts } as const
      recordAccess(tx, { ...visit, actor }, access)
      await putOutSignInMail(tx, id, 'sign_in_added')
    }
    const domain = email?.slice(email.lastIndexOf('@') + 1) ?? ''
    if (issuer.domains.length > 0 && !issuer.domains.includes(domain)) return refuse('unknown')
    const [linked] = await tx.query<{ userId: string }>(sql`
      select user_id as "userId" from issuer_accounts
       where tenant_id = ${tx.tenantId} and issuer = ${issuer.issuer} and subject = ${subject} for no key update`)
    if (linked !== undefined) {
      return (await lockOpenUser(tx, linked.userId)) ? begin(linked.userId) : refuse('disabled', linked.userId)
    }
    if (email === null || email.includes('\0')) return refuse('unknown')
    if (!vouchesFor(issuer, claims, domain)) return refuse('unverified')
    const known = await findUser(tx, email, issuer)
    if (known?.linkedTo === subject) return begin(known.id)
    if (known !== null && known.linkedTo !== null) return refuse('otherAccount', known.id)
    if (known !== null && known.enabled !== 1) return refuse('disabled', known.id)
    if (known === null && !issuer.createsUsers) return refuse('unknown')
    if (known?.hasRemoved === true) return refuse('removed', known.id)
    // Control of the mailbox alone proves no more than a password, and must not create a link.
    if (known !== null && (await hasOwnWay(tx, known.id))) {
      const entry = await goOnWithLogIn(tx, visit, known.id, ['issuer'])
      if (entry === null) return refuse('disabled', known.id)
      if ('session' in entry) await link(known.id, email)
      return entry
    }
    const id = known?.id ?? (await makeUser(tx, visit, came, email))
    await link(id, email)
    return begin(id)
  })
}

/**
 * Whether the address from an identity provider is trusted. Google also verifies addresses of other domains (`hd`
 * names its own), and an explicit "unverified" is not overridden by the settings of the institution.
 */
function vouchesFor(issuer: StoredIssuer, { isEmailVerified, hostedDomain }: IssuerClaims, domain: string): boolean {
  if (isEmailVerified === null) return issuer.trustsAddresses
  if (!isEmailVerified || issuer.issuer !== 'https://accounts.google.com') return isEmailVerified
  if (hostedDomain === null) return domain === 'gmail.com'
  return hostedDomain === domain || issuer.domains.includes(hostedDomain)
}

/** The user of an address, locked, and their account at the identity provider; null where there is none. */
async function findUser(
  tx: Transaction,
  email: string,
  { issuer }: StoredIssuer,
): Promise<{ id: string; enabled: number; hasRemoved: boolean; linkedTo: string | null } | null> {
  const [user] = await tx.query<{ id: string; enabled: number; hasRemoved: boolean }>(sql`
    select u.id, u.enabled, r.issuer is not null as "hasRemoved"
      from users u
      left join removed_issuers r on r.tenant_id = u.tenant_id and r.user_id = u.id and r.issuer = ${issuer}
     where u.tenant_id = ${tx.tenantId} and u.name = ${email} for update of u`)
  if (user === undefined) return null
  const [linked] = await tx.query<{ subject: string }>(sql`
    select subject from issuer_accounts where tenant_id = ${tx.tenantId} and user_id = ${user.id} and issuer = ${issuer}`)
  return { ...user, linkedTo: linked?.subject ?? null }
}

async function makeUser(
  tx: Transaction,
  visit: Visit,
  { issuer, claims }: { readonly issuer: StoredIssuer; readonly claims: IssuerClaims },
  email: string,
): Promise<string> {
  const context = { ...visit, actor: { type: 'system', id: null, name: `issuer ${issuer.key}` } } as const
  const name = claims.name ?? email
  const made = await createUser(tx, context, { email, name, roles: issuer.newUserRoles, passwordHash: null })
  return made.id
}

/** A linked account at an identity provider. */
export interface LinkedAccount {
  readonly id: string
  /** The name of the identity provider; its address where it is no longer configured. */
  readonly issuer: string
  readonly email: string | null
  readonly linkedAt: string
}

/** The linked accounts of a user. */
export function listAccounts(database: Database, tenantId: string, userId: string): Promise<LinkedAccount[]> {
  return database.read<LinkedAccount>(
    tenantId,
    sql`
      select a.id, a.email, a.linked_at as "linkedAt",
             coalesce((select i.name from issuers i
                        where i.tenant_id = a.tenant_id and i.issuer = a.issuer order by i.key limit 1), a.issuer) as issuer
        from issuer_accounts a where a.tenant_id = ${tenantId} and a.user_id = ${userId} order by a.linked_at, a.id`,
  )
}

/** Identity providers whose link a user removed. */
export function listRemovedIssuers(
  database: Database,
  tenantId: string,
  userId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return database.read(
    tenantId,
    sql`
      select i.id, i.name from removed_issuers r
        join issuers i on i.tenant_id = r.tenant_id and i.issuer = r.issuer and i.is_active
       where r.tenant_id = ${tenantId} and r.user_id = ${userId} order by i.name, i.id`,
  )
}

/** Allows an account at an identity provider to be linked by its address again. */
export async function allowIssuer(tx: Transaction, context: ChangeContext, userId: string, id: string): Promise<void> {
  const [facts] = await tx.query<{ issuer: string }>(sql`
    delete from removed_issuers r
     where r.tenant_id = ${tx.tenantId} and r.user_id = ${userId}
       and r.issuer in (select i.issuer from issuers i where i.tenant_id = ${tx.tenantId} and i.id = ${id})
    returning issuer`)
  if (facts === undefined) return
  recordAccess(tx, context, { action: 'user.issuer_allowed', entityType: 'user', entityId: userId, facts })
}

/**
 * Unlinks an account, prevents linking by address until `allowIssuer`, and ends the sessions that it began, except
 * the current one. Idempotent.
 */
export async function unlinkAccount(
  tx: Transaction,
  context: ChangeContext,
  { userId, sessionId: keeps }: { readonly userId: string; readonly sessionId: string },
  id: string,
): Promise<void> {
  const [gone] = await tx.query<{ issuer: string }>(sql`
    delete from issuer_accounts where tenant_id = ${tx.tenantId} and user_id = ${userId} and id = ${id} returning issuer`)
  if (gone === undefined) return
  await tx.query(sql`
    insert into removed_issuers (tenant_id, user_id, issuer) values (${tx.tenantId}, ${userId}, ${gone.issuer})
    on conflict do nothing`)
  recordAccess(tx, context, { action: 'user.account_unlinked', entityType: 'user', entityId: userId, facts: gone })
  endSessionsBy(tx, userId, 'issuer', keeps)
  await putOutSignInMail(tx, userId, 'sign_in_removed')
}

/**
 * Unlinks all accounts of a user, allows the next one to be linked, and ends their sessions: for an account that now
 * belongs to somebody else or was created anew. Returns their number. Throws `CommandError` where there is no such
 * user.
 */
export async function unlinkAccounts(tx: Transaction, context: ChangeContext, email: string): Promise<number> {
  const { id } = await requireUser(tx, email, { forUpdate: true })
  const gone = await tx.query<{ issuer: string }>(sql`
    delete from issuer_accounts where tenant_id = ${tx.tenantId} and user_id = ${id} returning issuer`)
  for (const facts of gone) {
    recordAccess(tx, context, { action: 'user.account_unlinked', entityType: 'user', entityId: id, facts })
  }
  await tx.query(sql`delete from removed_issuers where tenant_id = ${tx.tenantId} and user_id = ${id}`)
  if (gone.length === 0) return 0
  endSessions(tx, id)
  await putOutSignInMail(tx, id, 'sign_in_removed')
  return gone.length
}

/** The error of the settings of an identity provider, as text, or null. */
export function issuerError({
  issuer,
  trustsAddresses,
  createsUsers,
  domains,
  newUserRoles,
}: Omit<StoredIssuer, 'id' | 'sealedSecret'>): string | null {
  if (!URL.canParse(issuer) || !/^[a-z]+:\/\/[^\s\\/?#]/i.test(issuer))
    return 'issuer must be the address that the issuer calls itself by, such as https://accounts.google.com'
  const { hostname, pathname, protocol, search, hash: fragment } = new URL(issuer)
  if (!['https:', 'http:'].includes(protocol) || search !== '' || fragment !== '') {
    return 'issuer must be an address with https, without a query'
  }
  if (/[{}]|%7[bd]/i.test(pathname)) {
    return 'issuer has a place in braces, which stands for any directory: write the id of your own in it'
  }
  if (isOfMicrosoft(hostname) && !ownDirectory.test(pathname)) {
    return 'issuer must name your own directory by its id, https://login.microsoftonline.com/<tenant id>/v2.0: any other could say that somebody is one of yours'
  }
  if (trustsAddresses && domains.length === 0) {
    return 'domains must say which addresses are the institution’s own, because trustsAddresses is true'
  }
  if (createsUsers && domains.length === 0)
    return 'domains must say of which addresses users are made, because createsUsers is true'
  if (createsUsers && newUserRoles.some((role) => ['Administrator', 'System Manager'].includes(role))) {
    return 'newUserRoles must not name roles that may do everything: give them to people one by one'
  }
  return null
}

/** Whether a host is a multi-tenant endpoint of Microsoft, in any of its clouds. */
function isOfMicrosoft(hostname: string): boolean {
  return /(^|\.)(microsoftonline\.(com|us|cn)|windows\.net)$/i.test(hostname)
}

/** The path of the issuer of one directory, by its id; not that of personal accounts. */
const ownDirectory = /^\/(?!9188040d-6c67-4c5b-b112-36a304b66dad)[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\/v2\.0)?\/?$/i
