import { messagesIn, renderClosedPage } from '@matricula/pages'
import { Visit } from '../../http/pages/public/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { Page, PageCall, PageResponse } from './call.ts'

/** HTML pages at the address of every institution. */
export interface TenantPages {
  /** Their routes from the root of an institution, such as `/login`. */
  readonly paths: readonly string[]
  /** The page at the decoded segments of a path from that root, or null. */
  at(segments: readonly string[]): Page | null
  /**
   * The home page of students and guardians, by whether the institution is addressed by host or by path; null where
   * they use their own page.
   */
  personalHome?(address: 'host' | 'path'): string | null
}

/**
 * Serves a page; without an institution a page that says so. Throws what the page throws, and `MethodNotAllowed`.
 */
export async function servePage(page: Page, call: PageCall): Promise<PageResponse> {
  const { request, identification } = call
  const path = (request.url.split('?')[0] as string).slice(1)
  const context = new Visit(request, call.assets).place(path, '', null, identification.tenant?.language)
  if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
    throw new RecordError('MethodNotAllowed', 'A page takes GET and POST.', { headers: { allow: 'GET, HEAD, POST' } })
  }
  if (identification.tenant === null) {
    const detail = messagesIn(context.locale).account.nowhere
    const closed = {
      place: context,
      reason: 'unknown',
      institution: null,
      contact: null,
      retryAfterSeconds: null,
      detail,
    } as const
    return { status: 404, html: renderClosedPage(closed) }
  }
  return page(call, context)
}
