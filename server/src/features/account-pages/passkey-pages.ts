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
  beside,
  enter,
  getInstitution,
  goTo,
  isSending,
  orError,
  reachedAddress,
  redirection,
  requireToken,
} from './page-parts.ts'
import { openStep, sealStep } from './sealed-steps.ts'
import { setUpWay, whoSetsUp } from './set-up.ts'

/** What is kept until a device has answered. */
interface Asked {
  readonly challenge: string
}

const cookieName = 'passkey'

/** The most characters of the name of a passkey. */
const longestName = 60

/** The page on which somebody logs in with a passkey. */
export async function passkeyPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, args, seal, database, request, requestId, address, agent } = call
  const { tenant, session } = identification
  if (tenant === null) throw new Error('no page of an institution is answered without it')
  const goesTo = ownAddress(args['redirect-to'], call)
  if (!isSending(call) && session !== null) return { goTo: goesTo ?? goTo(context, getHomePage(session, call)) }
  const party = getParty(call)
  const purpose = `log-in with a passkey ${tenant.id}`
  const options = await askForPasskey(party)
  const cookies = { [cookieName]: sealStep(seal, purpose, { challenge: options.challenge }) }
  const query = redirection(goesTo)
  const shown = (validationError: AccountError | null) =>
    renderPasskeyPage({
      ...{
        place: query === undefined ? context : { ...context, query },
        institution: getInstitution(call),
        fault: validationError,
        options,
        goesTo,
      },
      otherPath: beside(context.path, 'login'),
    })
  if (!isSecure(party)) return insecure(call, shown)
  if (!isSending(call)) return { html: shown(null), cookies }
  const response = await orError(call, shown, async () => {
    const refused = (validationError: AccountError): PageResponse => ({ status: 401, html: shown(validationError) })
    const asked = openStep<Asked>(seal, purpose, request.cookies[cookieName])
    if (asked === null) return refused({ kind: 'passkey', reason: 'over' })
    const visit = { tenant, requestId, address, agent }
    const { challenge } = asked
    const outcome = await logInByPasskey(database, visit, party, { challenge, answer: args.answer })
    if ('retryAfterSeconds' in outcome) throw paused(outcome.retryAfterSeconds)
    if ('refused' in outcome) {
      const { refused: reason } = outcome
      return refused(reason === 'disabled' ? { kind: 'disabled' } : { kind: 'passkey', reason })
    }
    if ('session' in outcome && session !== null) await logOut(call)
    const entered = enter(call, context, outcome, goesTo)
    return { ...entered, cookies: { ...entered.cookies, [cookieName]: null } }
  })
  return { ...response, cookies: { ...cookies, ...response.cookies } }
}

/** The page on which somebody who is logged in makes a passkey. What is asked comes back sealed with the form, for this session. */
export async function passkeySetUpPage(call: PageCall, place: PageContext): Promise<PageResponse> {
  const { identification, seal, database, args, requestId, address, agent } = call
  const { tenant } = identification
  const goesTo = ownAddress(args['redirect-to'], call)
  const setUp = await whoSetsUp(call, 'passkey')
  if (setUp === null || tenant === null) return { goTo: goTo(place, '/sign-in') }
  const { userId, name: user, fullName, bond, context } = setUp
  const party = getParty(call)
  const institution = getInstitution(call)
  const purpose = `making a passkey ${bond}`
  const name = getName(args.name)
  const known = await listPasskeys(database, tenant.id, userId)
  const here = known.filter(({ rpId }) => rpId === party.id)
  const options = await askForNewPasskey(party, institution, { id: userId, name: user, fullName }, here)
  const shown = (validationError: AccountError | null) =>
    renderPasskeySetUpPage({
      ...{ place, institution, fault: validationError, options, name, csrfToken: setUp.csrfToken, goesTo },
      sealed: sealStep(seal, purpose, { challenge: options.challenge }),
      otherPath: beside(place.path, setUp.step === null ? 'sign-in' : 'login-factor'),
    })
  if (!isSecure(party)) return insecure(call, shown)
  if (!isSending(call)) return { html: shown(null) }
  return orError(call, shown, async () => {
    requireToken(call, setUp)
    const refused = (reason: 'over' | 'refused' | 'known' | 'full'): PageResponse => ({
      status: 417,
      html: shown({ kind: 'passkey', reason }),
    })
    const asked = openStep<Asked>(seal, purpose, args.sealed)
    if (asked === null) return refused('over')
    const taken = await takeTicket(database, { tenant, requestId, address, agent }, asked.challenge)
    if (taken === 'over') return refused('over')
    if (taken !== 'taken') throw paused(taken.retryAfterSeconds)
    const passkey = await checkNew(party, asked.challenge, args.answer)
    if (passkey === null) return refused('refused')
    const { result, entry } = await setUpWay(call, setUp, 'passkey', async (tx) => {
      const added = await addPasskey(tx, context, userId, { party, passkey, name: name === '' ? party.id : name })
      return { isDone: added === 'added', result: added }
    })
    if (result !== 'added') return refused(result)
    return entry === null ? { goTo: goTo(place, '/sign-in', 'done=1') } : enter(call, place, entry, goesTo)
  })
}

/** For whom passkeys are made here: the host name and the origin by which this visitor's browser reaches the institution. */
function getParty(call: PageCall): RelyingParty {
  const { hostname, origin } = new URL(reachedAddress(call))
  return { id: hostname, origin }
}

/** Whether browsers have passkeys at an origin (W3C Secure Contexts §3.1): by https, or on the machine itself. */
function isSecure({ id, origin }: RelyingParty): boolean {
  return origin.startsWith('https:') || /^(.*\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(id)
}

/** Says that no browser has passkeys where this one is, or that https ends at a proxy whose word is not taken for it. */
function insecure(call: PageCall, shown: (validationError: AccountError) => string): PageResponse {
  return { ...(isSending(call) && { status: 417 }), html: shown({ kind: 'passkey', reason: 'insecure' }) }
}

/** A name as it was typed, without what cannot be seen. */
function getName(typed: unknown): string {
  if (typeof typed !== 'string') return ''
  return [...typed.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').trim()].slice(0, longestName).join('')
}
