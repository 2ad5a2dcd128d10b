import {
  type AccountFault,
  type PagePlace,
  renderCodePage,
  renderCodeSetUpPage,
  renderRecoveryCodes,
} from '@matricula/pages'
import { encode } from 'uqr'
import { SealError, type SecretSeal } from '../../platform/sealed-secrets.ts'
import { codeAddress, type LogInStep, newCodeSecret, setUpCodes } from '../../platform/users/index.ts'
import { homePageOf, logInByCode, type PageAnswer, type PageCall } from '../../records/index.ts'
import { ownAddress } from './own-address.ts'
import { beside, goTo, institutionOf, isSending, orFault, requireToken } from './page-parts.ts'

/** The cookie of a log-in of whom a code is still asked. */
const cookieName = 'log_in_step'

/** Leads somebody whose password was right to the page that asks for a code. */
export function askForCode(place: PagePlace, { secret }: LogInStep, goesTo: string | null): PageAnswer {
  const query = goesTo === null ? undefined : `redirect-to=${encodeURIComponent(goesTo)}`
  return { cookies: { [cookieName]: secret }, goTo: goTo(place, '/login-code', query) }
}

/** The page that asks for a code after the password. */
export async function codePage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const secret = call.request.cookies[cookieName]
  const goesTo = ownAddress(call.args['redirect-to'], call)
  const query = goesTo === null ? undefined : `redirect-to=${encodeURIComponent(goesTo)}`
  if (secret === undefined || secret === '') return { goTo: goTo(place, '/login', query) }
  const here = query === undefined ? place : { ...place, query }
  const shown = (fault: AccountFault | null) =>
    renderCodePage({ place: here, institution: institutionOf(call), fault, goesTo })
  if (!isSending(call)) return { html: shown(null) }
  return orFault(call, shown, async () => {
    const { code } = call.args
    const session = await logInByCode(call, secret, typeof code === 'string' ? code.slice(0, 100) : '')
    return { session, cookies: { [cookieName]: null }, goTo: goesTo ?? goTo(place, homePageOf(session, call)) }
  })
}

/** The page on which somebody sets up one-time codes. The secret comes back sealed with the form, so that nothing is kept until it is used. */
export async function codeSetUpPage(call: PageCall, place: PagePlace): Promise<PageAnswer> {
  const { identification, seal, args, requestId, address } = call
  const { session, tenant } = identification
  if (session === null || tenant === null || !session.isFresh) return { goTo: goTo(place, '/sign-in') }
  const purpose = `setting up one-time codes ${tenant.id} ${session.sessionId}`
  const secret = (isSending(call) ? opened(seal, purpose, args.sealed) : null) ?? newCodeSecret()
  const institution = institutionOf(call)
  const shown = (fault: AccountFault | null) =>
    renderCodeSetUpPage({
      ...{ place, institution, fault, secret, csrfToken: session.csrfToken, sealed: seal.seal(secret, purpose) },
      picture: encode(codeAddress(secret, session.name, institution), { border: 0 }).data,
    })
  if (!isSending(call)) return { html: shown(null) }
  return orFault(call, shown, async () => {
    requireToken(call)
    const typed = typeof args.code === 'string' ? args.code.slice(0, 100) : ''
    const actor = { type: 'user', id: session.userId, name: session.name } as const
    const codes = await call.database.transaction(tenant.id, (tx) =>
      setUpCodes(tx, { tenant, actor, requestId, address }, seal, { userId: session.userId, secret, typed }),
    )
    if (codes === null) return { status: 417, html: shown({ kind: 'wrongCode' }) }
    const nextPath = beside(place.path, 'sign-in')
    return { html: renderRecoveryCodes({ place, institution, fault: null, codes, nextPath }) }
  })
}

/** The secret that a form brings back, or null where it is none of this session's. */
function opened(seal: SecretSeal, purpose: string, sealed: unknown): string | null {
  if (typeof sealed !== 'string') return null
  try {
    return seal.open(sealed, purpose)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
