import type { FastifyRequest } from 'fastify'
import { comesFromOtherSite, isOwnAddress, isSafe, type TrustedOrigins } from '../../http/index.ts'
import { RecordError } from '../../record-engine/index.ts'

/**
 * Whether a browser sends a request for a page of another site (cross-site request forgery), such as a log-in or
 * log-out. Judged by Sec-Fetch-Site and Origin, for a GET also by Referer; a navigation without any of these counts as
 * cross-site. Programs send none of them.
 */
export function isLedByOtherSite(request: FastifyRequest, trusted: TrustedOrigins): boolean {
  const { referer, accept = '', origin, 'sec-fetch-site': site } = request.headers
  if (!isSafe(request) || site !== undefined || origin !== undefined) return comesFromOtherSite(request, trusted)
  return referer === undefined ? accept.includes('text/html') : !isOwnAddress(referer, request, trusted)
}

/** The error for a cross-site request. */
export function crossSiteError(): RecordError {
  return new RecordError(
    'PermissionError',
    'Another site cannot do this in the name of its visitors. Do it at the address of your institution; its operator can allow an origin by ALLOW_ORIGINS.',
  )
}
