import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../errors/index.ts'
import { comesFromOtherSite } from '../../authenticators/cross-site-requests.ts'

/**
 * Refuses a form that another site's page sent, by what the browser says of it: Sec-Fetch-Site where it has that, else
 * Origin (RFC 6454). Nothing here is opened by a cookie, so that another site could only send what its own visitor may send
 * anyway; it shall not use our visitors for it all the same. A page with `no-referrer` sends `Origin: null`.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site === undefined && origin === 'null') return
  if (!comesFromOtherSite(request, { publicUrl })) return
  throw new Problem('rule_violated', 'This form was sent by another site.', { rule: 'same_origin' })
}
