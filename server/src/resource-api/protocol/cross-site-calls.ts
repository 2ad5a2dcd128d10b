import type { FastifyRequest } from 'fastify'
import { comesFromOtherSite, isOwnAddress, isSafe, type TrustedOrigins } from '../../http/index.ts'
import { RecordError } from '../../record-engine/index.ts'

/**
 * Whether a page of another site makes a browser send a request, such as a form or a link that logs its visitor in as somebody else, or
 * out. Where a browser tells of no site or origin, the page that led to a GET is asked for by Referer; where that keeps silent too, the
 * visit of a page counts as led by another site. Programs send none of these.
 */
export function isLedByOtherSite(request: FastifyRequest, trusted: TrustedOrigins): boolean {
  const { referer, accept = '', origin, 'sec-fetch-site': site } = request.headers
  if (!isSafe(request) || site !== undefined || origin !== undefined) return comesFromOtherSite(request, trusted)
  return referer === undefined ? accept.includes('text/html') : !isOwnAddress(referer, request, trusted)
}

/** The refusal of what another site may not do. */
export function crossSiteError(): RecordError {
  return new RecordError(
    'PermissionError',
    'Another site cannot do this in the name of its visitors. Do it at the address of your institution; its operator can allow an origin by ALLOW_ORIGINS.',
  )
}
