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
import { issuerPage, issuerReturnPage, type SignInPlatform } from './issuer-pages.ts'
import { ownAddress } from './own-address.ts'
import {
  completeLogIn,
  getInstitution,
  getPasskeyAddress,
  goTo,
  isPost,
  listIssuerLinks,
  renderLogInError,
  requireToken,
  siblingPath,
  withErrors,
} from './page-parts.ts'
import { passkeyPage, passkeySetUpPage } from './passkey-pages.ts'
import { signInPage } from './sign-in-page.ts'

/**
 * The pages to log in, to set a password, and of the own account, at upstream's addresses; that of the desk redirects
 * to the console. A form posted from another site is rejected.
 */
export function accountPages(platform: SignInPlatform): TenantPages {
  const pages: ReadonlyMap<string, Page> = new Map([
    ['login', logInPage],
    ['login-with', issuerPage(platform)],
    ['login-back', issuerReturnPage(platform)],
    ['login-code', codePage],
    ['login-factor', factorPage],
    ['login-passkey', passkeyPage],
    ['sign-in-code', codeSetUpPage],
    ['sign-in-passkey', passkeySetUpPage],
    ['update-password', passwordPage],
    ['me', accountPage],
    ['sign-in', signInPage],
    ['app', staffPage],
  ])
  return {
    paths: [...pages.keys()].map((name) => `/${name}`),
    at: ([name, ...below]) => (below.length === 0 ? (pages.get(name ?? '') ?? null) : null),
  }
}

async function logInPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, args, sendsMail } = call
  const typed = typeof args.usr === 'string' ? args.usr : typeof args.user === 'string' ? args.user : ''
  const redirectTo = ownAddress(args['redirect-to'], call)
  const pageContext =
    redirectTo === null ? context : { ...context, query: `redirect-to=${encodeURIComponent(redirectTo)}` }
  const issuers = await listIssuerLinks(call, context, redirectTo)
  const render = (
    validationError: AccountError | null,
    linkSentFor: number | null = null,
    isForgotten = validationError?.kind === 'linkOver',
  ) =>
    renderLogInPage({
      place: pageContext,
      institution: getInstitution(call),
      user: typed,
      fault: validationError,
      isForgotten,
      linkSentFor,
      sendsMail,
      goesTo: redirectTo,
      issuers,
      passkeyAddress: getPasskeyAddress(context, redirectTo),
    })
  const home = (session: Pick<NewSession, 'userType' | 'roles'>) =>
    redirectTo ?? goTo(context, getHomePage(session, call))
  if (!isPost(call)) {
    return identification.session === null ? { html: render(null) } : { goTo: home(identification.session) }
  }
  return withErrors(call, render, async () => {
    if (args.forgot !== undefined) return { html: render(null, null, true) }
    if (args.usr === undefined && args.user !== undefined) {
      await resetPassword(call, context.locale)
      return { html: render(null, sendsMail ? resetMinutes : null) }
    }
    const entry = await logInByPassword(call)
    return completeLogIn(call, context, entry, redirectTo)
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
    const render = kind === 'wait' ? { kind, seconds: Number(headers['retry-after']) } : { kind }
    return { status, headers, html: await renderLogInError(call, context, render) }
  }
  const render = (validationError: AccountError | null) =>
    renderPasswordPage({
      place: key === null ? context : { ...context, query: `key=${encodeURIComponent(key)}` },
      institution: getInstitution(call),
      by,
      length: passwordLength,
      fault: validationError,
    })
  if (!isPost(call)) return { html: render(null) }
  return withErrors(call, render, async () => {
    if (key === null) requireToken(call)
    const { new_password: password, again } = args
    const { minimum, maximum } = passwordLength
    const length = typeof password === 'string' ? [...password].length : 0
    if (length < minimum || length > maximum) {
      return { status: 417, html: render({ kind: 'length', minimum, maximum }) }
    }
    if (password !== again) return { status: 417, html: render({ kind: 'different' }) }
    const entry = await updatePassword(call)
    if ('step' in entry) return completeLogIn(call, context, entry, null)
    return { session: entry.session, goTo: goTo(context, '/me', 'set=1') }
  })
}

/** The error of the key of a mailed link: invalid, or too many attempts; null for a valid key. */
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

/** Staff use the console, which has its own log-in; others have their own page. */
async function staffPage(call: PageCall, context: PageContext): Promise<PageResponse> {
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
    passwordPath: siblingPath(context.path, 'update-password'),
    signInPath: siblingPath(context.path, 'sign-in'),
  })
  if (!isPost(call)) return { html }
  return withErrors(
    call,
    () => html,
    async () => {
      requireToken(call)
      await logOut(call)
      return { session: 'guest', goTo: goTo(context, '/login') }
    },
  )
}
