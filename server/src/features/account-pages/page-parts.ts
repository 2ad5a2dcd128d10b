import { type AccountError, type PageContext, renderLogInPage } from '@matricula/pages'
import { Problem } from '../../errors/index.ts'
import { requireSameOrigin } from '../../http/pages/public/index.ts'
import { listIssuers } from '../../identity/identity-providers/index.ts'
import { type Entry, isCsrfToken } from '../../identity/users/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { getHomePage, type PageCall, type PageResponse, rejectedLogIn, stepCookie } from '../../resource-api/index.ts'

/** The path of a page beside another one. */
export function beside(path: string, page: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + page
}

/** A page beside this one, in the language that was chosen. */
export function goTo({ isLocaleChosen, locale }: PageContext, page: string, query?: string): string {
  const parts = [...(query === undefined ? [] : [query]), ...(isLocaleChosen ? [`lang=${locale}`] : [])]
  return `.${page}${parts.length === 0 ? '' : `?${parts.join('&')}`}`
}

export function getInstitution({ identification }: PageCall): string {
  return identification.tenant?.name ?? ''
}

export function isSending({ request }: PageCall): boolean {
  return request.method === 'POST'
}

/** Refuses what does not bring the token of the session, or of the step to one: another site has no way to know it. */
export function requireToken(
  { identification, args }: PageCall,
  holder: { readonly csrfToken: string } | null = identification.session,
): void {
  if (holder === null || !isCsrfToken(holder, args.csrf_token)) {
    throw new RecordError('CSRFTokenError', 'Invalid Request')
  }
}

/** Does what was sent; a refusal of it becomes the page again with its reason. */
export async function orError(
  call: PageCall,
  shown: (validationError: AccountError) => string,
  work: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    requireSameOrigin(call.request, call.publicUrl)
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.extra.rule === 'same_origin') {
      return { status: 403, html: shown({ kind: 'otherSite' }) }
    }
    const validationError = error instanceof RecordError || error instanceof Problem ? findError(error) : null
    if (validationError === null) throw error
    const { status, headers } = error as RecordError | Problem
    return { status, headers, html: shown(validationError) }
  }
}

function findError(error: RecordError | Problem): AccountError | null {
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

/** The log-in page with what went wrong on another page; who forgot the password is asked for the address. */
export async function renderLogInAgain(
  call: PageCall,
  context: PageContext,
  validationError: AccountError,
  goesTo: string | null = null,
): Promise<string> {
  const here = { ...context, path: beside(context.path, 'login') }
  return renderLogInPage({
    place: goesTo === null ? here : { ...here, query: `redirect-to=${encodeURIComponent(goesTo)}` },
    institution: getInstitution(call),
    user: '',
    fault: validationError,
    isForgotten: validationError.kind === 'linkOver',
    linkSentFor: null,
    sendsMail: call.sendsMail,
    goesTo,
    issuers: await issuersOf(call, context, goesTo),
    passkeyAddress: passkeyAddress(context, goesTo),
  })
}

/** What an address says of where somebody goes on to; nothing for where everybody goes. */
export function redirection(goesTo: string | null): string | undefined {
  return goesTo === null ? undefined : `redirect-to=${encodeURIComponent(goesTo)}`
}

/** Lets somebody in, or leads them to the page that asks for what is still needed; whoever is let in has left the steps behind. */
export function enter(
  call: PageCall,
  context: PageContext,
  entry: Entry,
  goesTo: string | null,
): PageResponse & { goTo: string } {
  if ('session' in entry) {
    const home = goesTo ?? goTo(context, getHomePage(entry.session, call))
    return { session: entry.session, goTo: home, cookies: { [stepCookie]: null } }
  }
  const { secret, asks } = entry.step
  const page = asks === 'code' ? '/login-code' : '/login-factor'
  return { cookies: { [stepCookie]: secret }, goTo: goTo(context, page, redirection(goesTo)) }
}

/** The address of the institution as this visitor's browser reaches it, with which its addresses for others begin. */
export function reachedAddress({ request, root, publicUrl }: PageCall): string {
  const { protocol, host } = request
  const isPublic = URL.canParse(publicUrl) && new URL(publicUrl).host === host
  return `${isPublic ? publicUrl : `${protocol}://${host}`}${root}`
}

/** Where one logs in with a passkey, beside the log-in page. */
export function passkeyAddress(context: PageContext, goesTo: string | null): string {
  return goTo(context, '/login-passkey', redirection(goesTo))
}

/** The issuers with whose accounts one can log in, with the addresses where that begins, beside the page. */
export async function issuersOf(
  { database, identification }: PageCall,
  { isLocaleChosen, locale }: PageContext,
  goesTo: string | null,
): Promise<{ name: string; address: string }[]> {
  if (identification.tenant === null) return []
  const known = await listIssuers(database, identification.tenant.id)
  return known.map(({ key, name }) => {
    const query = new URLSearchParams({
      issuer: key,
      ...(goesTo !== null && { 'redirect-to': goesTo }),
      ...(isLocaleChosen && { lang: locale }),
    })
    return { name, address: `./login-with?${query}` }
  })
}
