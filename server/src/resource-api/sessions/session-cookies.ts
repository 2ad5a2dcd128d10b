import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { type NewSession, sessionSeconds } from '../../identity/users/index.ts'
import { guestName } from './identity-lookup.ts'

/** Where the cookies of a tenant's address go: two tenants under one host name keep theirs apart by the path. */
export interface CookieLocation {
  readonly path: string
  readonly secure: boolean
}

const names = ['sid', 'system_user', 'full_name', 'user_id', 'user_image'] as const

/**
 * Tells the browser who is logged in now; that nobody is, only where it sent a session. Only the session's secret is hidden from
 * scripts.
 */
export function setSessionCookies(reply: FastifyReply, location: CookieLocation, session: NewSession | 'guest'): void {
  const isGuest = session === 'guest'
  if (isGuest && !sendsSession(reply)) return
  const values = isGuest
    ? { sid: guestName, system_user: 'no', full_name: guestName, user_id: guestName, user_image: '' }
    : {
        sid: session.secret,
        system_user: session.userType === 'System User' ? 'yes' : 'no',
        full_name: session.fullName,
        user_id: session.name,
        user_image: session.image ?? '',
      }
  for (const name of names) {
    reply.setCookie(name, values[name], {
      ...location,
      sameSite: 'lax',
      httpOnly: name === 'sid',
      ...(!isGuest && { maxAge: sessionSeconds }),
    })
  }
}

/** The cookie of a log-in of whom a code is still asked. */
export const stepCookie = 'log_in_step'

/** How long a step of a log-in may take, in seconds. */
const stepSeconds = 600

/** Lets the browser keep what a step of a log-in needs until it is over, or forget it. Scripts do not see it. */
export function setStepCookie(reply: FastifyReply, location: CookieLocation, name: string, value: string | null): void {
  const options = { ...location, sameSite: 'lax', httpOnly: true } as const
  if (value === null) {
    if (reply.request.cookies[name] !== undefined) reply.clearCookie(name, options)
  } else reply.setCookie(name, value, { ...options, maxAge: stepSeconds })
}

/** Lets the browser forget who was logged in, where it sent a session. */
export function clearSessionCookies(reply: FastifyReply, location: CookieLocation): void {
  if (!sendsSession(reply)) return
  for (const name of names) reply.clearCookie(name, { ...location, sameSite: 'lax', httpOnly: name === 'sid' })
}

function sendsSession({ request: { cookies } }: FastifyReply): boolean {
  return [cookies.sid, cookies.user_id].some((value) => value !== undefined && value !== guestName)
}
