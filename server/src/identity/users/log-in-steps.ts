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

/** A log-in of whom something is still asked. Its secret opens nothing but the pages that ask. */
export interface LogInStep {
  readonly secret: string
  /** A one-time code; or a factor that is required of a role, which is set up first where there is none. */
  readonly asks: 'code' | 'factor'
}

/** What a log-in comes to: a session, or something that is still asked. */
export type Entry = { readonly session: NewSession } | { readonly step: LogInStep }

/** How long somebody has to do what is asked, in seconds. */
const stepSeconds = 600

/** So many wrong codes end a log-in, which then begins with the password again. */
const maxAttempts = 5

/**
 * Goes on with the log-in of a user whom the caller has locked: a session where nothing more is asked, else the step that asks. A code is asked of who has set codes up, unless
 * what was shown needs none (`isCodeAsked`) and nothing is lacking. Null for a user who may not log in any more.
 */
export async function goOnWithLogIn(
  tx: Transaction,
  visit: Visit,
  userId: string,
  proofs: readonly Proof[],
  { isCodeAsked = true }: { readonly isCodeAsked?: boolean } = {},
): Promise<Entry | null> {
  const lacking = await lackingFactors(tx, userId, proofs)
  // A code also lets somebody who lacks something else add it.
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

/** Locks a user, of whom nothing else is required meanwhile; false for one who may not log in any more. */
export async function lockOpenUser(tx: Transaction, userId: string): Promise<boolean> {
  const open = await tx.query(sql`
    select from users where tenant_id = ${tx.tenantId} and id = ${userId} and enabled = 1 for no key update`)
  return open.length > 0
}

/** What became of a code that was typed to finish a log-in. */
export type StepOutcome = Entry | { readonly refused: 'wrong' | 'over' } | { readonly retryAfterSeconds: number }

/** Finishes a log-in by a code. It works once; after five wrong codes, or ten minutes, the log-in begins with the password again. */
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

/** Somebody whose log-in lacks a factor. */
export interface LackingLogIn {
  readonly stepId: string
  readonly userId: string
  /** The user's e-mail address in lower case. */
  readonly name: string
  readonly fullName: string
  readonly proofs: readonly Proof[]
  /** One of these is lacking. */
  readonly anyOf: readonly Factor[]
  readonly hasPasskeys: boolean
  /**
   * The ways to log in that may be added: those that help, by who has none yet or has shown one. Else whoever knows the password, or has the
   * mailbox or the account at an issuer, would add one of their own to those of the user.
   */
  readonly mayAdd: readonly Factor[]
  /** What the forms of the step bring, so that no other site sends them. */
  readonly csrfToken: string
}

/** The log-in of a step that asks for a factor, or null: unknown, over, of a user who was disabled, or of whom nothing is required any more. */
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

/** Whether somebody has a way to log in that nobody else has: a passkey, or what makes one-time codes. */
export async function hasOwnWay(tx: Transaction, userId: string): Promise<boolean> {
  return (await isAskedForCode(tx, userId)) || hasPasskey(tx, userId)
}

async function hasPasskey(tx: Transaction, userId: string): Promise<boolean> {
  const known = await tx.query(sql`
    select from passkeys where tenant_id = ${tx.tenantId} and user_id = ${userId} limit 1`)
  return known.length > 0
}

/** Goes on with a log-in that has shown, or set up, what it lacked. */
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
