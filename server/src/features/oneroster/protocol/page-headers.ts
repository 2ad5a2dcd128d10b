/** Where a page lies. */
export interface PageLocation {
  /** The address that was asked, absolute. */
  readonly url: string
  readonly limit: number
  readonly offset: number
  readonly total: number
}

/** How long the links of a page are together at most, in characters: clients read headers of 16 KiB, the others included. */
const maxLinkLength = 8_000

/**
 * The headers of a page: `X-Total-Count`, and `Link` (RFC 8288) to its neighbours, without raw commas in the addresses. Where the
 * address is so long that a client could not read all of them, the next page comes first and the rest are left out.
 */
export function pageHeaders({ url, limit, offset, total }: PageLocation): Record<string, string> {
  const [path, query = ''] = url.split('?') as [string, string?]
  const others = query
    .split('&')
    .filter((part) => part !== '' && !/^(?:%20|\+)*(?:limit|offset)(?:%20|\+)*(?:=|$)/.test(part))
  const to = (relation: string, start: number) => {
    const address = `${path}?${[...others, `limit=${limit}`, `offset=${start}`].join('&')}`.replaceAll(',', '%2C')
    return `<${address}>; rel="${relation}"`
  }
  const last = lastOffset(limit, offset, total)
  const links = [
    ...(offset + limit < total ? [to('next', offset + limit)] : []),
    to('last', last),
    to('first', 0),
    ...(offset > 0 ? [to('prev', Math.max(0, Math.min(offset - limit, last)))] : []),
  ]
  let length = 0
  const readable = links.filter((link, index) => {
    length += link.length
    return length <= maxLinkLength || (index === 0 && offset + limit < total)
  })
  return { 'x-total-count': String(total), ...(readable.length > 0 && { link: readable.join(', ') }) }
}

/** Where the last page begins, of those that end as this one does. */
function lastOffset(limit: number, offset: number, total: number): number {
  if (total === 0) return 0
  if (offset >= total) return Math.floor((total - 1) / limit) * limit
  return offset + Math.floor((total - 1 - offset) / limit) * limit
}
