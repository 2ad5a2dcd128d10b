import type { Database } from '../../database/index.ts'
import { closeSession, type Entry, finishLogIn, giveCsrfToken, logIn } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { CallResponse, SessionCall } from '../protocol/call.ts'
import type { MethodDeclaration } from '../protocol/record-method.ts'
import { guestName } from './identity-lookup.ts'
import { resetPassword, updatePassword } from './password-methods.ts'
import { getHomePage, paused, rejectedLogIn, requireCaller } from './session-responses.ts'

/** A method about the session, which runs outside of record transactions and parses its arguments itself. */
export interface SessionMethod extends MethodDeclaration {
  /** Whether cross-site requests are rejected: it begins or ends a session. */
  readonly isForOwnSite?: true
  run(call: SessionCall): Promise<CallResponse>
}

const text = { type: 'string' } as const
const requiredText = { type: 'string', required: true } as const

const pong: Omit<SessionMethod, 'path'> = {
  rights: 'public',
  summary: 'Answers that the service is there.',
  allowGuest: true,
  parameters: {},
  result: { const: 'pong' },
  run: async () => ({ result: 'pong' }),
}

const logout: Omit<SessionMethod, 'path'> = {
  rights: 'public',
  summary:
    'Ends the session of who calls, and tells what a guest is told. A page of another site cannot make anybody call it.',
  allowGuest: true,
  actsByGet: true,
  isForOwnSite: true,
  parameters: {},
  result: { type: 'string', description: 'Beside it stand `home_page` and `full_name`, those of a guest.' },
  run: logOut,
}

/** The methods about the session. */
const methods: readonly SessionMethod[] = [
  { path: 'ping', ...pong },
  { path: 'frappe.ping', ...pong },
  {
    path: 'login',
    rights: 'public',
    summary:
      'Begins a session with e-mail address and password, at the address of a tenant. Its cookies come with the answer. A page of another site cannot make anybody call it.',
    allowGuest: true,
    actsByGet: true,
    isForOwnSite: true,
    parameters: {
      usr: { ...text, about: 'The e-mail address of the user.' },
      pwd: { ...text, about: 'The password.' },
      otp: { ...text, about: 'With `tmp_id`, instead of both: the one-time code of somebody who is asked for it.' },
      tmp_id: { ...text, about: 'What the answer to the right password told of who is asked for a code.' },
    },
    result: {
      type: 'string',
      enum: ['Logged In', 'No App'],
      description:
        '`Logged In`, or `No App` for students, guardians and others without a desk. Beside it stand `home_page`, where the browser goes next, and `full_name`. Absent for somebody who is asked for a one-time code: then there are `verification` and `tmp_id`. Who lacks what the institution requires of a role is refused (`PermissionError`), and sets it up on the page at `/login`.',
    },
    run: async (call) => welcome(call, await logInByPassword(call)),
  },
  { path: 'logout', ...logout },
  { path: 'frappe.handler.logout', ...logout },
  {
    path: 'frappe.auth.get_logged_user',
    rights: 'own records',
    summary: 'Who calls: the e-mail address of a user, or Administrator for a key.',
    parameters: {},
    result: { type: 'string' },
    run: async (call) => ({ result: requireCaller(call).user }),
  },
  {
    path: 'frappe.sessions.get_csrf_token',
    rights: 'own records',
    actsByGet: true,
    isForOwnSite: true,
    summary:
      'The token that each write of this session must bring from now on, in the header X-Frappe-CSRF-Token or as csrf_token. A key needs none. A page of another site cannot make anybody call it.',
    parameters: {},
    result: { type: 'string', description: 'Absent for a key.' },
    run: sendCsrfToken,
  },
  {
    path: 'frappe.core.doctype.user.user.reset_password',
    rights: 'public',
    summary: 'Mails somebody who forgot the password a link to set another one.',
    allowGuest: true,
    verbs: ['POST'],
    parameters: { user: { ...requiredText, about: 'The e-mail address of the user.' } },
    result: {
      type: 'string',
      description:
        'Absent: a message says that a mail is on its way if there is such a user, the same whether there is one or not.',
    },
    run: resetPassword,
  },
  {
    path: 'frappe.core.doctype.user.user.update_password',
    rights: 'own records',
    summary:
      'Sets a password with the key of a mailed link, or with the old password of who is logged in. It ends all sessions of the user and begins one.',
    allowGuest: true,
    isForOwnSite: true,
    verbs: ['POST', 'PUT'],
    parameters: {
      new_password: requiredText,
      key: { ...text, about: 'That of a mailed link.' },
      old_password: { ...text, about: 'Instead of a key, of who is logged in.' },
    },
    result: { type: 'string', description: 'Where the browser goes next.' },
    run: async (call) => {
      const entry = await updatePassword(call)
      if ('step' in entry) {
        return { result: entry.step.asks === 'code' ? '/login-code' : '/login-factor', step: entry.step }
      }
      return { result: getHomePage(entry.session, call), session: entry.session }
    },
  },
]

/** The methods about the session, by path. */
export const sessionMethods: ReadonlyMap<string, SessionMethod> = new Map(
  methods.map((method) => [method.path, method]),
)

/**
 * Logs in by `usr` and `pwd`, or finishes a two-step log-in by `tmp_id` and `otp`. Throws `AuthenticationError` and,
 * after too many failures, `SecurityException`.
 */
export async function logInByPassword(call: SessionCall): Promise<Entry> {
  const { usr, pwd, otp, tmp_id: step } = call.args
  if (typeof otp === 'string' && typeof step === 'string') return logInByCode(call, step, otp)
  if (typeof usr !== 'string' || typeof pwd !== 'string' || usr === '' || pwd === '') {
    throw new RecordError('AuthenticationError', 'Incomplete login details')
  }
  const { tenant } = requireCaller(call)
  const { requestId, address, agent } = call
  const outcome = await logIn(call, { tenant, requestId, address, agent }, { user: usr, password: pwd })
  if ('retryAfterSeconds' in outcome) throw paused(outcome.retryAfterSeconds)
  if ('refused' in outcome) {
    throw new RecordError('AuthenticationError', rejectedLogIn[outcome.refused])
  }
  if ('session' in outcome) await endSession(call.database, call)
  return outcome
}

/**
 * Finishes a log-in by a one-time code. Throws `AuthenticationError` and, after too many failures, `SecurityException`.
 */
export async function logInByCode(call: SessionCall, secret: string, typed: string): Promise<Entry> {
  const { tenant } = requireCaller(call)
  const { requestId, address, agent } = call
  const outcome = await finishLogIn(call, { tenant, requestId, address, agent }, { secret, typed })
  if ('retryAfterSeconds' in outcome) throw paused(outcome.retryAfterSeconds)
  if ('refused' in outcome) {
    throw new RecordError(
      'AuthenticationError',
      outcome.refused === 'over' ? rejectedLogIn.over : rejectedLogIn.wrongCode,
    )
  }
  if ('session' in outcome) await endSession(call.database, call)
  return outcome
}

/** The response to a log-in step. A request for a one-time code has upstream's form for authenticator apps. */
function welcome(call: SessionCall, entry: Entry): CallResponse {
  if ('step' in entry) {
    const { step } = entry
    if (step.asks === 'factor') throw new RecordError('PermissionError', rejectedLogIn.lacking)
    return { members: { verification: { method: 'OTP App', setup: true }, tmp_id: step.secret }, step }
  }
  const { session } = entry
  const message = session.userType === 'System User' ? 'Logged In' : 'No App'
  return { members: { message, home_page: getHomePage(session, call), full_name: session.fullName }, session }
}

/** Ends the session of a call, where there is one. */
export async function logOut(call: SessionCall): Promise<CallResponse> {
  await endSession(call.database, call)
  return { members: { message: 'No App', home_page: '/login', full_name: guestName }, session: 'guest' }
}

async function endSession(database: Database, { identification }: SessionCall): Promise<void> {
  const { session, tenant } = identification
  if (session === null || tenant === null) return
  await database.transaction(tenant.id, async (tx) => closeSession(tx, session.sessionId))
}

/**
 * The CSRF token that this session must send with writes from now on. Upstream renders it in its pages; here a
 * separately served page of the same site requests it. API keys need none and get none.
 */
async function sendCsrfToken({ database, identification }: SessionCall): Promise<CallResponse> {
  const { session, tenant } = identification
  if (session === null || tenant === null) return {}
  return { result: await database.transaction(tenant.id, async (tx) => giveCsrfToken(tx, session)) }
}
