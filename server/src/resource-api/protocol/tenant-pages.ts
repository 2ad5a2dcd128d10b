import { messagesIn, renderClosedPage } from '@matricula/pages'
import { Visit } from '../../http/pages/public/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { Page, PageCall, PageResponse } from './call.ts'

/** Pages for people, at the address of every institution beside its records. */
export interface TenantPages {
  /** Their routes from the root of an institution, such as `/login`. */
  readonly paths: readonly string[]
  /** The page at the decoded segments of an address from that root, or null. */
  at(segments: readonly string[]): Page | null
  /**
   * The page where students and guardians begin, below the address of an institution that is named by its host or by its path; null
   * where they are better off on their own page.
   */
  personalHome?(address: 'host' | 'path'): string | null
}

/**
 * Answers a call of a page, which at an address of no institution is one that says so. Throws what the page throws, and
 * `MethodNotAllowed`.
 */
export async function answerPage(page: Page, call: PageCall): Promise<PageResponse> {
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
