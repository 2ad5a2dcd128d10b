import {
  formatList,
  type Locale,
  messagesIn,
  missingItems,
  type PageContext,
  type RequestView,
  renderReceipt,
  renderRequestPage,
} from '@matricula/pages'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import {
  ClosedLink,
  fileProblemText,
  type PageResponse,
  type PublicPage,
  problemText,
  type Visit,
} from '../../http/pages/public/index.ts'
import { shortReference } from '../../values/index.ts'
import type { VaultFiles } from '../documents/index.ts'
import { receiveItemFile, removeItemFile } from './public-request-files.ts'
import {
  findPublicRequest,
  type PublicItem,
  type PublicRequest,
  recordView,
  requestIn,
  submitRequest,
} from './public-requests.ts'
import { readReceipt, receiptIn } from './request-receipts.ts'

/** The public pages of document requests: the list of items, its forms, and the receipt. */
export function requestPages(
  files: VaultFiles,
  database: Database,
  { secretKey, sendsMail }: { readonly secretKey: string; readonly sendsMail: boolean },
): PublicPage[] {
  const opened = async (visit: Visit): Promise<PublicRequest> => {
    const request = await findPublicRequest(database, secretKey, visit.params.token as string)
    if (request === null) throw new Problem('resource_not_found', 'There is no such request.')
    if (request.status === 'expired') throw closed('link_expired', request)
    if (request.status === 'revoked') throw closed('link_revoked', request)
    return request
  }
  /** The request and the item of an address. */
  const openItem = async (visit: Visit): Promise<[PublicRequest, PublicItem]> => {
    const request = await opened(visit)
    const item = request.items.find(({ id }) => id === visit.params.item)
    if (item === undefined) throw new Problem('resource_not_found', 'The request has no such item.')
    return [request, item]
  }
  /** Redirects a reload of a POST-only address to the page. */
  const redirectToPage = async ({ params }: Visit): Promise<PageResponse> => ({ kind: 'done', goTo: getPath(params) })
  const page = (
    id: string,
    method: PublicPage['method'],
    below: string,
    response: PublicPage['answer'],
  ): PublicPage => ({
    id,
    method,
    path: `/r/:token${below}`,
    secret: 'token',
    answer: response,
  })
  return [
    page('openRequestPage', 'GET', '', async (visit) => {
      const request = await opened(visit)
      await recordView(database, request, visit)
      return { kind: 'page', html: renderRequestPage(buildView(request, visit)) }
    }),
    page('openRequestReceipt', 'GET', '/receipt', async (visit) => {
      const request = await opened(visit)
      const found = await readReceipt(database, request.tenantId, request.id)
      if (found === null) return redirectToPage(visit)
      const view = buildView(request, visit, '/receipt')
      const { fullName, code, ...receipt } = receiptIn(found, view.place.locale)
      const reference = shortReference(request.id)
      return { kind: 'page', html: renderReceipt({ ...view, ...receipt, forWhom: `${fullName} (${code})`, reference }) }
    }),
    page('uploadRequestFile', 'POST', '/items/:item', async (visit) => {
      const [request, item] = await openItem(visit)
      const rejected = await toErrorResponse(visit, request, item, () => receive(files, database, visit, request, item))
      return rejected ?? redirectToItem(visit, item)
    }),
    page('removeRequestFile', 'POST', '/items/:item/remove', async (visit) => {
      const [request, item] = await openItem(visit)
      const rejected = await toErrorResponse(visit, request, item, () =>
        removeItemFile(database, request, item.id, visit),
      )
      return rejected ?? redirectToItem(visit, item)
    }),
    page('submitRequest', 'POST', '/submit', async (visit) => {
      const request = await opened(visit)
      const mailIn = sendsMail ? getPageContext(request, visit).locale : null
      const rejected = await toErrorResponse(visit, request, null, () =>
        submitRequest(database, request, visit, mailIn),
      )
      return rejected ?? { kind: 'done', goTo: `${getPath(visit.params)}/receipt${getLanguageQuery(visit)}` }
    }),
    page('reloadRequestFile', 'GET', '/items/:item', redirectToPage),
    page('reloadRequestRemoval', 'GET', '/items/:item/remove', redirectToPage),
    page('reloadRequestSubmission', 'GET', '/submit', redirectToPage),
  ]
}

function getPath(params: Visit['params']): string {
  return `r/${params.token}`
}

function getLanguageQuery(visit: Visit): string {
  const { isLocaleChosen, locale } = visit.place('')
  return isLocaleChosen ? `?lang=${locale}` : ''
}

/** Redirects to an item of the page. */
function redirectToItem(visit: Visit, { id }: PublicItem): PageResponse {
  return { kind: 'done', goTo: `${getPath(visit.params)}${getLanguageQuery(visit)}#item-${id}` }
}

function closed(code: 'link_expired' | 'link_revoked', request: PublicRequest): ClosedLink {
  return new ClosedLink(code, { ...request, contact: findContact(request) })
}

function findContact({ contact }: PublicRequest): string | null {
  if (contact === null) return null
  return [contact.name, contact.email, contact.phone].filter((part) => part).join(', ')
}

/** Stores the first file of the form for its item. */
async function receive(
  files: VaultFiles,
  database: Database,
  visit: Visit,
  request: PublicRequest,
  item: PublicItem,
): Promise<void> {
  for await (const part of visit.parts()) {
    if (part.kind !== 'file' || part.fileName === '') continue
    await receiveItemFile(files, database, request, item.id, part, part.bytes, visit)
    return
  }
  throw new NoFile()
}

/** The form has no file. */
class NoFile extends Problem {
  constructor() {
    super('upload_incomplete', 'The form has no file.')
  }
}

/** The page with an error that the user can correct, or null on success. */
async function toErrorResponse(
  visit: Visit,
  request: PublicRequest,
  item: PublicItem | null,
  act: () => Promise<unknown>,
): Promise<PageResponse | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 404) throw error
    if (error.code === 'link_expired' || error.code === 'link_revoked') throw closed(error.code, request)
    const context = getPageContext(request, visit)
    const message = getMessage(context.locale, error, requestIn(request, context.locale), item)
    const view = buildView(request, visit)
    const html = renderRequestPage({ ...view, fault: { itemId: item?.id ?? null, text: message } })
    return { kind: 'refused', problem: error, message, html }
  }
}

function getMessage(locale: Locale, problem: Problem, { items }: PublicRequest, item: PublicItem | null): string {
  const { faults: validationErrors } = messagesIn(locale)
  if (problem instanceof NoFile) return validationErrors.noFile
  if (item !== null) return fileProblemText(locale, problem, item)
  if (problem.extra.rule !== 'required_documents_are_there') return problemText(locale, problem)
  const missing = missingItems(items).map(({ label }) => label)
  return validationErrors.incomplete(formatList(locale, missing))
}

function getPageContext(request: PublicRequest, visit: Visit, below = ''): PageContext {
  return visit.place(getPath(visit.params), below, request.locale, request.language)
}

function buildView(original: PublicRequest, visit: Visit, below = ''): RequestView {
  const context = getPageContext(original, visit, below)
  const request = requestIn(original, context.locale)
  return {
    ...request,
    place: context,
    timeZone: request.tenant.timeZone,
    contact: findContact(request),
    items: request.items.map((item) => ({ ...item, isOpen: request.isOpen && item.status !== 'accepted' })),
    fault: null,
  }
}
