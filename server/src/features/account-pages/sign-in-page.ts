import { type AccountError, type PageContext, renderSignInPage } from '@matricula/pages'
import type { ChangeContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import {
  allowIssuer,
  listAccounts,
  listRemovedIssuers,
  unlinkAccount,
} from '../../identity/identity-providers/index.ts'
import { listPasskeys, removePasskey } from '../../identity/passkeys/index.ts'
import {
  endOwnSessions,
  endSessionsBy,
  findCodes,
  type LoggedIn,
  listSessions,
  mayChangeCodes,
  removeCodes,
} from '../../identity/users/index.ts'
import { logOut, type PageCall, type PageResponse, paused } from '../../resource-api/index.ts'
import { getInstitution, goTo, isPost, requireToken, siblingPath, withErrors } from './page-parts.ts'

/** The page of the user's sessions and ways to log in. */
export async function signInPage(call: PageCall, place: PageContext): Promise<PageResponse> {
  const { session, tenant } = call.identification
  if (session === null || tenant === null) {
    return { goTo: goTo(place, '/login', `redirect-to=${encodeURIComponent(`${call.root}/sign-in`)}`) }
  }
  const [sessions, accounts, removedIssuers, codes, passkeys] = await Promise.all([
    listSessions(call.database, tenant.id, session.userId),
    listAccounts(call.database, tenant.id, session.userId),
    listRemovedIssuers(call.database, tenant.id, session.userId),
    findCodes(call.database, tenant.id, session.userId),
    listPasskeys(call.database, tenant.id, session.userId),
  ])
  const render = (validationError: AccountError | null) =>
    renderSignInPage({
      place,
      institution: getInstitution(call),
      timeZone: tenant.timeZone,
      csrfToken: session.csrfToken,
      fault: validationError,
      isDone: call.args.done === '1',
      isFresh: session.isFresh,
      sessions: sessions.map((each) => ({ ...each, isThis: each.id === session.sessionId })),
      accounts,
      removedIssuers,
      isCodeAsked: !session.proofs.includes('passkey'),
      codes,
      passkeys,
      passkeyPath: siblingPath(place.path, 'sign-in-passkey'),
      codesPath: siblingPath(place.path, 'sign-in-code'),
      backPath: siblingPath(place.path, 'app'),
      passwordPath: siblingPath(place.path, 'update-password'),
    })
  if (!isPost(call)) return { html: render(null) }
  return withErrors(call, render, async () => {
    requireToken(call)
    const { doing } = call.args
    if (doing === 'log-in-again') {
      await logOut(call)
      const back = `redirect-to=${encodeURIComponent(`${call.root}/sign-in`)}`
      return { session: 'guest', goTo: goTo(place, '/login', back) }
    }
    const change = typeof doing === 'string' ? changes[doing] : undefined
    if (change === undefined || (change.needsFresh && !session.isFresh)) return { html: render(null) }
    const { requestId, address } = call
    const context = {
      tenant,
      actor: { type: 'user', id: session.userId, name: session.name },
      requestId,
      address,
    } as const
    const id = typeof call.args.id === 'string' && isId.test(call.args.id) ? call.args.id : noId
    const rejection = await call.database.transaction(tenant.id, async (tx) => {
      const may = change.needsCode ? await mayChangeCodes(tx, call.seal, session, call.args.code) : true
      if (may !== true) return may
      await change.make(tx, context, session, id)
      return null
    })
    if (rejection === 'wrong') return { status: 417, html: render({ kind: 'wrongCode' }) }
    if (rejection !== null) throw paused(rejection.retryAfterSeconds)
    return { goTo: goTo(place, '/sign-in', 'done=1') }
  })
}

/** The actions of the page, by button. */
const changes: Readonly<
  Record<
    string,
    {
      /** Whether a recent log-in is required. */
      readonly needsFresh: boolean
      /** Whether a code is required as well. */
      readonly needsCode?: true
      readonly make: (tx: Transaction, context: ChangeContext, session: LoggedIn, id: string) => Promise<void>
    }
  >
> = {
  end: { needsFresh: false, make: (tx, context, session, id) => endOwnSessions(tx, context, session, { id }) },
  'end-others': { needsFresh: false, make: (tx, context, session) => endOwnSessions(tx, context, session, 'others') },
  'remove-codes': {
    needsFresh: true,
    needsCode: true,
    make: async (tx, context, { userId, sessionId }) => {
      if (await removeCodes(tx, context, userId)) endSessionsBy(tx, userId, 'code', sessionId)
    },
  },
  'remove-passkey': {
    needsFresh: true,
    make: (tx, context, session, id) => removePasskey(tx, context, session, id),
  },
  allow: { needsFresh: true, make: (tx, context, { userId }, id) => allowIssuer(tx, context, userId, id) },
  unlink: { needsFresh: true, make: (tx, context, session, id) => unlinkAccount(tx, context, session, id) },
}

const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** The nil UUID (RFC 9562 §5.9), which matches nothing. */
const noId = '00000000-0000-0000-0000-000000000000'
