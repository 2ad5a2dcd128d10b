import type { Pagination } from '@matricula/contract'

/**
 * The Link header of a page (RFC 8288): `first`, `prev`, `next` and `last` with every other parameter of the request;
 * with cursor pagination only `next`, absent at the end.
 */
export function pageLinks(
  publicUrl: string,
  requestUrl: string,
  pagination: Pagination,
  nextCursor: string | null,
): string {
  if (nextCursor !== null) return nextLink(publicUrl, requestUrl, nextCursor)
  if (/[?&]cursor=/.test(requestUrl)) return ''
  const to = linkFrom(publicUrl, requestUrl)
  const { page, totalPages } = pagination
  const last = Math.max(1, totalPages)
  const links = [to('first', 'page=1')]
  if (page > 1) links.push(to('prev', `page=${Math.min(page - 1, last)}`))
  if (page < totalPages) links.push(to('next', `page=${page + 1}`))
  links.push(to('last', `page=${last}`))
  return links.join(', ')
}

/** The Link header of a page that continues at a cursor. */
export function nextLink(publicUrl: string, requestUrl: string, nextCursor: string): string {
  return linkFrom(publicUrl, requestUrl)('next', `cursor=${nextCursor}`)
}

function linkFrom(publicUrl: string, requestUrl: string): (relation: string, parameter: string) => string {
  const [path, query = ''] = requestUrl.split('?') as [string, string?]
  const parameters = query.split('&').filter((part) => part !== '' && !/^(page|cursor)=/.test(part))
  return (relation, parameter) => `<${publicUrl}${path}?${[...parameters, parameter].join('&')}>; rel="${relation}"`
}
