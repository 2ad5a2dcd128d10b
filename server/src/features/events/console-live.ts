import { setTimeout as pause } from 'node:timers/promises'
import { eventScopes, feedBounds, type LiveEvent, liveOperations, type Static } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { type Database, identifier, type Sql, sql } from '../../database/index.ts'
import { implement, mayUse, type Route } from '../../http/index.ts'
import {
  getCaller,
  isManager,
  mayDo,
  ownershipCondition,
  type RecordDefinition,
  type RecordRegistry,
} from '../../record-engine/index.ts'
import { type EventItem, loadFeedBounds, PositionUnknown } from './event-feed.ts'
import { positionProblem, SharedReads } from './event-routes.ts'
import type { EventWatch } from './event-watch.ts'

type Live = Static<typeof LiveEvent>

/** The live feed of the console: which records have changed, limited to what the user may read. */
export function liveRoutes(watch: EventWatch, registry: RecordRegistry): Route[] {
  const recordsOf = new Map(
    registry.all().map((definition) => [definition.storage?.list?.entityType ?? definition.noun, definition] as const),
  )
  const reads = new SharedReads()
  const names = new SharedNames()
  return implement(liveOperations, {
    followLive: {
      read: async (database, { context, query }, location) => {
        const { tenant } = context
        const from = location ?? query.after ?? 'latest'
        if (from === 'latest') {
          const { last } = await loadFeedBounds(database, tenant.id)
          return { records: [], next: String(last), hasMore: false }
        }
        const { limit = feedBounds.limit.default } = query
        const selection = { nouns: readableNouns(context, recordsOf), types: [] }
        try {
          const part = await reads.read(database, tenant.id, { after: Number(from), limit, selection })
          const records = await toVisibleEvents(database, context, { registry, recordsOf, names }, part.events)
          return { records, next: String(part.next), hasMore: part.hasMore }
        } catch (error) {
          throw error instanceof PositionUnknown ? positionProblem(from, error) : error
        }
      },
      getPosition: ({ position }) => position,
      beat,
      wait: async ({ context }, next, signal) => {
        await watch.eventAfter(context.tenant.id, Number(next), signal)
        // Debounced: an import does not wake every reader for each of its records.
        await pause(debounceMs, undefined, { signal }).catch(() => {})
      },
    },
  })
}

/** Pages are told of events and not of comments. Somebody who looks at one expects to be told within seconds that it stays old. */
const beat = { milliseconds: 5_000, frame: 'event: beat\ndata: {}\n\n' }

/** The debounce interval of events, in milliseconds. */
const debounceMs = 500

type RecordsOf = ReadonlyMap<string, RecordDefinition>

/**
 * Whether events of a kind are for System Managers only: accounts, roles, keys, endpoints and the institution itself.
 */
function isOfManagers(noun: string): boolean {
  return eventScopes.get(noun) === 'audit:read'
}

/** The kinds of records of which somebody is told: by the scope that reads them, by the right to the type, some to managers alone. */
function readableNouns(context: RequestContext, recordsOf: RecordsOf): string[] {
  const caller = getCaller(context)
  const nouns = new Set<string>()
  for (const [noun, scope] of eventScopes) {
    if (isOfManagers(noun) ? isManager(caller) : mayUse(context.caller, scope)) nouns.add(noun)
  }
  for (const [noun, { type }] of recordsOf) {
    if (!isOfManagers(noun) && mayDo(caller, type, 'read')) nouns.add(noun)
  }
  return [...nouns]
}

interface LiveContext {
  readonly registry: RecordRegistry
  readonly recordsOf: RecordsOf
  readonly names: SharedNames
}

/** Events with the names of their records, without those of records that the caller does not see. */
async function toVisibleEvents(
  database: Database,
  context: RequestContext,
  { registry, recordsOf, names }: LiveContext,
  events: readonly EventItem[],
): Promise<Live[]> {
  const ids = new Map<string, Set<string>>()
  for (const { entityType, entityId } of events) {
    if (recordsOf.has(entityType)) ids.set(entityType, (ids.get(entityType) ?? new Set()).add(entityId))
  }
  const visible = new Map<string, Visible>()
  for (const [entityType, ofType] of ids) {
    const definition = recordsOf.get(entityType) as RecordDefinition
    visible.set(
      entityType,
      await loadNames(database, context, { registry, names }, entityType, definition, [...ofType]),
    )
  }
  return events.flatMap((event) => {
    const records = visible.get(event.entityType)
    const name = records?.names.get(event.entityId) ?? null
    if (records?.isRestricted && name === null) return []
    const { position, type, entityType: entity, entityId: id, changed, actor } = event
    const recordType = records === undefined ? null : (recordsOf.get(entity)?.type.name ?? null)
    return [{ position, type, entity, id, recordType, name, changed, actor }]
  })
}

interface Visible {
  /** Whether the caller sees some records of the type alone: of others, also of those that are gone, it is told nothing. */
  readonly isRestricted: boolean
  readonly names: ReadonlyMap<string, string>
}

async function loadNames(
  database: Database,
  context: RequestContext,
  { registry, names }: Pick<LiveContext, 'registry' | 'names'>,
  entityType: string,
  definition: RecordDefinition,
  ids: readonly string[],
): Promise<Visible> {
  const caller = getCaller(context)
  const scope = eventScopes.get(entityType) ?? null
  const isOpen = scope !== null && mayUse(context.caller, scope)
  const own = isOpen ? null : ownershipCondition(registry, caller, definition, 'r')
  const { relation } = definition
  const read = () => readNames(database, context.tenant.id, relation, ids, own ?? sql`true`)
  const found = own === null ? names.read(JSON.stringify([context.tenant.id, relation, ids]), read) : read()
  return { isRestricted: own !== null, names: await found }
}

type Names = ReadonlyMap<string, string>

async function readNames(
  database: Database,
  tenantId: string,
  relation: string,
  ids: readonly string[],
  condition: Sql,
): Promise<Names> {
  const rows = await database.readSlowly<{ id: string; name: string }>(
    tenantId,
    sql`select r.id, r.name from ${identifier(relation)} r
         where r.tenant_id = ${tenantId} and r.id = any (${[...ids]}::uuid[]) and ${condition}`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Request coalescing: readers of the same records share one result. */
class SharedNames {
  readonly #reading = new Map<string, Promise<Names>>()

  read(key: string, read: () => Promise<Names>): Promise<Names> {
    const known = this.#reading.get(key)
    if (known !== undefined) return known
    const reading = read().finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }
}
