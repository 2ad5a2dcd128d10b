import type { Envelope } from './mounting.ts'
import { nextLink, pageLinks } from './page-links.ts'
import { problemForm } from './problem-response.ts'

/**
 * The envelope of the Client API: `{ "data": … }`, for rows with `pagination` and the headers Link (RFC 8288),
 * `Next-Cursor` and `Sync-Watermark`; errors are problem documents (RFC 9457).
 */
export function clientEnvelope(publicUrl: string): Envelope {
  return {
    ...problemForm(publicUrl),
    ofRecord: (record) => ({ data: record }),
    recordIn: (body) => (body as { readonly data: unknown }).data,
    ofRows: (rows, pagination) => ({ data: rows, pagination }),
    pageHeaders: ({ url, pagination, nextCursor, watermark }) => {
      const link = pageLinks(publicUrl, url, pagination, nextCursor)
      const headers: Record<string, string> = { 'sync-watermark': watermark }
      if (link !== '') headers.link = link
      if (nextCursor !== null) headers['next-cursor'] = nextCursor
      return headers
    },
    cursorPageHeaders: (url, nextCursor) =>
      nextCursor === null ? {} : { link: nextLink(publicUrl, url, nextCursor), 'next-cursor': nextCursor },
  }
}
