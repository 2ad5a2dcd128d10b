import {
  type AccountError,
  type PageContext,
  renderAccountPage,
  renderLogInPage,
  renderPasswordPage,
} from '@matricula/pages'
import { type NewSession, passwordLength, resetMinutes } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import {
  getHomePage,
  logInByPassword,
  logOut,
  type Page,
  type PageCall,
  type PageResponse,
  requireResetKey,
  resetPassword,
  type TenantPages,
  updatePassword,
} from '../../resource-api/index.ts'
import { codePage, codeSetUpPage } from './code-pages.ts'
import { factorPage } from './factor-page.ts'
import { backPage, issuerPage, type SignInPlatform } from './issuer-pages.ts'
import { ownAddress } from './own-address.ts'
import {
  beside,
  enter,
  getInstitution,
  goTo,
  isSending,
  issuersOf,
  orError,
  passkeyAddress,
  renderLogInAgain,
  requireToken,
} from './page-parts.ts'
import { passkeyPage, passkeySetUpPage } from './passkey-pages.ts'
import { signInPage } from './sign-in-page.ts'

/**
 * The pages to log in, to set a password, and of one's own account, at upstream's addresses; that of the desk leads to the console.
 * What is sent to one must come from it: a form of another site is refused.
 */
export function accountPages(platform: SignInPlatform): TenantPages {
  const pages: ReadonlyMap<string, Page> = new Map([
    ['login', logInPage],
    ['login-with', issuerPage(platform)],
    ['login-back', backPage(platform)],
    ['login-code', codePage],
    ['login-factor', factorPage],
    ['login-passkey', passkeyPage],
    ['sign-in-code', codeSetUpPage],
    ['sign-in-passkey', passkeySetUpPage],
    ['update-password', passwordPage],
    ['me', accountPage],
    ['sign-in', signInPage],
    ['app', deskPage],
  ])
  return {
    paths: [...pages.keys()].map((name) => `/${name}`),
    at: ([name, ...below]) => (below.length === 0 ? (pages.get(name ?? '') ?? null) : null),
  }
}

async function logInPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, args, sendsMail } = call
  const typed = typeof args.usr === 'string' ? args.usr : typeof args.user === 'string' ? args.user : ''
  const asked = ownAddress(args['redirect-to'], call)
  const stored = asked === null ? context : { ...context, query: `redirect-to=${encodeURIComponent(asked)}` }
  const issuers = await issuersOf(call, context, asked)
  const shown = (
    validationError: AccountError | null,
    linkSentFor: number | null = null,
    isForgotten = validationError?.kind === 'linkOver',
  ) =>
    renderLogInPage({
      place: stored,
      institution: getInstitution(call),
      user: typed,
      fault: validationError,
      isForgotten,
      linkSentFor,
      sendsMail,
      goesTo: asked,
      issuers,
      passkeyAddress: passkeyAddress(context, asked),
    })
  const home = (session: Pick<NewSession, 'userType' | 'roles'>) => asked ?? goTo(context, getHomePage(session, call))
  if (!isSending(call)) {
    return identification.session === null ? { html: shown(null) } : { goTo: home(identification.session) }
  }
  return orError(call, shown, async () => {
    if (args.forgot !== undefined) return { html: shown(null, null, true) }
    if (args.usr === undefined && args.user !== undefined) {
      await resetPassword(call, context.locale)
      return { html: shown(null, sendsMail ? resetMinutes : null) }
    }
    const entry = await logInByPassword(call)
    return enter(call, context, entry, asked)
  })
}

async function passwordPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, args } = call
  const key = typeof args.key === 'string' && args.key !== '' ? args.key : null
  const { session, tenant } = identification
  const by = key !== null ? { key } : session !== null ? { csrfToken: session.csrfToken } : null
  if (by === null || tenant === null) return { goTo: goTo(context, '/login') }
  const validationError = key === null ? null : await keyError(call, key)
  if (validationError !== null) {
    const { status, headers, kind } = validationError
    const shown = kind === 'wait' ? { kind, seconds: Number(headers['retry-after']) } : { kind }
    return { status, headers, html: await renderLogInAgain(call, context, shown) }
  }
  const shown = (validationError: AccountError | null) =>
    renderPasswordPage({
      place: key === null ? context : { ...context, query: `key=${encodeURIComponent(key)}` },
      institution: getInstitution(call),
      by,
      length: passwordLength,
      fault: validationError,
    })
  if (!isSending(call)) return { html: shown(null) }
  return orError(call, shown, async () => {
    if (key === null) requireToken(call)
    const { new_password: password, again } = args
    const { minimum, maximum } = passwordLength
    const length = typeof password === 'string' ? [...password].length : 0
    if (length < minimum || length > maximum) {
      return { status: 417, html: shown({ kind: 'length', minimum, maximum }) }
    }
    if (password !== again) return { status: 417, html: shown({ kind: 'different' }) }
    const entry = await updatePassword(call)
    if ('step' in entry) return enter(call, context, entry, null)
    return { session: entry.session, goTo: goTo(context, '/me', 'set=1') }
  })
}

/** What is wrong with the key of a mailed link: it opens nothing, or too many did not; null where it opens. */
async function keyError(call: PageCall, key: string) {
  try {
    await requireResetKey(call, key)
    return null
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    const { status, headers } = error
    return { status, headers, kind: error.type === 'LinkExpired' ? 'linkOver' : 'wait' } as const
  }
}

/** Staff work in the console, which asks them to log in by itself; others have their own page. */
async function deskPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { session } = call.identification
  if (session === null || session.userType === 'System User') return { goTo: `${call.root}/console/` }
  return accountPage(call, context)
}

async function accountPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { session } = call.identification
  if (session === null) return { goTo: goTo(context, '/login') }
  const { fullName, name, csrfToken } = session
  const html = renderAccountPage({
    place: context,
    institution: getInstitution(call),
    fullName,
    user: name,
    csrfToken,
    isPasswordSet: call.args.set === '1',
    passwordPath: beside(context.path, 'update-password'),
    signInPath: beside(context.path, 'sign-in'),
  })
  if (!isSending(call)) return { html }
  return orError(
    call,
    () => html,
    async () => {
      requireToken(call)
      await logOut(call)
      return { session: 'guest', goTo: goTo(context, '/login') }
    },
  )
}
