import type { ChangeContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import { Problem, referenceProblem } from '../../errors/index.ts'
import { lockRequest, storeRequest } from './request-changes.ts'
import { getItemStatus } from './request-status.ts'
import type { RequestItem, RequestRecord } from './request-store.ts'

/** An open item with its request, which the transaction has locked. */
export interface OpenItem {
  readonly request: RequestRecord
  readonly item: RequestItem
}

/**
 * The first open item of a request for a document type: items without a document before rejected ones.
 *
 * @throws Problem `reference_not_found`; `state_conflict` for a request that is closed or has all documents of the
 * type; `rule_violated` when it has no item of the type.
 */
export async function requireOpenItem(
  tx: Transaction,
  context: ChangeContext,
  requestId: string,
  documentTypeId: string,
): Promise<OpenItem> {
  const { record: request } = await lockRequest(tx, context, requestId).catch((error: unknown) => {
    const isUnknown = error instanceof Problem && error.code === 'resource_not_found'
    throw isUnknown ? referenceProblem('requestId', 'document request') : error
  })
  const { status: currentState } = request
  if (request.revokedAt !== null || Date.parse(request.expiresAt) <= Date.now()) {
    throw new Problem('state_conflict', 'This document request is closed. Create a new one.', { currentState })
  }
  const items = request.items.filter((item) => item.documentTypeId === documentTypeId)
  if (items.length === 0) {
    const detail = 'This document request does not ask for a document of this type.'
    throw new Problem('rule_violated', detail, { rule: 'request_asks_for_document_type' })
  }
  const open = items.filter(({ status }) => status === 'pending' || status === 'rejected')
  const item = open.find(({ documentId }) => documentId === null) ?? open[0]
  if (item === undefined) {
    const detail = 'Every document of this type has a file already. To send a new version, name its documentId.'
    throw new Problem('state_conflict', detail, { currentState })
  }
  return { request, item }
}

/** Links a document of the same transaction to an item. */
export async function linkItemDocument(
  tx: Transaction,
  context: ChangeContext,
  { request, item }: OpenItem,
  document: { readonly id: string; readonly status: Parameters<typeof getItemStatus>[0] },
): Promise<void> {
  const changes = { documentId: document.id, status: getItemStatus(document.status), rejectionReason: null }
  const items = request.items.map((other) => (other.id === item.id ? { ...other, ...changes } : other))
  await storeRequest(tx, context, request, { ...request, items })
}
