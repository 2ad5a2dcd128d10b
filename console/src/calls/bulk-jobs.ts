import { call } from './http.ts'
import type { Filter, ListQuestion } from './resource-api.ts'

/** What can be done with many records at once. */
export type BulkAction = 'update' | 'submit' | 'cancel' | 'delete'

/** The records that are meant: by name, or all that meet what a list asks for. */
export type Selection =
  | { readonly names: readonly string[] }
  | { readonly filters: readonly Filter[]; readonly orFilters?: ListQuestion['orFilters'] }

/** What shall be done with which records. */
export type BulkWork = Selection & {
  readonly type: string
  readonly action: BulkAction
  readonly changes?: Readonly<Record<string, unknown>>
}

/** How far something is that is done with many records. */
export interface BulkJob {
  readonly id: string
  readonly type: string
  readonly action: BulkAction | 'undo' | 'ask' | 'run'
  readonly status: 'queued' | 'running' | 'done' | 'cancelled'
  readonly total: number
  readonly done: number
  readonly refused: number
  readonly canUndo: boolean
}

/** Why a record was refused. */
export interface BulkError {
  readonly name: string
  readonly detail: string
}

/** With how many records it would be done, exactly. Throws `CommandError`, as all of these do. */
export async function previewBulk(work: BulkWork): Promise<number> {
  return (await call('POST', '/console/v1/bulk-jobs/preview', { body: work })).body.data.total
}

/** Begins it, unless there are other records by now than were expected. A repeated key begins it once. */
export async function beginBulk(key: string, work: BulkWork, expectedTotal: number): Promise<BulkJob> {
  const options = { body: { ...work, expectedTotal }, headers: { 'idempotency-key': key } }
  return (await call('POST', '/console/v1/bulk-jobs', options)).body.data
}

/** How far it is. Nobody's doing: it is asked again and again. */
export async function bulkJob(id: string): Promise<BulkJob> {
  return (await call('GET', `/console/v1/bulk-jobs/${id}`, { isByItself: true })).body.data
}

/** The first hundred records that were refused. */
export async function bulkErrors(id: string): Promise<BulkError[]> {
  const query = { limit: 100 }
  return (await call('GET', `/console/v1/bulk-jobs/${id}/faults`, { query, isByItself: true })).body.data
}

/** The names of the first hundred records that were changed. */
export async function bulkChanges(id: string): Promise<string[]> {
  const query = { limit: 100 }
  const { body } = await call('GET', `/console/v1/bulk-jobs/${id}/changes`, { query, isByItself: true })
  return body.data.map(({ name }: { readonly name: string }) => name)
}

/** Ends it where it stands; what is done stays done. */
export async function cancelBulk(id: string): Promise<void> {
  await call('POST', `/console/v1/bulk-jobs/${id}/cancel`, { body: {} })
}

/** Begins to give each record what it had before. A repeated key begins it once. */
export async function undoBulk(key: string, id: string): Promise<BulkJob> {
  const options = { body: {}, headers: { 'idempotency-key': key } }
  return (await call('POST', `/console/v1/bulk-jobs/${id}/undo`, options)).body.data
}
