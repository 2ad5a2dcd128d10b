import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../errors/index.ts'
import { comesFromOtherSite } from '../../authenticators/cross-site-requests.ts'

/**
 * CSRF protection of forms: throws `rule_violated` for a form sent by the page of another site, by Sec-Fetch-Site
 * where present, else by Origin (RFC 6454). No cookie opens these pages, so such a form could do only what its sender
 * may do anyway; this keeps other sites from using our readers for it. A page with `no-referrer` sends `Origin:
 * null`.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site === undefined && origin === 'null') return
  if (!comesFromOtherSite(request, { publicUrl })) return
  throw new Problem('rule_violated', 'This form was sent by another site.', { rule: 'same_origin' })
}
