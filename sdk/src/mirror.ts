import type { CallOptions } from './caller.ts'
import type { Change, DeletedRecord, SweptRecord } from './changes.ts'
import { type Client, listsSince, type RecordOf, type SweptResource, sweptLists } from './client.ts'
import type { Page } from './pages.ts'
import { sleep } from './steady-sender.ts'

/** A change of a mirrored record, which replaces whatever the copy has under its id. */
export type MirroredChange<Resource extends SweptResource = SweptResource> = {
  [Name in Resource]: { readonly resource: Name } & Change<RecordOf<Name>>
}[Resource]

/** How far a mirror has come. A JSON value, to be stored as it is. */
export interface MirrorState {
  /** The position of the feed that the copy has caught up with. */
  readonly position: string
  /** The position that the copy is being brought to; null where it stands at `position`. */
  readonly target: string | null
  readonly sweeps: { readonly [resource: string]: SweepState }
}

/** Where a sweep goes on, and its own watermark, which its first page brings. */
interface Walk {
  readonly list: 'present' | 'deleted'
  readonly cursor: string
  readonly watermark: string | null
}

interface SweepState {
  /** What the last sweep that was finished leaves to ask for. */
  readonly since: string | null
  /** The target of the last sweep that was finished. */
  readonly reached: string | null
  /** The sweep under way. */
  readonly walk: Walk | null
  /** Versions of records that the next sweep will meet again, by id. */
  readonly handed: { readonly [id: string]: string }
}

/** Where a copy is kept. */
export interface MirrorStore<Resource extends SweptResource> {
  /** The state that was written last; null where the copy is empty. */
  load(): Promise<MirrorState | null>
  /**
   * Applies the changes and keeps the state, best in one transaction. Where that cannot be, apply first and keep the state after it: a
   * process that dies in between gets the same changes again.
   */
  write(changes: readonly MirroredChange<Resource>[], state: MirrorState): Promise<void>
}

export interface MirrorOptions<Resource extends SweptResource> extends CallOptions {
  /** What to copy, in this order: name students before what belongs to them. */
  readonly resources: readonly Resource[]
  readonly store: MirrorStore<Resource>
  /** False: returns once the copy is in step. Otherwise it goes on until the signal ends it. */
  readonly follow?: boolean
  /** The least milliseconds between two rounds, 1000 unless told otherwise. */
  readonly pause?: number
}

/**
 * Keeps a copy of records in step. The event feed tells that something happened, within a second; what it changed is read from the lists,
 * a hundred records at a time, since the watermark of the last time, because a record also shows what belongs to others and changes with
 * it. What comes twice around a watermark is handed over once. It may be ended at any point, and goes on where it was.
 *
 * Needs the scope `events:read` and that of each resource. Throws `Problem` with `position_expired` after standing still for longer than
 * events are kept, and `validation_failed` where the service was put back to an earlier state: then begin anew with an empty copy.
 */
export async function mirror<Resource extends SweptResource>(
  client: Client,
  options: MirrorOptions<Resource>,
): Promise<void> {
  const { resources, store, follow = true, pause = 1000, signal } = options
  const call: CallOptions = { ...(signal && { signal }) }
  try {
    let state = (await store.load()) ?? beginning(await client.events.latest(call))
    for (;;) {
      const isWhole = resources.every((resource) => state.sweeps[resource] !== undefined)
      const moved = () =>
        isWhole ? newPosition(client, state.position, follow ? 30 : 0, call) : client.events.latest(call)
      const target = state.target ?? (await moved())
      if (target !== null) {
        state = { ...state, target }
        for (const resource of resources) state = await sweep(client, resource, state, store, call)
        state = { ...state, position: target, target: null }
        await store.write([], state)
      }
      if (!follow) return
      await sleep(pause, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

function beginning(position: string): MirrorState {
  return { position, target: position, sweeps: {} }
}

/** The position of now, once something has happened since another one; null where nothing has within the wait. */
async function newPosition(client: Client, after: string, wait: number, options: CallOptions): Promise<string | null> {
  const { body } = await client.call('listEvents', { query: { after, wait, limit: 1 }, ...options })
  return body.next === after ? null : await client.events.latest(options)
}

/** Reads what changed of a resource, and then what was deleted, and hands it to the store page by page. */
async function sweep<Resource extends SweptResource>(
  client: Client,
  resource: Resource,
  begun: MirrorState,
  store: MirrorStore<Resource>,
  options: CallOptions,
): Promise<MirrorState> {
  let state = begun
  let own: SweepState = state.sweeps[resource] ?? { since: null, reached: null, walk: null, handed: {} }
  if (own.reached === state.target) return state
  const { present, deleted } = listsSince(client.call, resource, own.since, options)
  let walk: Walk | null = own.walk ?? { list: 'present', cursor: '*', watermark: null }
  while (walk !== null) {
    const { list, cursor }: Walk = walk
    const page: Page<Change<RecordOf<Resource>>> =
      list === 'present' || deleted === null ? changed(await present.page(cursor)) : gone(await deleted.page(cursor))
    const watermark: string = walk.watermark ?? (page.watermark as string)
    const isLast = page.cursor === null && (list === 'deleted' || deleted === null)
    const items = isLast ? [...page.items, ...(await goneSince(client, resource, state, options))] : page.items
    const versions = await Promise.all(items.map(async (change) => [change.id, await versionOf(change)] as const))
    const fresh = items.filter((_, index) => own.handed[versions[index]?.[0] ?? ''] !== versions[index]?.[1])
    if (page.cursor !== null) walk = { list, cursor: page.cursor, watermark }
    else walk = list === 'present' && deleted !== null ? { list: 'deleted', cursor: '*', watermark } : null
    const isOver = walk === null
    const handed = remembered(
      [...Object.entries(own.handed), ...versions],
      isOver ? watermark : (own.since ?? watermark),
    )
    own = isOver ? { since: watermark, reached: state.target, walk, handed } : { ...own, walk, handed }
    state = { ...state, sweeps: { ...state.sweeps, [resource]: own } }
    await store.write(
      fresh.map((change) => ({ resource, ...change }) as MirroredChange<Resource>),
      state,
    )
  }
  return state
}

function changed<Item extends SweptRecord>(page: Page<Item>): Page<Change<Item>> {
  return { ...page, items: page.items.map((record) => ({ id: record.id, record, deleted: null })) }
}

function gone<Item extends SweptRecord>(page: Page<DeletedRecord>): Page<Change<Item>> {
  return { ...page, items: page.items.map((deleted) => ({ id: deleted.id, record: null, deleted })) }
}

/**
 * What was deleted of records that have no list of those, as the feed tells it. Nothing is there before the first sweep is over: what
 * was gone by then is in no list.
 */
async function goneSince<Resource extends SweptResource>(
  client: Client,
  resource: Resource,
  { position, target }: MirrorState,
  options: CallOptions,
): Promise<Change<RecordOf<Resource>>[]> {
  const { deletedEvent } = sweptLists[resource]
  if (deletedEvent === null || position === target) return []
  const gone: Change<RecordOf<Resource>>[] = []
  for await (const event of client.events.list({ ...options, after: position, types: [deletedEvent] })) {
    const { entityId: id, externalId, occurredAt } = event
    gone.push({ id, record: null, deleted: { id, externalId, deletedAt: occurredAt, mergedInto: null } })
  }
  return gone
}

/**
 * What a change hands over, as a text that another one has only if it hands over the same: when it was changed, and a digest of all of
 * it. The stamp alone does not tell, because what a record shows of another one may be written earlier and seen later.
 */
async function versionOf({ record, deleted }: Change<SweptRecord>): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify(record ?? deleted))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  const text = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${record === null ? deleted.deletedAt : record.updatedAt} ${text}`
}

/** So many versions are remembered; what is beyond is handed over twice, which does no harm. */
const mostRemembered = 10_000

/** Of the versions those that the next sweep meets again: it asks for what changed at the watermark or after. */
function remembered(versions: readonly (readonly [string, string])[], watermark: string): { [id: string]: string } {
  return Object.fromEntries(versions.filter(([, version]) => version >= watermark).slice(-mostRemembered))
}
