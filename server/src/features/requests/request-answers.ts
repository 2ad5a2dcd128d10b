import type { ChangeContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import { Problem, referenceProblem } from '../../errors/index.ts'
import { lockRequest, storeRequest } from './request-changes.ts'
import { itemStatus } from './request-status.ts'
import type { RequestItem, RequestRecord } from './request-store.ts'

/** An item that waits for a document, and its request, which the transaction has locked. */
export interface OpenItem {
  readonly request: RequestRecord
  readonly item: RequestItem
}

/**
 * The first item of a request that waits for a document of a type: one without any before one whose document was rejected.
 * Throws `reference_not_found`, `state_conflict` for a request that is closed or has all documents of the type, and
 * `rule_violated` when it asks for none.
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
    const detail = 'Every document of this type is there already. A new version is made with its documentId.'
    throw new Problem('state_conflict', detail, { currentState })
  }
  return { request, item }
}

/** Stores that a document which the same transaction has made answers an item. */
export async function storeAnswer(
  tx: Transaction,
  context: ChangeContext,
  { request, item }: OpenItem,
  document: { readonly id: string; readonly status: Parameters<typeof itemStatus>[0] },
): Promise<void> {
  const answered = { documentId: document.id, status: itemStatus(document.status), rejectionReason: null }
  const items = request.items.map((other) => (other.id === item.id ? { ...other, ...answered } : other))
  await storeRequest(tx, context, request, { ...request, items })
}
