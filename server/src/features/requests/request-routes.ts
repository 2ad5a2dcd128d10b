import { documentRequestOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { createRequest, updateRequest } from './document-requests.ts'
import type { RequestLinks } from './request-links.ts'
import { documentRequests } from './request-store.ts'

/** The operations of document requests. */
export function requestRoutes(links: RequestLinks): Route[] {
  return implement(documentRequestOperations, {
    createDocumentRequest: {
      prepare:
        async (_database, { context, body }) =>
        (tx) =>
          createRequest(tx, context, body),
      revive: (request, { context }) => ({
        ...request,
        publicUrl: links.getAddress({ tenantId: context.tenant.id, requestId: request.id }),
      }),
    },
    listDocumentRequests: (database, { context, query }) =>
      readPage(database, context.tenant.id, documentRequests, query),
    getDocumentRequest: (database, { context, params }) =>
      readOne(database, context.tenant.id, documentRequests, params.id),
    updateDocumentRequest: (tx, { context, params, body }) => updateRequest(tx, context, params.id, body),
  })
}
