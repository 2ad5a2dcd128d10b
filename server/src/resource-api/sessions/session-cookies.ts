import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { type NewSession, sessionSeconds } from '../../identity/users/index.ts'
import { guestName } from './identity-lookup.ts'

/** The cookie path of a tenant, which separates tenants under one host name. */
export interface CookieLocation {
  readonly path: string
  readonly secure: boolean
}

const names = ['sid', 'system_user', 'full_name', 'user_id', 'user_image'] as const

/**
 * Sets the cookies of the logged-in user; those of a guest only where the browser sent a session. Only the session's
 * secret is HttpOnly.
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

/** The cookie of a log-in that still needs a one-time code. */
export const stepCookie = 'log_in_step'

/** The maximum age of a log-in step, in seconds. */
const stepSeconds = 600

/** Sets or deletes the HttpOnly cookie of a log-in step. */
export function setStepCookie(reply: FastifyReply, location: CookieLocation, name: string, value: string | null): void {
  const options = { ...location, sameSite: 'lax', httpOnly: true } as const
  if (value === null) {
    if (reply.request.cookies[name] !== undefined) reply.clearCookie(name, options)
  } else reply.setCookie(name, value, { ...options, maxAge: stepSeconds })
}

/** Clears the session cookies, where the browser sent a session. */
export function clearSessionCookies(reply: FastifyReply, location: CookieLocation): void {
  if (!sendsSession(reply)) return
  for (const name of names) reply.clearCookie(name, { ...location, sameSite: 'lax', httpOnly: name === 'sid' })
}

function sendsSession({ request: { cookies } }: FastifyReply): boolean {
  return [cookies.sid, cookies.user_id].some((value) => value !== undefined && value !== guestName)
}
