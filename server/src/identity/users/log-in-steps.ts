import { randomBytes } from 'node:crypto'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'
import type { SecretSeal } from '../sealed-secrets.ts'
import { beginSession, type NewSession } from './begin-session.ts'
import { isAskedForCode, tryCode } from './one-time-codes.ts'
import { doesHelp, type Factor, lackingFactors } from './required-factors.ts'
import { getCsrfToken, hashOf, type Proof } from './sessions.ts'
import type { Visit } from './try-password.ts'

/** An incomplete log-in. Its secret is valid for the pages of this step only. */
export interface LogInStep {
  readonly secret: string
  /** A one-time code; or a factor that a role requires, which is set up first where there is none. */
  readonly asks: 'code' | 'factor'
}

/** The result of a log-in: a session or a further step. */
export type Entry = { readonly session: NewSession } | { readonly step: LogInStep }

/** Expiry of a step, in seconds. */
const stepSeconds = 600

/** Maximum number of wrong codes; then the log-in restarts with the password. */
const maxAttempts = 5

/**
 * Continues the log-in of a user whom the caller has locked: a session, or the next step. A one-time code is required
 * of users who have set codes up, unless the proof needs none (`isCodeAsked`) and no factor is missing. Null for a
 * disabled user.
 */
export async function goOnWithLogIn(
  tx: Transaction,
  visit: Visit,
  userId: string,
  proofs: readonly Proof[],
  { isCodeAsked = true }: { readonly isCodeAsked?: boolean } = {},
): Promise<Entry | null> {
  const lacking = await lackingFactors(tx, userId, proofs)
  // A code also allows a missing factor to be added.
  const helps = isCodeAsked || (lacking !== null && !proofs.includes('passkey'))
  const asksCode = helps && !proofs.includes('code') && (await isAskedForCode(tx, userId))
  if (!asksCode && lacking === null) {
    const session = await beginSession(tx, visit, userId, proofs)
    return session && { session }
  }
  const [secret, asks] = [randomBytes(32).toString('base64url'), asksCode ? 'code' : 'factor'] as const
  tx.send(sql`
    insert into log_in_steps (tenant_id, id, user_id, secret_hash, proofs, asks, expires_at)
    values (${tx.tenantId}, ${newId()}, ${userId}, ${hashOf(secret)}, ${proofs}, ${asks},
            current_stamp() + make_interval(secs => ${stepSeconds}))`)
  return { step: { secret, asks } }
}

/** Locks a user, so that their required factors do not change meanwhile; false for a disabled one. */
export async function lockOpenUser(tx: Transaction, userId: string): Promise<boolean> {
  const open = await tx.query(sql`
    select from users where tenant_id = ${tx.tenantId} and id = ${userId} and enabled = 1 for no key update`)
  return open.length > 0
}

/** The outcome of a code of a log-in. */
export type StepOutcome = Entry | { readonly refused: 'wrong' | 'over' } | { readonly retryAfterSeconds: number }

/**
 * Completes a log-in by a code. It is used once; after five wrong codes, or ten minutes, the log-in restarts with the
 * password.
 */
export function finishLogIn(
  { database, seal }: { readonly database: Database; readonly seal: SecretSeal },
  visit: Visit,
  { secret, typed }: { readonly secret: string; readonly typed: string },
): Promise<StepOutcome> {
  return database.transaction(visit.tenant.id, async (tx) => {
    const [step] = await tx.query<{ id: string; userId: string; proofs: Proof[]; attempts: number }>(sql`
      select id, user_id as "userId", proofs, attempts from log_in_steps
       where tenant_id = ${tx.tenantId} and secret_hash = ${hashOf(secret)} and asks = 'code' and expires_at > now()
         for update`)
    if (step === undefined) return { refused: 'over' }
    const trial = await tryCode(tx, seal, step.userId, typed)
    if (typeof trial === 'object') return trial
    if (trial === 'right' || trial === 'recovery') {
      endStep(tx, step.id)
      if (!(await lockOpenUser(tx, step.userId))) return { refused: 'over' }
      const proofs: Proof[] = [...step.proofs, 'code']
      return (await goOnWithLogIn(tx, visit, step.userId, proofs, { isCodeAsked: false })) ?? { refused: 'over' }
    }
    const isOver = trial === 'none' || step.attempts + 1 >= maxAttempts
    if (isOver) endStep(tx, step.id)
    else {
      tx.send(sql`
        update log_in_steps set attempts = attempts + 1 where tenant_id = ${tx.tenantId} and id = ${step.id}`)
    }
    const actor = { type: 'link', id: null, name: 'log-in' } as const
    const facts = { reason: 'wrong_code' }
    const access = { action: 'user.log_in_failed', entityType: 'user', entityId: step.userId, facts } as const
    recordAccess(tx, { ...visit, actor }, access)
    return { refused: isOver ? 'over' : 'wrong' }
  })
}

/** An incomplete log-in without a required factor. */
export interface LackingLogIn {
  readonly stepId: string
  readonly userId: string
  /** The user's e-mail address in lower case. */
  readonly name: string
  readonly fullName: string
  readonly proofs: readonly Proof[]
  /** One of these is required. */
  readonly anyOf: readonly Factor[]
  readonly hasPasskeys: boolean
  /**
   * Factors that may be added now: those that satisfy the requirement, for a user who has none yet or has presented
   * one. Otherwise the password, mailbox or account at an identity provider alone would be enough to add a factor.
   */
  readonly mayAdd: readonly Factor[]
  /** The CSRF token of the forms of the step. */
  readonly csrfToken: string
}

/** The incomplete log-in of a step, or null: unknown, expired, of a disabled user, or of one without a requirement. */
export async function findLackingLogIn(tx: Transaction, secret: string): Promise<LackingLogIn | null> {
  const [step] = await tx.query<Pick<LackingLogIn, 'stepId' | 'userId' | 'name' | 'fullName' | 'proofs'>>(sql`
    select s.id as "stepId", s.user_id as "userId", s.proofs, u.name, u.full_name as "fullName"
      from log_in_steps s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
     where s.tenant_id = ${tx.tenantId} and s.secret_hash = ${hashOf(secret)} and s.asks = 'factor'
       and s.expires_at > now() and u.enabled = 1 for no key update of s, u`)
  if (step === undefined) return null
  const anyOf = await lackingFactors(tx, step.userId, step.proofs)
  if (anyOf === null) return null
  const hasPasskeys = await hasPasskey(tx, step.userId)
  const hasShown = step.proofs.includes('code') || step.proofs.includes('passkey')
  const isFree = hasShown || !(await hasOwnWay(tx, step.userId))
  const mayAdd = isFree ? (['code', 'passkey'] as const).filter((factor) => doesHelp(factor, anyOf)) : []
  return { ...step, anyOf, hasPasskeys, mayAdd, csrfToken: getCsrfToken(secret) }
}

/** Whether a user has a passkey or one-time codes. */
export async function hasOwnWay(tx: Transaction, userId: string): Promise<boolean> {
  return (await isAskedForCode(tx, userId)) || hasPasskey(tx, userId)
}

async function hasPasskey(tx: Transaction, userId: string): Promise<boolean> {
  const known = await tx.query(sql`
    select from passkeys where tenant_id = ${tx.tenantId} and user_id = ${userId} limit 1`)
  return known.length > 0
}

/** Continues a log-in that has presented or set up its missing factor. */
export async function finishLackingLogIn(
  tx: Transaction,
  visit: Visit,
  { stepId, userId, proofs }: LackingLogIn,
  shown: readonly Factor[],
): Promise<Entry | null> {
  endStep(tx, stepId)
  return goOnWithLogIn(tx, visit, userId, [...proofs, ...shown], { isCodeAsked: false })
}

function endStep(tx: Transaction, id: string): void {
  tx.send(sql`delete from log_in_steps where tenant_id = ${tx.tenantId} and id = ${id}`)
}
