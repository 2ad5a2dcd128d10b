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
import { enter, getInstitution, goTo, isSending, orError, redirection, requireToken } from './page-parts.ts'
import { setUpWay, whoSetsUp } from './set-up.ts'

/** The page that asks for a code after the password. */
export async function codePage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const secret = call.request.cookies[stepCookie]
  const goesTo = ownAddress(call.args['redirect-to'], call)
  const query = redirection(goesTo)
  if (secret === undefined || secret === '') return { goTo: goTo(context, '/login', query) }
  const here = query === undefined ? context : { ...context, query }
  const shown = (validationError: AccountError | null) =>
    renderCodePage({ place: here, institution: getInstitution(call), fault: validationError, goesTo })
  if (!isSending(call)) return { html: shown(null) }
  return orError(call, shown, async () => {
    const { code } = call.args
    const entry = await logInByCode(call, secret, typeof code === 'string' ? code.slice(0, 100) : '')
    return enter(call, context, entry, goesTo)
  })
}

/** What became of setting up codes: the new recovery codes, or a code that was wrong or has to wait. */
type CodesSetUp =
  | { readonly codes: readonly string[] }
  | { readonly refused: 'wrong' | { readonly retryAfterSeconds: number } }

/** The page on which somebody sets up one-time codes. The secret comes back sealed with the form, so that nothing is kept until it is used. */
export async function codeSetUpPage(call: PageCall, place: PageContext): Promise<PageResponse> {
  const { seal, args } = call
  const goesTo = ownAddress(args['redirect-to'], call)
  const setUp = await whoSetsUp(call, 'code')
  if (setUp === null) return { goTo: goTo(place, '/sign-in') }
  const { userId, name, csrfToken, bond, context } = setUp
  const isCodeAsked =
    !setUp.proofs.includes('passkey') && (await findCodes(call.database, context.tenant.id, userId)) !== null
  const purpose = `setting up one-time codes ${bond}`
  const secret = (isSending(call) ? opened(seal, purpose, args.sealed) : null) ?? newCodeSecret()
  const institution = getInstitution(call)
  const shown = (validationError: AccountError | null) =>
    renderCodeSetUpPage({
      ...{
        place,
        institution,
        fault: validationError,
        secret,
        csrfToken,
        goesTo,
        isCodeAsked,
        sealed: seal.seal(secret, purpose),
      },
      picture: encode(codeAddress(secret, name, institution), { border: 0 }).data,
    })
  if (!isSending(call)) return { html: shown(null) }
  return orError(call, shown, async () => {
    requireToken(call, setUp)
    const typed = typeof args.code === 'string' ? args.code.slice(0, 100) : ''
    const { result, entry } = await setUpWay<CodesSetUp>(call, setUp, 'code', async (tx) => {
      // Looked at first, so that a code of before, or a recovery code, is not used up by a slip.
      if (!isCodeOf(secret, typed)) return { isDone: false, result: { refused: 'wrong' } }
      const may = await mayChangeCodes(tx, seal, setUp, args.before)
      if (may !== true) return { isDone: false, result: { refused: may } }
      if (isCodeAsked) endSessionsBy(tx, userId, 'code', setUp.sessionId)
      const codes = await setUpCodes(tx, context, seal, { userId, secret, typed })
      return { isDone: codes !== null, result: codes === null ? { refused: 'wrong' } : { codes } }
    })
    if ('refused' in result) {
      if (result.refused !== 'wrong') throw paused(result.refused.retryAfterSeconds)
      return { status: 417, html: shown({ kind: 'wrongCode' }) }
    }
    const { codes } = result
    const next = entry === null ? { goTo: goTo(place, '/sign-in') } : enter(call, place, entry, goesTo)
    const { goTo: nextAddress, ...reported } = next
    return { ...reported, html: renderRecoveryCodes({ place, institution, fault: null, codes, nextAddress }) }
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
