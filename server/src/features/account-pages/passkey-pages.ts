import { type AccountError, type PageContext, renderPasskeyPage, renderPasskeySetUpPage } from '@matricula/pages'
import {
  addPasskey,
  askForNewPasskey,
  askForPasskey,
  checkNew,
  listPasskeys,
  logInByPasskey,
  type RelyingParty,
} from '../../identity/passkeys/index.ts'
import { takeTicket } from '../../identity/users/index.ts'
import { getHomePage, logOut, type PageCall, type PageResponse, paused } from '../../resource-api/index.ts'
import { ownAddress } from './own-address.ts'
import {
  completeLogIn,
  getInstitution,
  getReachedAddress,
  goTo,
  isPost,
  requireToken,
  siblingPath,
  toRedirectQuery,
  withErrors,
} from './page-parts.ts'
import { decryptStep, encryptStep } from './sealed-steps.ts'
import { findSetUp, setUpFactor } from './set-up.ts'

/** The state until the device responds. */
interface PasskeyChallenge {
  readonly challenge: string
}

const cookieName = 'passkey'

/** The maximum length of a passkey's name, in characters. */
const maxNameLength = 60

/** The page to log in with a passkey. */
export async function passkeyPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, args, seal, database, request, requestId, address, agent } = call
  const { tenant, session } = identification
  if (tenant === null) throw new Error('the page needs an institution')
  const redirectTo = ownAddress(args['redirect-to'], call)
  if (!isPost(call) && session !== null) return { goTo: redirectTo ?? goTo(context, getHomePage(session, call)) }
  const party = getParty(call)
  const purpose = `log-in with a passkey ${tenant.id}`
  const options = await askForPasskey(party)
  const cookies = { [cookieName]: encryptStep(seal, purpose, { challenge: options.challenge }) }
  const query = toRedirectQuery(redirectTo)
  const render = (validationError: AccountError | null) =>
    renderPasskeyPage({
      ...{
        place: query === undefined ? context : { ...context, query },
        institution: getInstitution(call),
        fault: validationError,
        options,
        goesTo: redirectTo,
      },
      otherPath: siblingPath(context.path, 'login'),
    })
  if (!isSecure(party)) return insecure(call, render)
  if (!isPost(call)) return { html: render(null), cookies }
  const response = await withErrors(call, render, async () => {
    const renderRejected = (validationError: AccountError): PageResponse => ({
      status: 401,
      html: render(validationError),
    })
    const pending = decryptStep<PasskeyChallenge>(seal, purpose, request.cookies[cookieName])
    if (pending === null) return renderRejected({ kind: 'passkey', reason: 'over' })
    const visit = { tenant, requestId, address, agent }
    const { challenge } = pending
    const outcome = await logInByPasskey(database, visit, party, { challenge, answer: args.answer })
    if ('retryAfterSeconds' in outcome) throw paused(outcome.retryAfterSeconds)
    if ('refused' in outcome) {
      const { refused: reason } = outcome
      return renderRejected(reason === 'disabled' ? { kind: 'disabled' } : { kind: 'passkey', reason })
    }
    if ('session' in outcome && session !== null) await logOut(call)
    const entered = completeLogIn(call, context, outcome, redirectTo)
    return { ...entered, cookies: { ...entered.cookies, [cookieName]: null } }
  })
  return { ...response, cookies: { ...cookies, ...response.cookies } }
}

/** The page to create a passkey. The challenge comes back encrypted with the form, for this session only. */
export async function passkeySetUpPage(call: PageCall, place: PageContext): Promise<PageResponse> {
  const { identification, seal, database, args, requestId, address, agent } = call
  const { tenant } = identification
  const redirectTo = ownAddress(args['redirect-to'], call)
  const setUp = await findSetUp(call, 'passkey')
  if (setUp === null || tenant === null) return { goTo: goTo(place, '/sign-in') }
  const { userId, name: user, fullName, bond, context } = setUp
  const party = getParty(call)
  const institution = getInstitution(call)
  const purpose = `making a passkey ${bond}`
  const name = cleanName(args.name)
  const known = await listPasskeys(database, tenant.id, userId)
  const here = known.filter(({ rpId }) => rpId === party.id)
  const options = await askForNewPasskey(party, institution, { id: userId, name: user, fullName }, here)
  const render = (validationError: AccountError | null) =>
    renderPasskeySetUpPage({
      ...{ place, institution, fault: validationError, options, name, csrfToken: setUp.csrfToken, goesTo: redirectTo },
      sealed: encryptStep(seal, purpose, { challenge: options.challenge }),
      otherPath: siblingPath(place.path, setUp.step === null ? 'sign-in' : 'login-factor'),
    })
  if (!isSecure(party)) return insecure(call, render)
  if (!isPost(call)) return { html: render(null) }
  return withErrors(call, render, async () => {
    requireToken(call, setUp)
    const renderRejected = (reason: 'over' | 'refused' | 'known' | 'full'): PageResponse => ({
      status: 417,
      html: render({ kind: 'passkey', reason }),
    })
    const pending = decryptStep<PasskeyChallenge>(seal, purpose, args.sealed)
    if (pending === null) return renderRejected('over')
    const ticket = await takeTicket(database, { tenant, requestId, address, agent }, pending.challenge)
    if (ticket === 'over') return renderRejected('over')
    if (ticket !== 'taken') throw paused(ticket.retryAfterSeconds)
    const passkey = await checkNew(party, pending.challenge, args.answer)
    if (passkey === null) return renderRejected('refused')
    const { result, entry } = await setUpFactor(call, setUp, 'passkey', async (tx) => {
      const added = await addPasskey(tx, context, userId, { party, passkey, name: name === '' ? party.id : name })
      return { isDone: added === 'added', result: added }
    })
    if (result !== 'added') return renderRejected(result)
    return entry === null ? { goTo: goTo(place, '/sign-in', 'done=1') } : completeLogIn(call, place, entry, redirectTo)
  })
}

/** The relying party: host name and origin by which this browser reaches the institution. */
function getParty(call: PageCall): RelyingParty {
  const { hostname, origin } = new URL(getReachedAddress(call))
  return { id: hostname, origin }
}

/** Whether browsers support passkeys at an origin (W3C Secure Contexts §3.1): https, or the local machine. */
function isSecure({ id, origin }: RelyingParty): boolean {
  return origin.startsWith('https:') || /^(.*\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(id)
}

/** The page's error without https: none is used, or it ends at a proxy that is not trusted. */
function insecure(call: PageCall, render: (validationError: AccountError) => string): PageResponse {
  return { ...(isPost(call) && { status: 417 }), html: render({ kind: 'passkey', reason: 'insecure' }) }
}

/** The entered name without control and invisible characters. */
function cleanName(typed: unknown): string {
  if (typeof typed !== 'string') return ''
  return [...typed.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').trim()].slice(0, maxNameLength).join('')
}
