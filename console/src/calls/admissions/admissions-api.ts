import { call } from '../http.ts'
import type { ShownFile } from './shown-files.ts'

/** An application as the board shows it. */
export interface Card {
  readonly id: string
  readonly entityTag: string
  readonly applicationCode: string
  readonly fullName: string
  readonly program: string
  readonly studentId: string | null
  readonly daysInStatus: number
  readonly documents: { readonly complete: number; readonly required: number }
}

/** A status with how many applications are in it, and the first of them. */
export interface Column {
  readonly status: string
  readonly label: string
  readonly category: string
  readonly isActive: boolean
  readonly isTerminal: boolean
  readonly requiresComplete: boolean
  readonly allowedNext: readonly string[] | null
  readonly count: number
  readonly cards: readonly Card[]
}

/** Which applications the board shows. */
export interface BoardFilters {
  readonly search?: string
  readonly programId?: string
  readonly academicYear?: string
}

/** The pipeline: each status with its exact count. Throws `CallError`, as all of these do. */
export async function board(filters: BoardFilters = {}): Promise<Column[]> {
  return (await call('GET', '/console/v1/board', { query: { ...filters } })).body.data.columns
}

/** How many cards are read of a column at a time. */
export const cardsAtOnce = 50

/** The pipeline with at least so many cards of the columns that are named, if there are as many. */
export async function boardWith(
  wanted: Readonly<Record<string, number>>,
  filters: BoardFilters = {},
): Promise<Column[]> {
  const columns = await board(filters)
  return Promise.all(columns.map((column) => withCards(column, wanted[column.status] ?? 0, filters)))
}

/** The most cards of one answer. */
const maxCards = 500

async function withCards(column: Column, wanted: number, filters: BoardFilters): Promise<Column> {
  const cards = [...column.cards]
  while (cards.length < Math.min(wanted, column.count)) {
    const size = Math.min(maxCards, wanted - cards.length)
    const query = { ...filters, status: column.status, after: cards.at(-1)?.id ?? '', cards: size }
    const [further]: Column[] = (await call('GET', '/console/v1/board', { query })).body.data.columns
    if (further === undefined || further.cards.length === 0) break
    cards.push(...further.cards)
  }
  return { ...column, cards }
}

/** A status as a stage of the way: how many are there, ever were, and how long half of those stayed that moved on. */
export interface Stage {
  readonly status: string
  readonly label: string
  readonly count: number
  readonly reached: number
  readonly medianDays: number | null
}

/** How far applications come. */
export async function funnel(): Promise<Stage[]> {
  return (await call('GET', '/console/v1/board/funnel')).body.data.stages
}

/** Moves an application to a status, unless somebody else changed it since the entity tag; answers the new one. */
export async function move(id: string, entityTag: string, status: string): Promise<string> {
  const { headers } = await call('PATCH', `/console/v1/admissions/applications/${id}`, {
    body: { status },
    headers: { 'if-match': entityTag },
  })
  return headers.get('etag') ?? entityTag
}

/** What was handed in for a document at one time. */
export interface DocumentVersion {
  readonly id: string
  readonly fileName: string
  readonly mimeType: string
  readonly sizeBytes: number
}

/** A document that waits to be judged, with what asks for it. */
export interface ReviewItem {
  readonly document: {
    readonly id: string
    readonly title: string
    readonly documentType: { readonly name: string }
    readonly status: string
    readonly currentVersion: DocumentVersion | null
    readonly links: readonly {
      readonly entityType: 'student' | 'application'
      readonly entityId: string
      readonly entityLabel: string
    }[]
    readonly createdAt: string
  }
  readonly entityTag: string
  readonly requirement: { readonly label: string; readonly instructions: string } | null
  readonly request: { readonly title: string; readonly locale: string | null } | null
  readonly claim: { readonly by: string; readonly isMine: boolean } | null
}

/** The documents that wait, the oldest first, and whether there are more than these. */
export async function reviewQueue(): Promise<{ items: ReviewItem[]; hasMore: boolean }> {
  const { body, headers } = await call('GET', '/console/v1/review-queue', { query: { limit: 50 } })
  return { items: body.data, hasMore: headers.has('next-cursor') }
}

/** Keeps others from judging a version for five minutes. */
export async function claim(documentId: string, versionId: string): Promise<void> {
  await call('POST', '/console/v1/review-queue/claims', { body: { documentId, versionId } })
}

/** Leaves a document to others. */
export async function release(documentId: string): Promise<void> {
  await call('DELETE', `/console/v1/review-queue/claims/${documentId}`)
}

/** A version of a document as it is looked at; each reading of its address is in the audit. */
export function getFile(documentId: string, version: DocumentVersion): ShownFile {
  return { ...version, key: version.id, address: () => fileAddress(documentId, version.id) }
}

async function fileAddress(documentId: string, versionId: string): Promise<string> {
  const query = { disposition: 'inline', versionId }
  const { body } = await call('GET', `/console/v1/vault/documents/${documentId}/download`, { query })
  const address = new URL(body.data.url ?? body.data.downloadUrl, location.href)
  // Files of the service itself are read where the page is, by whichever name the service was called.
  return address.pathname.startsWith('/files/signed/') ? address.pathname + address.search : address.href
}

/** Approves a document, rejects it with a reason that the family reads, or takes that back; answers the new version. */
export async function judge(
  id: string,
  entityTag: string,
  judgement:
    | { readonly status: 'approved' | 'in_review' }
    | { readonly status: 'rejected'; readonly rejectionReason: string },
): Promise<string> {
  const { headers } = await call('PATCH', `/console/v1/vault/documents/${id}`, {
    body: judgement,
    headers: { 'if-match': entityTag },
  })
  return headers.get('etag') ?? ''
}
