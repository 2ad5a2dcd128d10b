import type { FastifyRequest } from 'fastify'
import { RecordError } from '../record-error.ts'

/**
 * Refuses with `PermissionError` a GET that a page of another site leads a browser to, such as a link that logs its visitor in
 * as somebody else. Browsers say so in Sec-Fetch-Site (W3C Fetch Metadata), those that ask without TLS in Origin or Referer;
 * where a page of theirs keeps silent, the visit of a page is refused. Programs send none of these and pass.
 */
export function requireOwnSite(request: FastifyRequest): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return
  if (comesFromElsewhere(request)) {
    throw new RecordError(
      'PermissionError',
      'Another site cannot log anybody in here. Open /login, or send the log-in with POST.',
    )
  }
}

function comesFromElsewhere({ headers, host }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin, referer, accept = '' } = headers
  if (site !== undefined) return site === 'cross-site'
  const source = origin ?? referer
  if (source !== undefined) return !URL.canParse(source) || new URL(source).host !== host
  return accept.includes('text/html')
}
