import type { Database } from '../../database/index.ts'
import { closeSession, giveCsrfToken, logIn, type NewSession } from '../../platform/users/index.ts'
import { RecordError } from '../record-error.ts'
import { guestName } from './admission.ts'
import type { CallAnswer, SessionCall } from './call.ts'
import { resetPassword, updatePassword } from './password-methods.ts'
import type { Verb } from './record-method.ts'
import { homePageOf, paused, refusedLogIn, requireCaller } from './session-answers.ts'

/** A method about who calls, which runs outside of any transaction of records. */
export interface SessionMethod {
  /** Whether somebody who is not known may call it. */
  readonly allowGuest: boolean
  /** Any verb where nothing is said. */
  readonly verbs?: readonly Verb[]
  run(call: SessionCall): Promise<CallAnswer>
}

/** The methods about the session, by path. */
export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  ['ping', { allowGuest: true, run: async () => ({ result: 'pong' }) }],
  ['frappe.ping', { allowGuest: true, run: async () => ({ result: 'pong' }) }],
  ['login', { allowGuest: true, run: async (call) => welcome(await logInByPassword(call)) }],
  ['logout', { allowGuest: true, run: logOut }],
  ['frappe.handler.logout', { allowGuest: true, run: logOut }],
  ['frappe.auth.get_logged_user', { allowGuest: false, run: async (call) => ({ result: requireCaller(call).user }) }],
  ['frappe.sessions.get_csrf_token', { allowGuest: false, run: tellCsrfToken }],
  ['frappe.core.doctype.user.user.reset_password', { allowGuest: true, verbs: ['POST'], run: resetPassword }],
  [
    'frappe.core.doctype.user.user.update_password',
    {
      allowGuest: true,
      verbs: ['POST', 'PUT'],
      run: async (call) => {
        const session = await updatePassword(call)
        return { result: homePageOf(session), session }
      },
    },
  ],
])

/** Logs in by `usr` and `pwd`. Throws `AuthenticationError` and, after too many failures, `SecurityException`. */
export async function logInByPassword(call: SessionCall): Promise<NewSession> {
  const { usr, pwd } = call.args
  if (typeof usr !== 'string' || typeof pwd !== 'string' || usr === '' || pwd === '') {
    throw new RecordError('AuthenticationError', 'Incomplete login details')
  }
  const { tenant } = requireCaller(call)
  const context = { tenant, requestId: call.requestId, address: call.address }
  const outcome = await logIn(call.database, context, { user: usr, password: pwd })
  if ('retryAfterSeconds' in outcome) throw paused(outcome.retryAfterSeconds)
  if ('refused' in outcome) {
    throw new RecordError('AuthenticationError', refusedLogIn[outcome.refused])
  }
  await endSession(call.database, call)
  return outcome.session
}

/** What clients do next after a log-in. */
function welcome(session: NewSession): CallAnswer {
  const message = session.userType === 'System User' ? 'Logged In' : 'No App'
  return { members: { message, home_page: homePageOf(session), full_name: session.fullName }, session }
}

/** Ends the session of a call, where there is one. */
export async function logOut(call: SessionCall): Promise<CallAnswer> {
  await endSession(call.database, call)
  return { members: { message: 'No App', home_page: '/login', full_name: guestName }, session: 'guest' }
}

async function endSession(database: Database, { admission }: SessionCall): Promise<void> {
  const { session, tenant } = admission
  if (session === null || tenant === null) return
  await database.transaction(tenant.id, async (tx) => closeSession(tx, session.sessionId))
}

/**
 * The token that the writes of this session bring from now on. Upstream prints it in its pages; here a page that comes from
 * elsewhere on the same site asks for it. A key needs none and is given none.
 */
async function tellCsrfToken({ database, admission }: SessionCall): Promise<CallAnswer> {
  const { session, tenant } = admission
  if (session === null || tenant === null) return {}
  return { result: await database.transaction(tenant.id, async (tx) => giveCsrfToken(tx, session)) }
}
