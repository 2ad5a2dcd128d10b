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

/** Somebody who may set up another way to log in: logged in lately, or half logged in and lacking what their institution requires. */
export interface SetUp {
  readonly userId: string
  readonly name: string
  readonly fullName: string
  readonly csrfToken: string
  /** What a form of theirs is sealed for. */
  readonly bond: string
  readonly context: ChangeContext
  /** What was shown to log in. */
  readonly proofs: readonly Proof[]
  /** The session of who is logged in; null for who is not yet. */
  readonly sessionId: string | null
  /** The secret of the step of the log-in that lacks something; null for who is logged in. */
  readonly step: string | null
}

/** Who sets up a way to log in, or null for who may not. */
export async function whoSetsUp(
  { identification, database, request, requestId, address }: PageCall,
  factor: Factor,
): Promise<SetUp | null> {
  const { session, tenant } = identification
  if (tenant === null) return null
  const setUpOf = (
    { userId, name, fullName, csrfToken, proofs }: Pick<SetUp, 'userId' | 'name' | 'fullName' | 'csrfToken' | 'proofs'>,
    bond: string,
    { sessionId, step }: Pick<SetUp, 'sessionId' | 'step'>,
  ): SetUp => {
    const context = { tenant, actor: { type: 'user', id: userId, name }, requestId, address } as const
    return { userId, name, fullName, csrfToken, proofs, bond: `${tenant.id} ${bond}`, context, sessionId, step }
  }
  if (session !== null)
    return session.isFresh ? setUpOf(session, session.sessionId, { sessionId: session.sessionId, step: null }) : null
  const secret = request.cookies[stepCookie] ?? ''
  const lacking = secret === '' ? null : await database.transaction(tenant.id, (tx) => findLackingLogIn(tx, secret))
  return lacking?.mayAdd.includes(factor) ? setUpOf(lacking, lacking.stepId, { sessionId: null, step: secret }) : null
}

/**
 * Sets a way to log in up, and logs in by it who was half logged in: `null` where the work says that nothing came of it.
 *
 * @throws RecordError where the step was over meanwhile
 */
export function setUpWay<Result>(
  { database, identification, requestId, address, agent }: PageCall,
  { step }: SetUp,
  factor: Factor,
  work: (tx: Transaction) => Promise<{ readonly isDone: boolean; readonly result: Result }>,
): Promise<{ readonly result: Result; readonly entry: Entry | null }> {
  const { tenant } = identification
  if (tenant === null) throw new Error('no page of an institution is answered without it')
  return database.transaction(tenant.id, async (tx) => {
    const lacking = step === null ? null : await findLackingLogIn(tx, step)
    if (step !== null && lacking?.mayAdd.includes(factor) !== true) throw over()
    const { isDone, result } = await work(tx)
    if (lacking === null || !isDone) return { result, entry: null }
    const entry = await finishLackingLogIn(tx, { tenant, requestId, address, agent }, lacking, [factor])
    if (entry === null) throw over()
    return { result, entry }
  })
}

function over(): RecordError {
  return new RecordError('AuthenticationError', rejectedLogIn.over)
}
