import {
  type Asked,
  type Asking,
  type JobPreview,
  type Preview,
  previewRequests,
  type Whom,
} from '../../calls/admissions/requests-api.ts'
import { draftKey, findDraft, forgetDraft, storeDraft } from '../../session/drafts.ts'

/** What is kept of asking many: whom, under which key and since when; nothing that says who they are. */
interface Begun {
  /** With it each is asked once, however often it is tried. */
  readonly key: string
  /** When the key was made, in milliseconds. */
  readonly begunAt: number
  readonly asked: Asked
  readonly asking: Asking
  readonly message: string
  readonly people: readonly { readonly entityId: string; readonly notify: boolean }[]
}

/** What is going to be asked of whom, with who they are. */
export interface Sending extends Begun {
  readonly preview: Preview
}

/** What is going to be asked of many, as it was weighed. */
export interface Many {
  /** Of the intention: a tap that is repeated begins once. */
  readonly key: string
  readonly asked: Asked
  readonly whom: Whom
  readonly asking: Asking
  readonly message: string
  readonly preview: JobPreview
}

/** Those of whom no address is known, whom no job asks; nothing of it says who they are. */
export interface Unreached {
  readonly asked: Asked
  readonly asking: Asking
  readonly message: string
  readonly ids: readonly string[]
}

/** For how long the service surely knows who was asked under a key, in milliseconds: a day, less an hour. */
const knownFor = 23 * 3600 * 1000
const getLocation = (user: string) => draftKey(user, 'vault_request', 'sending')

/** Whether the key of a sending may still be used: later, who was asked could be asked again. */
export const isKnown = ({ begunAt }: Begun) => Date.now() - begunAt < knownFor

/** The sending that a preview leads to: nobody of whom nothing is missing, or who is asked for all of it already. */
export function newSending(asked: Asked, asking: Asking, message: string, preview: Preview): Sending {
  const people = preview.asked
    .filter(({ asks, isAsked }) => asks.length > 0 && !isAsked)
    .map(({ entityId, recipientEmail }) => ({ entityId, notify: recipientEmail !== null }))
  return { key: crypto.randomUUID(), begunAt: Date.now(), asked, asking, message, people, preview }
}

/** Those of whom no address is known among those who were weighed. */
export function unreachedAmong({ asked, asking, message, preview }: Many): Unreached {
  return { asked, asking, message, ids: preview.unreachedIds }
}

const besideJob = (user: string, job: string) => draftKey(user, 'vault_request', `no address ${job}`)

/** Keeps whom a job will not ask, so that it is known after its page was loaded again. */
export async function storeUnreached(user: string, job: string, unreached: Unreached): Promise<void> {
  if (unreached.ids.length > 0) await storeDraft(besideJob(user, job), { values: { ...unreached }, modified: null })
}

/** Whom a job that somebody began on this browser does not ask, or null. */
export async function storedUnreached(user: string, job: string): Promise<Unreached | null> {
  return ((await findDraft(besideJob(user, job)))?.values ?? null) as Unreached | null
}

/** Keeps a sending until each was asked, so that it goes on after the page was closed. */
export async function storeSending(user: string, { preview: _, ...begun }: Sending): Promise<void> {
  await storeDraft(getLocation(user), { values: begun, modified: null })
}

/** Somebody's sending that was not over, or null. */
export async function storedSending(user: string): Promise<Begun | null> {
  const begun = ((await findDraft(getLocation(user)))?.values ?? null) as Begun | null
  if (begun === null || isKnown(begun)) return begun
  await forgetDraft(getLocation(user))
  return null
}

/** Forgets a sending, and no other one that began in another window since. */
export async function forgetSending(user: string, key: string): Promise<void> {
  const stored = (await findDraft(getLocation(user)))?.values
  if (stored?.key === key) await forgetDraft(getLocation(user))
}

/** A sending that was not over, with who they are as it is known by now. Throws `CommandError`. */
export async function resumed(begun: Begun): Promise<Sending> {
  const ids = begun.people.map(({ entityId }) => entityId)
  return { ...begun, preview: await previewRequests(begun.asked, ids, begun.asking) }
}
