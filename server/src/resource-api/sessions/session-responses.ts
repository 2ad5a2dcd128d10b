import type { NewSession } from '../../identity/users/index.ts'
import type { Caller } from '../../record-engine/index.ts'
import { hasOnlyPersonalRoles, RecordError } from '../../record-engine/index.ts'
import type { SessionCall } from '../protocol/call.ts'

/** Who calls. Throws `AuthenticationError` at an address that names no institution. */
export function requireCaller({ identification }: SessionCall): Caller {
  if (identification.caller !== null) return identification.caller
  const text = 'Log in at the address of your institution: its own host name, or /t/ and its short name.'
  throw new RecordError('AuthenticationError', text)
}

/**
 * Where somebody goes after a log-in, below the address of the institution: staff have the desk, students and guardians what is
 * served for them (`personalHome`), others their own page.
 */
export function getHomePage(
  { userType, roles }: Pick<NewSession, 'userType' | 'roles'>,
  { personalHome }: Pick<SessionCall, 'personalHome'>,
): string {
  if (userType === 'System User') return '/app'
  const isPersonal = roles.length > 0 && hasOnlyPersonalRoles({ kind: 'user', roles: new Set(roles) })
  return (isPersonal ? personalHome : null) ?? '/me'
}

/** The refusal of what has to wait after too many failures. */
export function paused(seconds: number): RecordError {
  return new RecordError('SecurityException', `Too many attempts failed. Wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** What a log-in, or a change of the password, is refused with; pages say the same in the visitor's language. */
export const rejectedLogIn = {
  disabled: 'User disabled or missing',
  wrong: 'Invalid login credentials',
  wrongCode: 'Incorrect Verification code',
  over: 'Login session expired, refresh page to retry',
  lacking:
    'Your institution asks people with your role for more than a password. Log in once in a browser, at its address with /login at the end: there you are shown how.',
  wrongOldPassword: 'Incorrect User or Password',
} as const
