import type { PublicLocale } from '@matricula/contract'
import { CommandError } from '../../errors/index.ts'
import { askForReset, changePassword, checkResetKey, type Entry, setPasswordByKey } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { CallResponse, SessionCall } from '../protocol/call.ts'
import { paused, rejectedLogIn, requireCaller } from './session-responses.ts'

/**
 * Mails a password reset link. The response is the same whether the user exists or not (no user enumeration); requests
 * are rate limited, and one user gets at most three links an hour. Without a mail service the response says whom to
 * ask. The mail is in the language of the requesting page, else in the user's own.
 */
export async function resetPassword(call: SessionCall, locale?: PublicLocale): Promise<CallResponse> {
  const { tenant } = requireCaller(call)
  const { user } = call.args
  if (typeof user !== 'string' || user === '') {
    throw new RecordError('FrappeTypeError', 'The argument user is missing: name the user by e-mail address.')
  }
  const { sendsMail } = call
  const asked = { user, sendsMail, ...(locale !== undefined && { locale }) }
  const retryAfterSeconds = await askForReset(call.database, findVisit(call), asked)
  if (retryAfterSeconds > 0) throw paused(retryAfterSeconds)
  const message = sendsMail
    ? 'If there is an account with this address, a link to set a new password is on its way to it. Where none arrives, use that of the last mail.'
    : `No mail is sent from here. Ask ${tenant.name} for a new password.`
  return { messages: [{ message, title: sendsMail ? 'Password Email Sent' : 'No Mail' }] }
}

/**
 * Sets a new password: with the key of a mailed link, or with the old password of the logged-in user. All sessions of
 * the user end, whatever `logout_all_sessions` is, and a new one begins; with a key only after a one-time code where
 * the user needs one. Throws `LinkExpired` for a used or expired key, `ValidationError` for a password that is too
 * short or too long.
 */
export async function updatePassword(call: SessionCall): Promise<Entry> {
  const { new_password: password, key, old_password: oldPassword } = call.args
  if (typeof password !== 'string') {
    throw new RecordError('FrappeTypeError', 'The argument new_password is missing: send the new password.')
  }
  try {
    if (isText(key)) return await withKey(call, key, password)
    return await withOldPassword(call, isText(oldPassword) ? oldPassword : null, password)
  } catch (error) {
    if (error instanceof CommandError) throw new RecordError('ValidationError', error.message)
    throw error
  }
}

async function withKey(call: SessionCall, key: string, password: string) {
  // Checked first: an invalid key must not cost a password hash.
  await requireResetKey(call, key)
  const entry = await setPasswordByKey(call, findVisit(call), { key, password })
  if (entry === null) throw spentKey()
  return entry
}

/** Throws `LinkExpired` for an invalid key of a mailed link, and `SecurityException` after too many of them. */
export async function requireResetKey(call: SessionCall, key: string): Promise<void> {
  const check = await checkResetKey(call.database, findVisit(call), key)
  if (check === 'spent') throw spentKey()
  if (check !== 'open') throw paused(check.retryAfterSeconds)
}

function spentKey(): RecordError {
  return new RecordError('LinkExpired', 'This link was used before or has expired. Request a new one.')
}

async function withOldPassword(call: SessionCall, oldPassword: string | null, password: string) {
  requireCaller(call)
  const { session } = call.identification
  if (session === null) {
    throw new RecordError(
      'PermissionError',
      'Send the key of the link that was mailed, or log in and send old_password.',
    )
  }
  if (oldPassword === null) {
    throw new RecordError('FrappeTypeError', 'The argument old_password is missing: send the current password.')
  }
  const change = await changePassword(call, findVisit(call), session, { oldPassword, password })
  if ('session' in change) return change
  if ('retryAfterSeconds' in change) throw paused(change.retryAfterSeconds)
  throw new RecordError('AuthenticationError', rejectedLogIn.wrongOldPassword)
}

function findVisit(call: SessionCall) {
  return { tenant: requireCaller(call).tenant, requestId: call.requestId, address: call.address, agent: call.agent }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
