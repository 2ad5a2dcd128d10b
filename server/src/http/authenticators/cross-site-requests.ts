import type { FastifyRequest } from 'fastify'

/** The origins whose pages may act in the name of their visitors. */
export interface TrustedOrigins {
  /** The service's address, as the outside knows it. Its own pages are trusted, at whichever host they were asked for. */
  readonly publicUrl: string
  /** Other origins, as browsers send them. */
  readonly allowedOrigins?: readonly string[]
}

/**
 * Whether a browser marks a request as coming from a page of another site, one of the same domain included: by Sec-Fetch-Site (W3C
 * Fetch Metadata), or without TLS by Origin (RFC 6454). Programs send neither.
 */
export function comesFromOtherSite(request: FastifyRequest, trusted: TrustedOrigins): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (origin !== undefined && trusted.allowedOrigins?.includes(origin)) return false
  // A browser compares with the address that it asked, which a proxy may have rewritten since.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnAddress(origin, request, trusted)
}

/** Whether an address is one of the host that was asked, or of the service. */
export function isOwnAddress(address: string, { host }: FastifyRequest, { publicUrl }: TrustedOrigins): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return url.host === host || url.origin === new URL(publicUrl).origin
}

/** Whether a request asks to read, and changes nothing (RFC 9110 §9.2.1). */
export function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}
