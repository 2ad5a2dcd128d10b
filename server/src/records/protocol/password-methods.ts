import type { PublicLocale } from '@matricula/contract'
import { Refusal } from '../../platform/refusal.ts'
import { askForReset, changePassword, type Entry, isResetKey, setPasswordByKey } from '../../platform/users/index.ts'
import { RecordError } from '../record-error.ts'
import type { CallAnswer, SessionCall } from './call.ts'
import { paused, refusedLogIn, requireCaller } from './session-answers.ts'

/**
 * Mails somebody who forgot the password a link to set another one. An unknown user is a 404 and a disabled one is told so,
 * as upstream has it; so that nobody tries many, each asking is counted, those for the same user by the hour. Where no mail
 * is sent the answer says whom to ask instead. The mail is in the language of the page that asked, else in the user's own.
 */
export async function resetPassword(call: SessionCall, locale?: PublicLocale): Promise<CallAnswer> {
  const { tenant } = requireCaller(call)
  const { user } = call.args
  if (typeof user !== 'string' || user === '') {
    throw new RecordError('FrappeTypeError', 'The argument user is missing: name the user by e-mail address.')
  }
  const { sendsMail } = call
  const outcome = await askForReset(call.database, visitOf(call), {
    user,
    sendsMail,
    ...(locale !== undefined && { locale }),
  })
  if ('fullName' in outcome) {
    const message = sendsMail
      ? `A link to set a new password is on its way to the e-mail address of ${outcome.fullName}.`
      : `No mail is sent from here. Ask ${tenant.name} for a new password.`
    return { messages: [{ message, title: sendsMail ? 'Password Email Sent' : 'No Mail' }] }
  }
  if (!('refused' in outcome)) throw paused(outcome.retryAfterSeconds)
  if (outcome.refused === 'often') {
    const text = 'New passwords were asked for too often. Use the link of the last mail, or try again later.'
    throw new RecordError('RateLimitExceededError', text, {
      headers: { 'retry-after': String(outcome.retryAfterSeconds) },
    })
  }
  return outcome.refused === 'disabled' ? { result: 'disabled' } : { status: 404, result: 'not found' }
}

/**
 * Sets a new password: with the key of a mailed link, or with the old password of whoever is logged in. All sessions of the
 * user end, whatever `logout_all_sessions` says, and one begins; by a key it does once a one-time code is typed, of whom one is asked. Throws `LinkExpired` for a key that was used or whose time
 * is over, `ValidationError` for a password that is too short or too long.
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
    if (error instanceof Refusal) throw new RecordError('ValidationError', error.message)
    throw error
  }
}

async function withKey(call: SessionCall, key: string, password: string) {
  const { tenant } = requireCaller(call)
  // A key that opens nothing shall not cost the work of a password.
  if (!(await isResetKey(call.database, tenant.id, key))) throw spentKey()
  const entry = await setPasswordByKey(call, visitOf(call), { key, password })
  if (entry === null) throw spentKey()
  return entry
}

function spentKey(): RecordError {
  return new RecordError('LinkExpired', 'This link was used before, or its time is over. Ask for a new one.')
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
    throw new RecordError('FrappeTypeError', 'The argument old_password is missing: send the password that is to go.')
  }
  const change = await changePassword(call, visitOf(call), session, { oldPassword, password })
  if ('session' in change) return change
  if ('retryAfterSeconds' in change) throw paused(change.retryAfterSeconds)
  throw new RecordError('AuthenticationError', refusedLogIn.wrongOldPassword)
}

function visitOf(call: SessionCall) {
  return { tenant: requireCaller(call).tenant, requestId: call.requestId, address: call.address, agent: call.agent }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
