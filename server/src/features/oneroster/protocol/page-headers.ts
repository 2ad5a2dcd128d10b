/** Where a page lies. */
export interface PageLocation {
  /** The address that was asked, absolute. */
  readonly url: string
  readonly limit: number
  readonly offset: number
  readonly total: number
}

/** The headers of a page: `X-Total-Count`, and `Link` (RFC 8288) to its neighbours, without raw commas in the addresses. */
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
  return { 'x-total-count': String(total), link: links.join(', ') }
}

/** Where the last page begins, of those that end as this one does. */
function lastOffset(limit: number, offset: number, total: number): number {
  if (total === 0) return 0
  if (offset >= total) return Math.floor((total - 1) / limit) * limit
  return offset + Math.floor((total - 1 - offset) / limit) * limit
}
