import type { NewSession } from '../../identity/users/index.ts'
import type { Caller } from '../../record-engine/index.ts'
import { hasOnlyPersonalRoles, RecordError } from '../../record-engine/index.ts'
import type { SessionCall } from '../protocol/call.ts'

/** The caller. Throws `AuthenticationError` at an address without an institution. */
export function requireCaller({ identification }: SessionCall): Caller {
  if (identification.caller !== null) return identification.caller
  const text = 'Log in at the address of your institution: its own host name, or /t/ and its short name.'
  throw new RecordError('AuthenticationError', text)
}

/**
 * The home page after a log-in, below the address of the institution: the desk for staff, `personalHome` for students
 * and guardians, the own page for others.
 */
export function getHomePage(
  { userType, roles }: Pick<NewSession, 'userType' | 'roles'>,
  { personalHome }: Pick<SessionCall, 'personalHome'>,
): string {
  if (userType === 'System User') return '/app'
  const isPersonal = roles.length > 0 && hasOnlyPersonalRoles({ kind: 'user', roles: new Set(roles) })
  return (isPersonal ? personalHome : null) ?? '/me'
}

/** The error after too many failures. */
export function paused(seconds: number): RecordError {
  return new RecordError('SecurityException', `Too many attempts failed. Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** The errors of log-ins and password changes; pages have translations. */
export const rejectedLogIn = {
  disabled: 'User disabled or missing',
  wrong: 'Invalid login credentials',
  wrongCode: 'Incorrect Verification code',
  over: 'Login session expired, refresh page to retry',
  lacking:
    'Your institution asks people with your role for more than a password. Log in once in a browser, at its address with /login at the end: there you are shown how.',
  wrongOldPassword: 'Incorrect User or Password',
} as const
