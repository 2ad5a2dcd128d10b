import type { PageCall } from '../../resource-api/index.ts'

/** No address that somebody goes on to is longer. */
const longest = 2000

/**
 * The address of a page of the same institution, where that is what was sent as `redirect-to`: its path with its query and its
 * fragment, as a browser would resolve it (WHATWG URL). Null for anything else: another origin, however it is written, another
 * institution of this host, and what would do something for whoever is led there, such as a call that logs in as somebody else.
 */
export function ownAddress(sent: unknown, { request, root }: Pick<PageCall, 'request' | 'root'>): string | null {
  if (typeof sent !== 'string' || sent.length > longest || /[\\\s\p{Cc}\p{Cf}]/u.test(sent)) return null
  const origin = `${request.protocol}://${request.host}`
  const isPath = sent.startsWith('/')
  if (!isPath && !/^https?:\/\/[^/]/i.test(sent)) return null
  if (!URL.canParse(sent, origin) || !URL.canParse(origin)) return null
  const url = new URL(sent, origin)
  const isHere = isPath ? url.origin === new URL(origin).origin : url.host === new URL(origin).host
  if (!isHere || url.username !== '' || url.password !== '') return null
  const path = url.pathname
  if (path.startsWith('//') || !(path === root || path.startsWith(`${root}/`))) return null
  if (path.split('/').some(isCalled) || ['cmd', 'sid'].some((name) => url.searchParams.has(name))) return null
  return path + url.search + url.hash
}

/** Whether a segment of a path is that of calls, as the service reads it. */
function isCalled(segment: string): boolean {
  try {
    return ['api', 'hooks'].includes(decodeURIComponent(segment).toLowerCase())
  } catch {
    return true
  }
}
