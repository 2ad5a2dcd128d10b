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

/** Why an account at an issuer opens nothing here. */
export type AccountRejection =
  /** What came back was used before. */
  | 'over'
  | 'disabled'
  /** The issuer does not vouch for the address. */
  | 'unverified'
  /** No user has this address, or it is of another domain. */
  | 'unknown'
  /** The user of this address has another account at this issuer. */
  | 'otherAccount'
  /** The user of this address took the own account at this issuer away. */
  | 'removed'

/**
 * Logs somebody in by an account at an issuer. An account that nobody is linked with is linked with the user of
 * the same address, where that is verified; where there is none, a user is made if the institution says so.
 *
 * @throws Refusal where a user cannot be made
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
    // Whoever has the mailbox alone gets no further than somebody with the password alone, and links nothing.
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
 * Whether an issuer's word for an address is taken. Google also confirms addresses that it does not give out (`hd` says for whom it does), and
 * an issuer that says no is not overruled by the institution.
 */
function vouchesFor(issuer: StoredIssuer, { isEmailVerified, hostedDomain }: IssuerClaims, domain: string): boolean {
  if (isEmailVerified === null) return issuer.trustsAddresses
  if (!isEmailVerified || issuer.issuer !== 'https://accounts.google.com') return isEmailVerified
  if (hostedDomain === null) return domain === 'gmail.com'
  return hostedDomain === domain || issuer.domains.includes(hostedDomain)
}

/** The user of an address, locked, and the account of the issuer that is theirs; null where there is none. */
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

/** An account at an issuer that a user logs in by. */
export interface LinkedAccount {
  readonly id: string
  /** What the institution calls the issuer; its address where it is none of the institution's any more. */
  readonly issuer: string
  readonly email: string | null
  readonly linkedAt: string
}

/** The accounts that a user logs in by. */
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

/** Issuers at which a user took the own account away. */
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

/** Lets an account of a user at an issuer be linked by its address again. */
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
 * Lets a user log in no more by an account, nor have one of that issuer linked by its address until `allowIssuer`; and ends the sessions that began so, but the one that
 * asks. One that is not there is passed over.
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
 * Takes from a user all accounts that they log in by, lets the next one be linked, and ends their sessions: for one whose account is somebody else's by now, or was made
 * anew at its issuer. Answers how many there were. Throws `CommandError` where there is no such user.
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

/** What is wrong with settings of an issuer, in words, or null. */
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

/** Whether a host is one of those at which Microsoft answers for every directory, in any of its clouds. */
function isOfMicrosoft(hostname: string): boolean {
  return /(^|\.)(microsoftonline\.(com|us|cn)|windows\.net)$/i.test(hostname)
}

/** The path of the issuer of one directory, by its id; not that of the accounts that anybody makes for themselves. */
const ownDirectory = /^\/(?!9188040d-6c67-4c5b-b112-36a304b66dad)[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\/v2\.0)?\/?$/i
