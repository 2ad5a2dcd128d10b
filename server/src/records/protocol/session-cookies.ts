import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { type NewSession, sessionSeconds } from '../../platform/users/index.ts'
import { guestName } from './identification.ts'

/** Where the cookies of a tenant's address go: two tenants under one host name keep theirs apart by the path. */
export interface CookiePlace {
  readonly path: string
  readonly secure: boolean
}

const names = ['sid', 'system_user', 'full_name', 'user_id', 'user_image'] as const

/** Tells the browser who is logged in now. Only the session's secret is hidden from scripts. */
export function setSessionCookies(reply: FastifyReply, place: CookiePlace, session: NewSession | 'guest'): void {
  const isGuest = session === 'guest'
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
      ...place,
      sameSite: 'lax',
      httpOnly: name === 'sid',
      ...(!isGuest && { maxAge: sessionSeconds }),
    })
  }
}

/** Lets the browser forget who was logged in. */
export function clearSessionCookies(reply: FastifyReply, place: CookiePlace): void {
  for (const name of names) reply.clearCookie(name, { ...place, sameSite: 'lax', httpOnly: name === 'sid' })
}
