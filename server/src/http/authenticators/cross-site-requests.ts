import type { FastifyRequest } from 'fastify'

/** The origins whose pages may send writes with a session cookie. */
export interface TrustedOrigins {
  /** The public address of the service. Its own pages are trusted under every host name. */
  readonly publicUrl: string
  /** Other origins, as browsers send them. */
  readonly allowedOrigins?: readonly string[]
}

/**
 * Whether a browser marks a request as cross-site, which includes other hosts of the same domain: by Sec-Fetch-Site
 * (W3C Fetch Metadata), or without TLS by Origin (RFC 6454). Programs send neither.
 */
export function comesFromOtherSite(request: FastifyRequest, trusted: TrustedOrigins): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (origin !== undefined && trusted.allowedOrigins?.includes(origin)) return false
  // The browser compares with the address that it requested, which a proxy may have rewritten.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnAddress(origin, request, trusted)
}

/** Whether an address has the host of the request or the public origin of the service. */
export function isOwnAddress(address: string, { host }: FastifyRequest, { publicUrl }: TrustedOrigins): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return url.host === host || url.origin === new URL(publicUrl).origin
}

/** Whether the method is safe (RFC 9110 §9.2.1). */
export function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}
