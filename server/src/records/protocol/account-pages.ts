import {
  type AccountFault,
  type PagePlace,
  renderAccountPage,
  renderClosedPage,
  renderLogInPage,
  renderPasswordPage,
  wordsIn,
} from '@matricula/pages'
import type { FastifyRequest } from 'fastify'
import { requireSameOrigin, Visit } from '../../http/public-pages/index.ts'
import { Problem } from '../../platform/problem.ts'
import { isResetKey, type NewSession, passwordLength, resetMinutes } from '../../platform/users/index.ts'
import { RecordError } from '../record-error.ts'
import type { SessionCall } from './call.ts'
import { isCsrfToken } from './call-checks.ts'
import { resetPassword, updatePassword } from './password-methods.ts'
import { homePageOf, refusedLogIn } from './session-answers.ts'
import { logInByPassword, logOut } from './session-methods.ts'

/** A call of a page by somebody with a browser. */
export interface PageCall extends SessionCall {
  readonly request: FastifyRequest
  /** The folder of style and scripts from the root. */
  readonly assets: string
  readonly publicUrl: string
}

/** A page, or the page of the same tenant to go on to. */
export type PageAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly session?: NewSession | 'guest'
} & ({ readonly html: string } | { readonly goTo: string })

/** Answers a call of one page. */
export type Page = (call: PageCall, place: PagePlace) => Promise<PageAnswer>

/** The pages by their addresses at a tenant, which are upstream's. Staff have no desk of their own yet. */
const pages: ReadonlyMap<string, Page> = new Map([
  ['login', logInPage],
  ['update-password', passwordPage],
  ['me', accountPage],
  ['app', accountPage],
])

/** The addresses of the pages, from the root of a tenant. */
export const accountPaths: readonly string[] = [...pages.keys()].map((name) => `/${name}`)

/** The page at an address, or null. */
export function accountPageAt(segments: readonly string[]): Page | null {
  return segments.length === 1 ? (pages.get(segments[0] as string) ?? null) : null
}

/**
 * Answers a call of a page. What is sent to one must come from it: a form of another site is refused. Throws
 * `MethodNotAllowed`.
 */
export async function answerPage(page: Page, call: PageCall): Promise<PageAnswer> {
  const { request, admission } = call
  const path = (request.url.split('?')[0] as string).slice(1)
  const place = new Visit(request, call.assets).place(path)
  if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
    throw new RecordError('MethodNotAllowed', 'A page takes GET and POST.', { headers: { allow: 'GET, HEAD, POST' } })
  }
  if (admission.tenant === null) {
    const detail = wordsIn(place.locale).account.nowhere
    const closed = {
      place,
      reason: 'unknown',
      institution: null,
      contact: null,
      retryAfterSeconds: null,
      detail,
    } as const
    return { status: 404, html: renderClosedPage(closed) }
  }
  return page(call, place)
}

async function logInPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { admission, args, sendsMail } = call
  const typed = typeof args.usr === 'string' ? args.usr : typeof args.user === 'string' ? args.user : ''
  const shown = (fault: AccountFault | null, linkSentFor: number | null = null) =>
    renderLogInPage({ place, institution: institutionOf(call), user: typed, fault, linkSentFor, sendsMail })
  if (!isSending(call)) {
    return admission.session === null ? { html: shown(null) } : { goTo: goTo(place, homePageOf(admission.session)) }
  }
  return orFault(call, shown, async () => {
    if (args.usr === undefined && args.user !== undefined) {
      await resetPassword(call).catch((error: unknown) => {
        // The page does not tell who there is: whoever types an address here may be anybody.
        if (!(error instanceof RecordError) || error.type !== 'RateLimitExceededError') throw error
      })
      return { html: shown(null, sendsMail ? resetMinutes : null) }
    }
    const session = await logInByPassword(call)
    return { session, goTo: goTo(place, homePageOf(session)) }
  })
}

async function passwordPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { admission, args, database } = call
  const key = typeof args.key === 'string' && args.key !== '' ? args.key : null
  const { session, tenant } = admission
  const by = key !== null ? { key } : session !== null ? { csrfToken: session.csrfToken } : null
  if (by === null || tenant === null) return { goTo: goTo(place, '/login') }
  if (key !== null && !(await isResetKey(database, tenant.id, key))) return linkOver(call, place)
  const shown = (fault: AccountFault | null) =>
    renderPasswordPage({
      place: key === null ? place : { ...place, query: `key=${encodeURIComponent(key)}` },
      institution: institutionOf(call),
      by,
      length: passwordLength,
      fault,
    })
  if (!isSending(call)) return { html: shown(null) }
  return orFault(call, shown, async () => {
    if (key === null) requireToken(call)
    const { new_password: password, again } = args
    const { minimum, maximum } = passwordLength
    const length = typeof password === 'string' ? [...password].length : 0
    if (length < minimum || length > maximum) {
      return { status: 417, html: shown({ kind: 'length', minimum, maximum }) }
    }
    if (password !== again) return { status: 417, html: shown({ kind: 'different' }) }
    const session = await updatePassword(call)
    return { session, goTo: goTo(place, '/me', 'set=1') }
  })
}

/** A link that opens nothing any more leads to where another one is asked for. */
function linkOver(call: PageCall, place: PagePlace): PageAnswer {
  const { sendsMail } = call
  const here = { ...place, path: beside(place.path, 'login') }
  const view = { place: here, institution: institutionOf(call), user: '', linkSentFor: null, sendsMail }
  return { status: 410, html: renderLogInPage({ ...view, fault: { kind: 'linkOver' } }) }
}

async function accountPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { session } = call.admission
  if (session === null) return { goTo: goTo(place, '/login') }
  const { fullName, name, csrfToken } = session
  const html = renderAccountPage({
    place,
    institution: institutionOf(call),
    fullName,
    user: name,
    csrfToken,
    isPasswordSet: call.args.set === '1',
    passwordPath: beside(place.path, 'update-password'),
  })
  if (!isSending(call)) return { html }
  return orFault(
    call,
    () => html,
    async () => {
      requireToken(call)
      await logOut(call)
      return { session: 'guest', goTo: goTo(place, '/login') }
    },
  )
}

/** The path of a page beside another one. */
function beside(path: string, page: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + page
}

/** A page beside this one, in the language that was chosen. */
function goTo({ isLocaleChosen, locale }: PagePlace, page: string, query?: string): string {
  const parts = [...(query === undefined ? [] : [query]), ...(isLocaleChosen ? [`lang=${locale}`] : [])]
  return `.${page}${parts.length === 0 ? '' : `?${parts.join('&')}`}`
}

function institutionOf({ admission }: PageCall): string {
  return admission.tenant?.name ?? ''
}

function isSending({ request }: PageCall): boolean {
  return request.method === 'POST'
}

/** Refuses what does not bring the token of the session: another site has no way to know it. */
function requireToken({ admission, args }: PageCall): void {
  const { session } = admission
  if (session === null || !isCsrfToken(session, args.csrf_token)) {
    throw new RecordError('CSRFTokenError', 'Invalid Request')
  }
}

/** Does what was sent; a refusal of it becomes the page again with its reason. */
async function orFault(
  call: PageCall,
  shown: (fault: AccountFault) => string,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    requireSameOrigin(call.request, call.publicUrl)
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.extra.rule === 'same_origin') {
      return { status: 403, html: shown({ kind: 'otherSite' }) }
    }
    const fault = error instanceof RecordError || error instanceof Problem ? faultOf(error) : null
    if (fault === null) throw error
    const { status, headers } = error as RecordError | Problem
    return { status, headers, html: shown(fault) }
  }
}

function faultOf(error: RecordError | Problem): AccountFault | null {
  const { status, message, headers } = error
  const seconds = Number(headers['retry-after'] ?? 0)
  if (seconds > 0) return { kind: status === 503 ? 'busy' : 'wait', seconds }
  switch (error instanceof RecordError ? error.type : null) {
    case 'AuthenticationError':
      if (message === refusedLogIn.disabled) return { kind: 'disabled' }
      return { kind: message === refusedLogIn.wrongOldPassword ? 'wrongOldPassword' : 'wrong' }
    case 'LinkExpired':
      return { kind: 'linkOver' }
    case 'CSRFTokenError':
      return { kind: 'otherSite' }
    default:
      return null
  }
}
