import { call } from './http.ts'
import type { Preferences } from './session-calls.ts'

/** Something that was found by what was typed. */
export interface SearchHit {
  readonly kind: string
  readonly id: string
  readonly type: string | null
  readonly name: string | null
  readonly title: string
  readonly detail: string
}

/** People and things by parts of their names; accents and order do not matter. Throws `CommandError`, as all of these do. */
export async function find(q: string, signal: AbortSignal): Promise<SearchHit[]> {
  return (await call('GET', '/console/v1/search', { query: { q, limit: 10 }, signal })).body.data
}

/** What was done with a record: by whom, when, and which field became what. */
export interface TimelineEntry {
  readonly id: string
  readonly occurredAt: string
  readonly action: string
  readonly actor: { readonly type: string; readonly name: string | null }
  readonly changes: readonly {
    readonly field: string
    readonly label: string
    readonly from: unknown
    readonly to: unknown
  }[]
}

/** The newest of what was done with a record. */
export async function timeline(type: string, name: string): Promise<TimelineEntry[]> {
  return (await call('GET', '/console/v1/timeline', { query: { type, name, limit: 20 } })).body.data
}

/** A way in which a list is shown, kept under a name. */
export interface SavedView {
  readonly id: string
  readonly title: string
  readonly audience: 'mine' | 'role' | 'everybody'
  readonly settings: { readonly search?: string }
  readonly mayChange: boolean
}

/** The views of a list that are one's own, of one's roles, or everybody's. */
export async function savedViews(list: string): Promise<SavedView[]> {
  return (await call('GET', '/console/v1/saved-views', { query: { list } })).body.data
}

/** Keeps a view of a list. The key is that of the intention, so that a repeated one keeps it once. */
export async function saveView(
  key: string,
  view: { readonly list: string; readonly title: string; readonly audience: string; readonly settings: object },
): Promise<void> {
  await call('POST', '/console/v1/saved-views', { body: view, headers: { 'idempotency-key': key } })
}

/** Removes a view. */
export async function removeView(id: string): Promise<void> {
  await call('DELETE', `/console/v1/saved-views/${id}`)
}

/** Keeps how somebody wants the console to be, for each browser that the person logs in at. What is left out stays as it is. */
export async function savePreferences(wanted: Partial<Preferences>): Promise<void> {
  await call('PATCH', '/console/v1/preferences', { body: wanted })
}
