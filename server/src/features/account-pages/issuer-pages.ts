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
import { completeLogIn, getReachedAddress, goTo, renderLogInError } from './page-parts.ts'
import { decryptStep, encryptStep } from './sealed-steps.ts'

/** Dependencies of logging in by other means than a password. */
export interface SignInPlatform {
  readonly seal: SecretSeal
  readonly issuers: IssuerClient
}

/** The state of a log-in at an identity provider, encrypted in a cookie of the institution. */
interface StoredVisit extends IssuerVisit {
  readonly issuer: string
  readonly redirectTo: string | null
}

const cookieName = 'log_in'

/** The page that redirects to an identity provider. */
export function issuerPage({ seal, issuers }: SignInPlatform): Page {
  return async (call, context) => {
    const { identification, database, args } = call
    const tenantId = identification.tenant?.id as string
    const redirectTo = ownAddress(args['redirect-to'], call)
    const key = typeof args.issuer === 'string' && !args.issuer.includes('\0') ? args.issuer : ''
    const issuer = await findIssuer(database, tenantId, key)
    if (issuer === null) return { goTo: goTo(context, '/login') }
    return withProviderErrors(call, context, { key, redirectTo }, async () => {
      const { address, visit } = await issuers.begin(tenantId, issuer, `${getReachedAddress(call)}/login-back`)
      const stored: StoredVisit = { ...visit, issuer: key, redirectTo }
      const sealed = encryptStep(seal, getEncryptionPurpose(tenantId), stored)
      return { goTo: address, cookies: { [cookieName]: sealed } }
    })
  }
}

/** The page to which the identity provider redirects. */
export function issuerReturnPage({ seal, issuers }: SignInPlatform): Page {
  return async (call, context) => {
    const { identification, database, request, requestId, address, agent } = call
    const { tenant } = identification
    if (tenant === null) throw new Error('the page needs an institution')
    const visit = decryptStep<StoredVisit>(seal, getEncryptionPurpose(tenant.id), request.cookies[cookieName])
    const cookies = { [cookieName]: null }
    if (visit === null) return { ...(await renderRejected(call, context, null, 'over')), cookies }
    const response = await withProviderErrors(
      call,
      context,
      { key: visit.issuer, redirectTo: visit.redirectTo },
      async () => {
        const issuer = await findIssuer(database, tenant.id, visit.issuer)
        if (issuer === null) return renderRejected(call, context, visit.redirectTo, 'over')
        const [, query = ''] = request.url.split('?')
        const from = { tenant, requestId, address, agent }
        const ticket = await takeTicket(database, from, visit.state)
        if (ticket === 'over') return renderRejected(call, context, visit.redirectTo, ticket)
        if (ticket !== 'taken') return renderWait(call, context, visit.redirectTo, ticket.retryAfterSeconds)
        const claims = await issuers.finish(tenant.id, issuer, visit, query).catch(async (error: unknown) => {
          if (error instanceof IssuerError && error.reason === 'refused') await countNobody(database, from)
          throw error
        })
        const outcome = await logInByAccount(database, from, { issuer, claims })
        if ('refused' in outcome) return renderRejected(call, context, visit.redirectTo, outcome.refused)
        if ('session' in outcome && identification.session !== null) await logOut(call)
        return completeLogIn(call, context, outcome, visit.redirectTo)
      },
    )
    return { ...response, cookies: { ...response.cookies, ...cookies } }
  }
}

function getEncryptionPurpose(tenantId: string): string {
  return `log-in at an issuer ${tenantId}`
}

/** Runs a call to an identity provider. An error becomes the log-in page with its reason. */
async function withProviderErrors(
  call: PageCall,
  context: PageContext,
  { key, redirectTo }: { readonly key: string; readonly redirectTo: string | null },
  work: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError) return renderRejected(call, context, redirectTo, 'unknown')
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
      'a log-in at an identity provider failed',
    )
    return renderRejected(call, context, redirectTo, reason)
  }
}

/** The error code of library or network for the log, without any sent data. */
function findCode(cause: unknown): string | null {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { code } = (inner ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : null
}

async function renderWait(
  call: PageCall,
  context: PageContext,
  redirectTo: string | null,
  seconds: number,
): Promise<PageResponse> {
  const html = await renderLogInError(call, context, { kind: 'wait', seconds }, redirectTo)
  return { status: 429, headers: { 'retry-after': String(seconds) }, html }
}

async function renderRejected(
  call: PageCall,
  context: PageContext,
  redirectTo: string | null,
  reason: AccountRejection | IssuerError['reason'],
): Promise<PageResponse> {
  const validationError =
    reason === 'disabled' ? ({ kind: 'disabled' } as const) : ({ kind: 'issuer', reason } as const)
  const isAway = reason === 'unreachable' || reason === 'faulty'
  return { status: isAway ? 503 : 401, html: await renderLogInError(call, context, validationError, redirectTo) }
}
