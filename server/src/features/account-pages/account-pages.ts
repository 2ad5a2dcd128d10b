import {
  type AccountFault,
  type PagePlace,
  renderAccountPage,
  renderLogInPage,
  renderPasswordPage,
} from '@matricula/pages'
import { requireSameOrigin } from '../../http/public-pages/index.ts'
import { Problem } from '../../platform/problem.ts'
import { isCsrfToken, isResetKey, type NewSession, passwordLength, resetMinutes } from '../../platform/users/index.ts'
import {
  homePageOf,
  logInByPassword,
  logOut,
  type Page,
  type PageAnswer,
  type PageCall,
  RecordError,
  refusedLogIn,
  resetPassword,
  type TenantPages,
  updatePassword,
} from '../../records/index.ts'
import { ownAddress } from './own-address.ts'

/** The pages by their addresses at a tenant, which are upstream's; that of the desk leads to the console. */
const pages: ReadonlyMap<string, Page> = new Map([
  ['login', logInPage],
  ['update-password', passwordPage],
  ['me', accountPage],
  ['app', deskPage],
])

/**
 * The pages to log in, to set a password, and of one's own account. What is sent to one must come from it: a form of another
 * site is refused.
 */
export const accountPages: TenantPages = {
  paths: [...pages.keys()].map((name) => `/${name}`),
  at: ([name, ...below]) => (below.length === 0 ? (pages.get(name ?? '') ?? null) : null),
}

async function logInPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { identification, args, sendsMail } = call
  const typed = typeof args.usr === 'string' ? args.usr : typeof args.user === 'string' ? args.user : ''
  const asked = ownAddress(args['redirect-to'], call)
  const kept = asked === null ? place : { ...place, query: `redirect-to=${encodeURIComponent(asked)}` }
  const shown = (
    fault: AccountFault | null,
    linkSentFor: number | null = null,
    isForgotten = fault?.kind === 'linkOver',
  ) =>
    renderLogInPage({
      place: kept,
      institution: institutionOf(call),
      user: typed,
      fault,
      isForgotten,
      linkSentFor,
      sendsMail,
      goesTo: asked,
    })
  const home = (session: Pick<NewSession, 'userType' | 'roles'>) => asked ?? goTo(place, homePageOf(session, call))
  if (!isSending(call)) {
    return identification.session === null ? { html: shown(null) } : { goTo: home(identification.session) }
  }
  return orFault(call, shown, async () => {
    if (args.forgot !== undefined) return { html: shown(null, null, true) }
    if (args.usr === undefined && args.user !== undefined) {
      await resetPassword(call, place.locale).catch((error: unknown) => {
        // The page does not tell who there is: whoever types an address here may be anybody.
        if (!(error instanceof RecordError) || error.type !== 'RateLimitExceededError') throw error
      })
      return { html: shown(null, sendsMail ? resetMinutes : null) }
    }
    const session = await logInByPassword(call)
    return { session, goTo: home(session) }
  })
}

async function passwordPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { identification, args, database } = call
  const key = typeof args.key === 'string' && args.key !== '' ? args.key : null
  const { session, tenant } = identification
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
  const view = {
    place: here,
    institution: institutionOf(call),
    user: '',
    isForgotten: true,
    linkSentFor: null,
    sendsMail,
    goesTo: null,
  }
  return { status: 410, html: renderLogInPage({ ...view, fault: { kind: 'linkOver' } }) }
}

/** Staff work in the console, which asks them to log in by itself; others have their own page. */
async function deskPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { session } = call.identification
  if (session === null || session.userType === 'System User') return { goTo: `${call.root}/console/` }
  return accountPage(call, place)
}

async function accountPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { session } = call.identification
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

function institutionOf({ identification }: PageCall): string {
  return identification.tenant?.name ?? ''
}

function isSending({ request }: PageCall): boolean {
  return request.method === 'POST'
}

/** Refuses what does not bring the token of the session: another site has no way to know it. */
function requireToken({ identification, args }: PageCall): void {
  const { session } = identification
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
