import { randomBytes } from 'node:crypto'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import { recordAccess } from '../changes.ts'
import { newId } from '../ids.ts'
import type { SecretSeal } from '../sealed-secrets.ts'
import { beginSession, type NewSession } from './begin-session.ts'
import { isAskedForCode, tryCode } from './one-time-codes.ts'
import { hashOf, type Proof } from './sessions.ts'
import type { Visit } from './try-password.ts'

/** A log-in of whom a code is still asked. Its secret opens nothing but the page that asks. */
export interface LogInStep {
  readonly secret: string
}

/** How long somebody has to type a code, in seconds. */
const stepSeconds = 600

/** So many wrong codes end a log-in, which then begins with the password again. */
const mostAttempts = 5

/**
 * Goes on with a log-in by a password, or by the link of a mail: a session where nothing more is asked, else the step that asks for a
 * code. Null for a user who may not log in any more.
 */
export async function goOnWithLogIn(
  tx: Transaction,
  visit: Visit,
  userId: string,
  proofs: readonly Proof[],
): Promise<{ readonly session: NewSession } | { readonly step: LogInStep } | null> {
  if (!(await isAskedForCode(tx, userId))) {
    const session = await beginSession(tx, visit, userId, proofs)
    return session && { session }
  }
  const secret = randomBytes(32).toString('base64url')
  tx.send(sql`
    insert into log_in_steps (tenant_id, id, user_id, secret_hash, proofs, expires_at)
    values (${tx.tenantId}, ${newId()}, ${userId}, ${hashOf(secret)}, ${proofs},
            current_stamp() + make_interval(secs => ${stepSeconds}))`)
  return { step: { secret } }
}

/** What became of a code that was typed to finish a log-in. */
export type StepOutcome =
  | { readonly session: NewSession }
  | { readonly refused: 'wrong' | 'over' }
  | { readonly retryAfterSeconds: number }

/** Finishes a log-in by a code. It works once; after five wrong codes, or ten minutes, the log-in begins with the password again. */
export function finishLogIn(
  { database, seal }: { readonly database: Database; readonly seal: SecretSeal },
  visit: Visit,
  { secret, typed }: { readonly secret: string; readonly typed: string },
): Promise<StepOutcome> {
  return database.transaction(visit.tenant.id, async (tx) => {
    const [step] = await tx.query<{ id: string; userId: string; proofs: Proof[]; attempts: number }>(sql`
      select id, user_id as "userId", proofs, attempts from log_in_steps
       where tenant_id = ${tx.tenantId} and secret_hash = ${hashOf(secret)} and expires_at > now() for update`)
    if (step === undefined) return { refused: 'over' }
    const end = () => tx.send(sql`delete from log_in_steps where tenant_id = ${tx.tenantId} and id = ${step.id}`)
    const trial = await tryCode(tx, seal, step.userId, typed)
    if (typeof trial === 'object') return trial
    if (trial === 'right' || trial === 'recovery') {
      end()
      const session = await beginSession(tx, visit, step.userId, [...step.proofs, 'code'])
      return session === null ? { refused: 'over' } : { session }
    }
    const isOver = trial === 'none' || step.attempts + 1 >= mostAttempts
    if (isOver) end()
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
