import type { PageContext } from '@matricula/pages'
import { CommandError } from '../../errors/index.ts'
import {
  type AccountRejection,
  findIssuer,
  type IssuerClient,
  IssuerError,
  type IssuerVisit,
  logInByAccount,
} from '../../identity/identity-providers/index.ts'
import { SealError, type SecretSeal } from '../../identity/index.ts'
import { countNobody, takeTicket } from '../../identity/users/index.ts'
import { logOut, type Page, type PageCall, type PageResponse } from '../../resource-api/index.ts'
import { ownAddress } from './own-address.ts'
import { enter, goTo, reachedAddress, renderLogInAgain } from './page-parts.ts'
import { openStep, sealStep } from './sealed-steps.ts'

/** What logs people in otherwise than by a password. */
export interface SignInPlatform {
  readonly seal: SecretSeal
  readonly issuers: IssuerClient
}

/** What the browser keeps of a log-in at an issuer, sealed for the institution. */
interface StoredVisit extends IssuerVisit {
  readonly issuer: string
  readonly goesTo: string | null
}

const cookieName = 'log_in'

/** Leads to an issuer, where somebody logs in and comes back from. */
export function issuerPage({ seal, issuers }: SignInPlatform): Page {
  return async (call, context) => {
    const { identification, database, args } = call
    const tenantId = identification.tenant?.id as string
    const goesTo = ownAddress(args['redirect-to'], call)
    const key = typeof args.issuer === 'string' && !args.issuer.includes('\0') ? args.issuer : ''
    const issuer = await findIssuer(database, tenantId, key)
    if (issuer === null) return { goTo: goTo(context, '/login') }
    return orRefused(call, context, { key, goesTo }, async () => {
      const { address, visit } = await issuers.begin(tenantId, issuer, `${reachedAddress(call)}/login-back`)
      const stored: StoredVisit = { ...visit, issuer: key, goesTo }
      const sealed = sealStep(seal, sealPurpose(tenantId), stored)
      return { goTo: address, cookies: { [cookieName]: sealed } }
    })
  }
}

/** Where somebody comes back to from an issuer. */
export function backPage({ seal, issuers }: SignInPlatform): Page {
  return async (call, context) => {
    const { identification, database, request, requestId, address, agent } = call
    const { tenant } = identification
    if (tenant === null) throw new Error('no page of an institution is answered without it')
    const visit = openStep<StoredVisit>(seal, sealPurpose(tenant.id), request.cookies[cookieName])
    const cookies = { [cookieName]: null }
    if (visit === null) return { ...(await refused(call, context, null, 'over')), cookies }
    const response = await orRefused(call, context, { key: visit.issuer, goesTo: visit.goesTo }, async () => {
      const issuer = await findIssuer(database, tenant.id, visit.issuer)
      if (issuer === null) return refused(call, context, visit.goesTo, 'over')
      const [, query = ''] = request.url.split('?')
      const from = { tenant, requestId, address, agent }
      const taken = await takeTicket(database, from, visit.state)
      if (taken === 'over') return refused(call, context, visit.goesTo, taken)
      if (taken !== 'taken') return waits(call, context, visit.goesTo, taken.retryAfterSeconds)
      const claims = await issuers.finish(tenant.id, issuer, visit, query).catch(async (error: unknown) => {
        if (error instanceof IssuerError && error.reason === 'refused') await countNobody(database, from)
        throw error
      })
      const outcome = await logInByAccount(database, from, { issuer, claims })
      if ('refused' in outcome) return refused(call, context, visit.goesTo, outcome.refused)
      if ('session' in outcome && identification.session !== null) await logOut(call)
      return enter(call, context, outcome, visit.goesTo)
    })
    return { ...response, cookies: { ...response.cookies, ...cookies } }
  }
}

function sealPurpose(tenantId: string): string {
  return `log-in at an issuer ${tenantId}`
}

/** Does what asks an issuer; what it or its visitor refuses becomes the log-in page again with its reason. */
async function orRefused(
  call: PageCall,
  context: PageContext,
  { key, goesTo }: { readonly key: string; readonly goesTo: string | null },
  work: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError) return refused(call, context, goesTo, 'unknown')
    if (!(error instanceof IssuerError) && !(error instanceof SealError)) throw error
    const reason = error instanceof IssuerError ? error.reason : 'unreachable'
    call.request.log.warn(
      {
        requestId: call.requestId,
        tenant: call.identification.tenant?.slug,
        issuer: key,
        reason,
        code: findCode(error.cause),
      },
      'a log-in at an issuer failed',
    )
    return refused(call, context, goesTo, reason)
  }
}

/** What tells an operator why, without anything that was sent: the code of the library or of the network. */
function findCode(cause: unknown): string | null {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { code } = (inner ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : null
}

async function waits(
  call: PageCall,
  context: PageContext,
  goesTo: string | null,
  seconds: number,
): Promise<PageResponse> {
  const html = await renderLogInAgain(call, context, { kind: 'wait', seconds }, goesTo)
  return { status: 429, headers: { 'retry-after': String(seconds) }, html }
}

async function refused(
  call: PageCall,
  context: PageContext,
  goesTo: string | null,
  reason: AccountRejection | IssuerError['reason'],
): Promise<PageResponse> {
  const validationError =
    reason === 'disabled' ? ({ kind: 'disabled' } as const) : ({ kind: 'issuer', reason } as const)
  const isAway = reason === 'unreachable' || reason === 'faulty'
  return { status: isAway ? 503 : 401, html: await renderLogInAgain(call, context, validationError, goesTo) }
}
