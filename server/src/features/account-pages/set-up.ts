import type { ChangeContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import {
  type Entry,
  type Factor,
  findLackingLogIn,
  finishLackingLogIn,
  type Proof,
} from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { type PageCall, rejectedLogIn, stepCookie } from '../../resource-api/index.ts'

/**
 * A user who may set up another way to log in: recently logged in, or partly logged in and lacking a required factor.
 */
export interface SetUp {
  readonly userId: string
  readonly name: string
  readonly fullName: string
  readonly csrfToken: string
  /** The encryption purpose of the user's forms. */
  readonly bond: string
  readonly context: ChangeContext
  /** The factors that were proved at log-in. */
  readonly proofs: readonly Proof[]
  /** The session; null before the log-in is complete. */
  readonly sessionId: string | null
  /** The secret of the pending log-in step; null for a complete log-in. */
  readonly step: string | null
}

/** The user who may set up a factor, or null. */
export async function findSetUp(
  { identification, database, request, requestId, address }: PageCall,
  factor: Factor,
): Promise<SetUp | null> {
  const { session, tenant } = identification
  if (tenant === null) return null
  const buildSetUp = (
    { userId, name, fullName, csrfToken, proofs }: Pick<SetUp, 'userId' | 'name' | 'fullName' | 'csrfToken' | 'proofs'>,
    bond: string,
    { sessionId, step }: Pick<SetUp, 'sessionId' | 'step'>,
  ): SetUp => {
    const context = { tenant, actor: { type: 'user', id: userId, name }, requestId, address } as const
    return { userId, name, fullName, csrfToken, proofs, bond: `${tenant.id} ${bond}`, context, sessionId, step }
  }
  if (session !== null)
    return session.isFresh ? buildSetUp(session, session.sessionId, { sessionId: session.sessionId, step: null }) : null
  const secret = request.cookies[stepCookie] ?? ''
  const lacking = secret === '' ? null : await database.transaction(tenant.id, (tx) => findLackingLogIn(tx, secret))
  return lacking?.mayAdd.includes(factor)
    ? buildSetUp(lacking, lacking.stepId, { sessionId: null, step: secret })
    : null
}

/**
 * Sets up a factor, and completes the log-in of a user who lacked it. The entry is null for a user who was logged in,
 * and when `work` is not done.
 *
 * @throws RecordError when the step has expired
 */
export function setUpFactor<Result>(
  { database, identification, requestId, address, agent }: PageCall,
  { step }: SetUp,
  factor: Factor,
  work: (tx: Transaction) => Promise<{ readonly isDone: boolean; readonly result: Result }>,
): Promise<{ readonly result: Result; readonly entry: Entry | null }> {
  const { tenant } = identification
  if (tenant === null) throw new Error('the page needs an institution')
  return database.transaction(tenant.id, async (tx) => {
    const lacking = step === null ? null : await findLackingLogIn(tx, step)
    if (step !== null && lacking?.mayAdd.includes(factor) !== true) throw expiredStep()
    const { isDone, result } = await work(tx)
    if (lacking === null || !isDone) return { result, entry: null }
    const entry = await finishLackingLogIn(tx, { tenant, requestId, address, agent }, lacking, [factor])
    if (entry === null) throw expiredStep()
    return { result, entry }
  })
}

function expiredStep(): RecordError {
  return new RecordError('AuthenticationError', rejectedLogIn.over)
}
