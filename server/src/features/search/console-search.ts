import { type SearchHit, type SearchKind, type Static, searchBounds, searchOperations } from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { type Database, literal, sql } from '../../database/index.ts'
import { implement, mayUse, type Route } from '../../http/index.ts'
import {
  getCaller,
  getReading,
  mayDo,
  parseListRequest,
  type Reading,
  type RecordRegistry,
  seesOnlySome,
} from '../../record-engine/index.ts'
import { foundRows, idsOfNames, kindsByScope, kindsByType, scopesOfRecords } from './found-rows.ts'
import { takeWaitingIfPossible } from './waiting-entries.ts'

type Hit = Static<typeof SearchHit>

/** A record that was found, before anything is told of it. */
interface Found {
  readonly kind: SearchKind
  readonly record_id: string
  readonly nearness: number
}

/** Of how many own records of a type somebody who sees only some is searched for at most. */
const maxOwn = 10_000

/** The search of people and things, for people. */
export function searchRoutes(registry: RecordRegistry): Route[] {
  return implement(searchOperations, {
    search: async (database, { context, query }) => {
      const { q, kind, limit = searchBounds.limit.default } = query
      const reading = getReading(database, registry, getCaller(context))
      const { whole, named, partly } = searchable(reading, context, kind)
      await takeWaitingIfPossible(database, context.tenant.id)
      const at = (kinds: readonly SearchKind[], among: readonly string[] | null, byName: boolean) =>
        look(database, context, q, { kinds, among, byName, limit })
      const looks = [
        ...(whole.length === 0 ? [] : [at(whole, null, false)]),
        ...(named.length === 0 ? [] : [at(named, null, true)]),
        ...partly.map(async (one) => at([one], await ownIds(reading, one), true)),
      ]
      const found = (await Promise.all(looks)).flat().sort(byNearness).slice(0, limit)
      return tell(database, context, found)
    },
  })
}

/** Nearest first; among equals people come before things. */
function byNearness(one: Found, other: Found): number {
  return (
    other.nearness - one.nearness || one.kind.localeCompare(other.kind) || one.record_id.localeCompare(other.record_id)
  )
}

/**
 * The kinds of which the caller reads whole records, which it finds by all that they are known by; those of which it may read all
 * records, by their names and codes; and those of which it sees only some.
 */
function searchable({ registry, caller }: Reading, context: RequestContext, wanted?: SearchKind) {
  const whole: SearchKind[] = []
  const named: SearchKind[] = []
  const partly: (keyof typeof kindsByType)[] = []
  for (const [kind, typeName] of Object.entries(kindsByType) as [keyof typeof kindsByType, string][]) {
    const definition = registry.require(typeName)
    const isOpen = kindsByScope[kind]?.some((scope) => mayUse(context.caller, scope)) ?? false
    const mayRead = mayDo(caller, definition.type, 'read')
    if (scopesOfRecords.has(kind) && isOpen) whole.push(kind)
    else if (mayRead && seesOnlySome(registry, caller, definition)) partly.push(kind)
    else if (mayRead && (isOpen || mayDo(caller, definition.type, 'write'))) whole.push(kind)
    else if (mayRead) named.push(kind)
  }
  for (const kind of ['payment', 'document'] as const) {
    if (kindsByScope[kind].some((scope) => mayUse(context.caller, scope))) whole.push(kind)
  }
  const isWanted = (kind: SearchKind) => wanted === undefined || kind === wanted
  return { whole: whole.filter(isWanted), named: named.filter(isWanted), partly: partly.filter(isWanted) }
}

interface Look {
  readonly kinds: readonly SearchKind[]
  /** The ids of the records that are meant; null for all. */
  readonly among: readonly string[] | null
  /** Whether only names and codes are compared. */
  readonly byName: boolean
  readonly limit: number
}

function look(
  database: Database,
  { tenant }: RequestContext,
  typed: string,
  { kinds, among, byName, limit }: Look,
): Promise<Found[]> {
  return database.readSlowly<Found>(
    tenant.id,
    sql`select kind, record_id, nearness
          from search_records(${tenant.id}, ${typed}, ${[...kinds]}::text[], ${literal(limit)},
                              ${among === null ? null : [...among]}::uuid[], ${byName}::boolean)`,
  )
}

/** The ids of the records of a kind that the caller sees. */
async function ownIds({ reader, registry, caller }: Reading, kind: keyof typeof kindsByType): Promise<string[]> {
  const asked = { fields: ['name'], limit_page_length: maxOwn }
  const { statement } = parseListRequest(registry, caller, kindsByType[kind], asked)
  const { relation } = registry.require(kindsByType[kind])
  const rows = await reader.query<{ id: string }>(idsOfNames(caller.tenant.id, relation, statement))
  return rows.map(({ id }) => id)
}

/** What is told of what was found, in its order. What has gone meanwhile is left out. */
async function tell(database: Database, { tenant }: RequestContext, found: readonly Found[]): Promise<Hit[]> {
  const statement = foundRows(tenant.id, found)
  if (statement === null) return []
  const rows = await database.readSlowly<Hit>(tenant.id, statement)
  const byId = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
  return found.flatMap(({ kind, record_id }) => byId.get(`${kind} ${record_id}`) ?? [])
}
