/** Public pages load scripts and styles of this origin only, and submit forms to it only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Headers of every response of a public page: not cached, indexed, framed, or sent as a referrer. */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  vary: 'accept, accept-language',
} as const

/**
 * The same of pages whose forms begin or use a session. Without a referrer policy of their own, browsers without Fetch
 * Metadata would send `Origin: null` for their forms, as for those of a sandboxed page of another site.
 */
export const sessionPageHeaders = { ...pageHeaders, 'referrer-policy': 'same-origin' } as const
