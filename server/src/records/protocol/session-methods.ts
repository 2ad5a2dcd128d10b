import type { Database } from '../../database/index.ts'
import { closeSession, countAttempt, isKnownUser, logIn, type NewSession } from '../../platform/users/index.ts'
import type { Caller } from '../caller.ts'
import { RecordError } from '../record-error.ts'
import { guestName } from './admission.ts'
import type { CallAnswer, SessionCall } from './call.ts'

/** A method about who calls, which runs outside of any transaction of records. */
export interface SessionMethod {
  /** Whether somebody who is not known may call it. */
  readonly allowGuest: boolean
  run(call: SessionCall): Promise<CallAnswer>
}

/** The methods about the session, by path. */
export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  ['ping', { allowGuest: true, run: async () => ({ result: 'pong' }) }],
  ['frappe.ping', { allowGuest: true, run: async () => ({ result: 'pong' }) }],
  ['login', { allowGuest: true, run: logInByPassword }],
  ['logout', { allowGuest: true, run: logOut }],
  ['frappe.handler.logout', { allowGuest: true, run: logOut }],
  ['frappe.auth.get_logged_user', { allowGuest: false, run: async (call) => ({ result: requireCaller(call).user }) }],
  ['frappe.core.doctype.user.user.reset_password', { allowGuest: true, run: resetPassword }],
])

async function logInByPassword(call: SessionCall): Promise<CallAnswer> {
  const { usr, pwd } = call.args
  if (typeof usr !== 'string' || typeof pwd !== 'string' || usr === '' || pwd === '') {
    throw new RecordError('AuthenticationError', 'Incomplete login details')
  }
  const { tenant } = requireCaller(call)
  const context = { tenant, requestId: call.requestId, address: call.address }
  const outcome = await logIn(call.database, context, { user: usr, password: pwd })
  if ('retryAfterSeconds' in outcome) throw paused(outcome.retryAfterSeconds)
  if ('refused' in outcome) {
    const text = outcome.refused === 'disabled' ? 'User disabled or missing' : 'Invalid login credentials'
    throw new RecordError('AuthenticationError', text)
  }
  await endSession(call.database, call)
  return { ...homeOf(outcome.session), session: outcome.session }
}

/** What clients do next after a log-in: staff have the desk, others have their own page. */
function homeOf({ userType, fullName }: NewSession): CallAnswer {
  return userType === 'System User'
    ? { members: { message: 'Logged In', home_page: '/app', full_name: fullName } }
    : { members: { message: 'No App', home_page: '/me', full_name: fullName } }
}

async function logOut(call: SessionCall): Promise<CallAnswer> {
  await endSession(call.database, call)
  return { members: { message: 'No App', home_page: '/login', full_name: guestName }, session: 'guest' }
}

async function endSession(database: Database, { admission }: SessionCall): Promise<void> {
  const { session, tenant } = admission
  if (session === null || tenant === null) return
  await database.transaction(tenant.id, async (tx) => closeSession(tx, session.sessionId))
}

/**
 * Answers somebody who forgot the password. An unknown user is a 404, as upstream has it; so that nobody tries many, it is
 * counted like a log-in that failed.
 */
async function resetPassword(call: SessionCall): Promise<CallAnswer> {
  const { tenant } = requireCaller(call)
  const { user } = call.args
  if (typeof user !== 'string' || user === '') {
    throw new RecordError('FrappeTypeError', 'The argument user is missing: name the user by e-mail address.')
  }
  const wait = await call.database.transaction(tenant.id, (tx) => countAttempt(tx, 'reset_password', call.address))
  if (wait > 0) throw paused(wait)
  if (!(await isKnownUser(call.database, tenant.id, user))) throw new RecordError('DoesNotExistError', 'not found')
  return { messages: [{ message: 'Ask your institution for a new password: this service does not mail them.' }] }
}

function paused(seconds: number): RecordError {
  return new RecordError('SecurityException', `Too many attempts failed. Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

function requireCaller({ admission }: SessionCall): Caller {
  if (admission.caller !== null) return admission.caller
  const text = 'Log in at the address of your institution: its own host name, or /t/ and its short name.'
  throw new RecordError('AuthenticationError', text)
}
