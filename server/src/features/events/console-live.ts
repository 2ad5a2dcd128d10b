import { eventScopes, feedBounds, type LiveEvent, liveOperations, type Static } from '@matricula/contract'
import { type Database, identifier, sql } from '../../database/index.ts'
import { implement, type Route } from '../../http/implement.ts'
import type { RequestContext } from '../../platform/request-context.ts'
import {
  callerOf,
  isManager,
  mayDo,
  ownershipCondition,
  type RecordDefinition,
  type RecordRegistry,
} from '../../records/index.ts'
import { type EventItem, feedBoundsOf, PositionUnknown, readEvents } from './event-feed.ts'
import { positionProblem } from './event-routes.ts'
import type { EventWatch } from './event-watch.ts'

type Live = Static<typeof LiveEvent>

/** The feed of events as the pages of people follow it: that something happened, of what they may read. */
export function liveRoutes(watch: EventWatch, registry: RecordRegistry): Route[] {
  const recordsOf = new Map(
    registry.all().map((definition) => [definition.storage?.list?.entityType ?? definition.noun, definition] as const),
  )
  return implement(liveOperations, {
    followLive: {
      read: async (database, { context, query }, place) => {
        const { tenant } = context
        const from = place ?? query.after ?? 'latest'
        if (from === 'latest') {
          const { last } = await feedBoundsOf(database, tenant.id)
          return { records: [], next: String(last), hasMore: false }
        }
        const { limit = feedBounds.limit.default } = query
        const selection = { nouns: readableNouns(context, recordsOf), types: [] }
        try {
          const part = await readEvents(database, tenant.id, { after: Number(from), limit, selection })
          const records = await told(database, context, registry, recordsOf, part.events)
          return { records, next: String(part.next), hasMore: part.hasMore }
        } catch (error) {
          throw error instanceof PositionUnknown ? positionProblem(from, error) : error
        }
      },
      positionOf: ({ position }) => position,
      wait: ({ context }, next, signal) => watch.eventAfter(context.tenant.id, Number(next), signal),
    },
  })
}

type RecordsOf = ReadonlyMap<string, RecordDefinition>

/** The kinds of records of which somebody is told: by the scope that reads them, by the right to the type, the rest to managers. */
function readableNouns(context: RequestContext, recordsOf: RecordsOf): string[] {
  const caller = callerOf(context)
  const nouns = new Set<string>()
  for (const [noun, scope] of eventScopes) {
    if (scope === null ? isManager(caller) : context.caller.scopes.has(scope)) nouns.add(noun)
  }
  for (const [noun, { type }] of recordsOf) if (mayDo(caller, type, 'read')) nouns.add(noun)
  return [...nouns]
}

/** Events with the names of their records, without those of records that the caller does not see. */
async function told(
  database: Database,
  context: RequestContext,
  registry: RecordRegistry,
  recordsOf: RecordsOf,
  events: readonly EventItem[],
): Promise<Live[]> {
  const ids = new Map<string, Set<string>>()
  for (const { entityType, entityId } of events) {
    if (recordsOf.has(entityType)) ids.set(entityType, (ids.get(entityType) ?? new Set()).add(entityId))
  }
  const visible = new Map<string, Visible>()
  for (const [entityType, ofType] of ids) {
    const definition = recordsOf.get(entityType) as RecordDefinition
    visible.set(entityType, await namesOf(database, context, registry, definition, [...ofType]))
  }
  return events.flatMap((event) => {
    const records = visible.get(event.entityType)
    const name = records?.names.get(event.entityId) ?? null
    if (records?.isPartly && name === null) return []
    const { position, type, entityType: entity, entityId: id, changed, actor } = event
    const recordType = records === undefined ? null : (recordsOf.get(entity)?.type.name ?? null)
    return [{ position, type, entity, id, recordType, name, changed, actor }]
  })
}

interface Visible {
  /** Whether the caller sees some records of the type alone: of others, also of those that are gone, it is told nothing. */
  readonly isPartly: boolean
  readonly names: ReadonlyMap<string, string>
}

async function namesOf(
  database: Database,
  context: RequestContext,
  registry: RecordRegistry,
  definition: RecordDefinition,
  ids: readonly string[],
): Promise<Visible> {
  const caller = callerOf(context)
  const mayRead = mayDo(caller, definition.type, 'read')
  const own = mayRead ? ownershipCondition(registry, caller, definition, 'r') : null
  const rows = await database.readSlowly<{ id: string; name: string }>(
    context.tenant.id,
    sql`select r.id, r.name from ${identifier(definition.relation)} r
         where r.tenant_id = ${context.tenant.id} and r.id = any (${[...ids]}::uuid[]) and ${own ?? sql`true`}`,
  )
  return { isPartly: own !== null, names: new Map(rows.map(({ id, name }) => [id, name])) }
}
