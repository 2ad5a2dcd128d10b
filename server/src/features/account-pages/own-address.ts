import type { PageCall } from '../../resource-api/index.ts'

/** The maximum length of an address to redirect to, in characters. */
const maxLength = 2000

/**
 * The address in `redirect-to` when it is a page of the same institution: path, query and fragment, as a browser would
 * resolve it (WHATWG URL). Null for anything else, against open redirects (CWE-601): another origin in any notation,
 * another institution of this host, and addresses with an effect, such as a call that logs in as another user.
 */
export function ownAddress(sent: unknown, { request, root }: Pick<PageCall, 'request' | 'root'>): string | null {
  if (typeof sent !== 'string' || sent.length > maxLength || /[\\\s\p{Cc}\p{Cf}]/u.test(sent)) return null
  const origin = `${request.protocol}://${request.host}`
  const isPath = sent.startsWith('/')
  if (!isPath && !/^https?:\/\/[^/]/i.test(sent)) return null
  if (!URL.canParse(sent, origin) || !URL.canParse(origin)) return null
  const url = new URL(sent, origin)
  const isHere = isPath ? url.origin === new URL(origin).origin : url.host === new URL(origin).host
  if (!isHere || url.username !== '' || url.password !== '') return null
  const path = url.pathname
  if (path.startsWith('//') || !(path === root || path.startsWith(`${root}/`))) return null
  if (path.split('/').some(isApiSegment) || ['cmd', 'sid'].some((name) => url.searchParams.has(name))) return null
  return path + url.search + url.hash
}

/** Whether a path segment is an API call, as the service decodes it. */
function isApiSegment(segment: string): boolean {
  try {
    return ['api', 'hooks'].includes(decodeURIComponent(segment).toLowerCase())
  } catch {
    return true
  }
}
