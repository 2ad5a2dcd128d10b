import { type AccountError, type PageContext, renderLogInPage } from '@matricula/pages'
import { Problem } from '../../errors/index.ts'
import { comesFromOtherSite } from '../../http/index.ts'
import { listIssuers } from '../../identity/identity-providers/index.ts'
import { type Entry, isCsrfToken } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { getHomePage, type PageCall, type PageResponse, rejectedLogIn, stepCookie } from '../../resource-api/index.ts'

/** The path of a sibling page. */
export function siblingPath(path: string, page: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + page
}

/** A relative address of a sibling page, in the chosen language. */
export function goTo({ isLocaleChosen, locale }: PageContext, page: string, query?: string): string {
  const parts = [...(query === undefined ? [] : [query]), ...(isLocaleChosen ? [`lang=${locale}`] : [])]
  return `.${page}${parts.length === 0 ? '' : `?${parts.join('&')}`}`
}

export function getInstitution({ identification }: PageCall): string {
  return identification.tenant?.name ?? ''
}

export function isPost({ request }: PageCall): boolean {
  return request.method === 'POST'
}

/** Throws `CSRFTokenError` without the CSRF token of the session or of the log-in step. */
export function requireToken(
  { identification, args }: PageCall,
  holder: { readonly csrfToken: string } | null = identification.session,
): void {
  if (holder === null || !isCsrfToken(holder, args.csrf_token)) {
    throw new RecordError('CSRFTokenError', 'Invalid Request')
  }
}

/** Runs the action of a form, unless the page of another site sent it. An error becomes the page with its reason. */
export async function withErrors(
  call: PageCall,
  render: (validationError: AccountError) => string,
  work: () => Promise<PageResponse>,
): Promise<PageResponse> {
  if (comesFromOtherSite(call.request, call)) return { status: 403, html: render({ kind: 'otherSite' }) }
  try {
    return await work()
  } catch (error) {
    const validationError = error instanceof RecordError || error instanceof Problem ? toAccountError(error) : null
    if (validationError === null) throw error
    const { status, headers } = error as RecordError | Problem
    return { status, headers, html: render(validationError) }
  }
}

function toAccountError(error: RecordError | Problem): AccountError | null {
  const { status, message, headers } = error
  const seconds = Number(headers['retry-after'] ?? 0)
  if (seconds > 0) return { kind: status === 503 ? 'busy' : 'wait', seconds }
  switch (error instanceof RecordError ? error.type : null) {
    case 'AuthenticationError':
      if (message === rejectedLogIn.disabled) return { kind: 'disabled' }
      if (message === rejectedLogIn.wrongCode) return { kind: 'wrongCode' }
      if (message === rejectedLogIn.over) return { kind: 'issuer', reason: 'over' }
      return { kind: message === rejectedLogIn.wrongOldPassword ? 'wrongOldPassword' : 'wrong' }
    case 'LinkExpired':
      return { kind: 'linkOver' }
    case 'CSRFTokenError':
      return { kind: 'otherSite' }
    default:
      return null
  }
}

/** The log-in page with the error of another page; after an expired link it asks for the e-mail address. */
export async function renderLogInError(
  call: PageCall,
  context: PageContext,
  validationError: AccountError,
  redirectTo: string | null = null,
): Promise<string> {
  const here = { ...context, path: siblingPath(context.path, 'login') }
  return renderLogInPage({
    place: redirectTo === null ? here : { ...here, query: `redirect-to=${encodeURIComponent(redirectTo)}` },
    institution: getInstitution(call),
    user: '',
    fault: validationError,
    isForgotten: validationError.kind === 'linkOver',
    linkSentFor: null,
    sendsMail: call.sendsMail,
    goesTo: redirectTo,
    issuers: await listIssuerLinks(call, context, redirectTo),
    passkeyAddress: getPasskeyAddress(context, redirectTo),
  })
}

/** The query that carries a redirect address; undefined for the default page. */
export function toRedirectQuery(redirectTo: string | null): string | undefined {
  return redirectTo === null ? undefined : `redirect-to=${encodeURIComponent(redirectTo)}`
}

/** Completes a log-in, or redirects to the page of the next factor. A complete log-in clears the step cookie. */
export function completeLogIn(
  call: PageCall,
  context: PageContext,
  entry: Entry,
  redirectTo: string | null,
): PageResponse & { goTo: string } {
  if ('session' in entry) {
    const home = redirectTo ?? goTo(context, getHomePage(entry.session, call))
    return { session: entry.session, goTo: home, cookies: { [stepCookie]: null } }
  }
  const { secret, asks } = entry.step
  const page = asks === 'code' ? '/login-code' : '/login-factor'
  return { cookies: { [stepCookie]: secret }, goTo: goTo(context, page, toRedirectQuery(redirectTo)) }
}

/** The address of the institution as this browser reaches it, the prefix of absolute addresses. */
export function getReachedAddress({ request, root, publicUrl }: PageCall): string {
  const { protocol, host } = request
  const isPublic = URL.canParse(publicUrl) && new URL(publicUrl).host === host
  return `${isPublic ? publicUrl : `${protocol}://${host}`}${root}`
}

/** The address of the passkey page. */
export function getPasskeyAddress(context: PageContext, redirectTo: string | null): string {
  return goTo(context, '/login-passkey', toRedirectQuery(redirectTo))
}

/** The identity providers of the institution, with the addresses to log in by them. */
export async function listIssuerLinks(
  { database, identification }: PageCall,
  { isLocaleChosen, locale }: PageContext,
  redirectTo: string | null,
): Promise<{ name: string; address: string }[]> {
  if (identification.tenant === null) return []
  const known = await listIssuers(database, identification.tenant.id)
  return known.map(({ key, name }) => {
    const query = new URLSearchParams({
      issuer: key,
      ...(redirectTo !== null && { 'redirect-to': redirectTo }),
      ...(isLocaleChosen && { lang: locale }),
    })
    return { name, address: `./login-with?${query}` }
  })
}
