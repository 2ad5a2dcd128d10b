import { clear, createStore, del, get, set } from 'idb-keyval'
import { institutionPath } from '../calls/place.ts'

/** What was typed into a form and not saved, with the record as it was then. */
export interface Draft {
  readonly values: Readonly<Record<string, unknown>>
  readonly modified: string | null
  /** What was sent and not answered, by its key. */
  readonly unanswered?: { readonly key: string; readonly values: Readonly<Record<string, unknown>> } | null
  readonly keptAt: number
}

/** How long a draft is kept, in milliseconds. */
const keptFor = 7 * 24 * 3600 * 1000
const store = () => createStore('matricula-drafts', 'drafts')

/** The key of a form: drafts of another institution or person are never shown. */
export const draftKey = (user: string, type: string, name: string) =>
  JSON.stringify([institutionPath, user, type, name])

/** The draft of a form, or null. Where the browser keeps nothing there is none. */
export async function findDraft(key: string): Promise<Draft | null> {
  const draft = await get<Draft>(key, store()).catch(() => undefined)
  if (draft === undefined || Date.now() - draft.keptAt < keptFor) return draft ?? null
  await forgetDraft(key)
  return null
}

/** Keeps what was typed. */
export async function storeDraft(key: string, draft: Omit<Draft, 'keptAt'>): Promise<void> {
  await set(key, { ...draft, keptAt: Date.now() }, store()).catch(() => {})
}

/** Forgets what was typed, once it is saved or given up. */
export async function forgetDraft(key: string): Promise<void> {
  await del(key, store()).catch(() => {})
}

/** Forgets everything, as whoever logs out on a shared machine expects. */
export async function forgetDrafts(): Promise<void> {
  await clear(store()).catch(() => {})
}
