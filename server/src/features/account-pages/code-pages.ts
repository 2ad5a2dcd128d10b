import {
  type AccountError,
  type PageContext,
  renderCodePage,
  renderCodeSetUpPage,
  renderRecoveryCodes,
} from '@matricula/pages'
import { encode } from 'uqr'
import { SealError, type SecretSeal } from '../../identity/index.ts'
import {
  codeAddress,
  endSessionsBy,
  findCodes,
  isCodeOf,
  mayChangeCodes,
  newCodeSecret,
  setUpCodes,
} from '../../identity/users/index.ts'
import { logInByCode, type PageCall, type PageResponse, paused, stepCookie } from '../../resource-api/index.ts'
import { ownAddress } from './own-address.ts'
import { completeLogIn, getInstitution, goTo, isPost, requireToken, toRedirectQuery, withErrors } from './page-parts.ts'
import { findSetUp, setUpFactor } from './set-up.ts'

/** The page to enter a one-time code after the password. */
export async function codePage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const secret = call.request.cookies[stepCookie]
  const redirectTo = ownAddress(call.args['redirect-to'], call)
  const query = toRedirectQuery(redirectTo)
  if (secret === undefined || secret === '') return { goTo: goTo(context, '/login', query) }
  const here = query === undefined ? context : { ...context, query }
  const render = (validationError: AccountError | null) =>
    renderCodePage({ place: here, institution: getInstitution(call), fault: validationError, goesTo: redirectTo })
  if (!isPost(call)) return { html: render(null) }
  return withErrors(call, render, async () => {
    const { code } = call.args
    const entry = await logInByCode(call, secret, typeof code === 'string' ? code.slice(0, 100) : '')
    return completeLogIn(call, context, entry, redirectTo)
  })
}

/** The result of setting up codes: the new recovery codes, or a wrong code, or a required wait. */
type CodesSetUp =
  | { readonly codes: readonly string[] }
  | { readonly refused: 'wrong' | { readonly retryAfterSeconds: number } }

/**
 * The page to set up one-time codes. The secret comes back encrypted with the form, so that nothing is stored before it
 * is used.
 */
export async function codeSetUpPage(call: PageCall, place: PageContext): Promise<PageResponse> {
  const { seal, args } = call
  const redirectTo = ownAddress(args['redirect-to'], call)
  const setUp = await findSetUp(call, 'code')
  if (setUp === null) return { goTo: goTo(place, '/sign-in') }
  const { userId, name, csrfToken, bond, context } = setUp
  const isCodeAsked =
    !setUp.proofs.includes('passkey') && (await findCodes(call.database, context.tenant.id, userId)) !== null
  const purpose = `setting up one-time codes ${bond}`
  const secret = (isPost(call) ? decryptSecret(seal, purpose, args.sealed) : null) ?? newCodeSecret()
  const institution = getInstitution(call)
  const render = (validationError: AccountError | null) =>
    renderCodeSetUpPage({
      ...{
        place,
        institution,
        fault: validationError,
        secret,
        csrfToken,
        goesTo: redirectTo,
        isCodeAsked,
        sealed: seal.seal(secret, purpose),
      },
      picture: encode(codeAddress(secret, name, institution), { border: 0 }).data,
    })
  if (!isPost(call)) return { html: render(null) }
  return withErrors(call, render, async () => {
    requireToken(call, setUp)
    const typed = typeof args.code === 'string' ? args.code.slice(0, 100) : ''
    const { result, entry } = await setUpFactor<CodesSetUp>(call, setUp, 'code', async (tx) => {
      // Checked first, so that a typing error does not use up an earlier code or a recovery code.
      if (!isCodeOf(secret, typed)) return { isDone: false, result: { refused: 'wrong' } }
      const may = await mayChangeCodes(tx, seal, setUp, args.before)
      if (may !== true) return { isDone: false, result: { refused: may } }
      if (isCodeAsked) endSessionsBy(tx, userId, 'code', setUp.sessionId)
      const codes = await setUpCodes(tx, context, seal, { userId, secret, typed })
      return { isDone: codes !== null, result: codes === null ? { refused: 'wrong' } : { codes } }
    })
    if ('refused' in result) {
      if (result.refused !== 'wrong') throw paused(result.refused.retryAfterSeconds)
      return { status: 417, html: render({ kind: 'wrongCode' }) }
    }
    const { codes } = result
    const next = entry === null ? { goTo: goTo(place, '/sign-in') } : completeLogIn(call, place, entry, redirectTo)
    const { goTo: nextAddress, ...rest } = next
    return { ...rest, html: renderRecoveryCodes({ place, institution, fault: null, codes, nextAddress }) }
  })
}

/** The secret in a form, or null when it is not of this session. */
function decryptSecret(seal: SecretSeal, purpose: string, sealed: unknown): string | null {
  if (typeof sealed !== 'string') return null
  try {
    return seal.open(sealed, purpose)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
