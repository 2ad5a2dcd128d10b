import { type Board, boardCards, boardOperations, type Funnel, type Query, type Static } from '@matricula/contract'
import { type Database, empty, join, literal, sql } from '../../database/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { searchPatterns } from '../../values/index.ts'
import { programRefColumns } from '../programs/index.ts'
import { loadCompleteness } from '../requirements/index.ts'
import { applications } from './application-store.ts'

type BoardRecord = Static<typeof Board>
type Column = BoardRecord['columns'][number]
type Card = Column['cards'][number]
type BoardQuery = Query<(typeof boardOperations)['readBoard']>

/** The admission pipeline as a board. */
export const boardRoutes: Route[] = implement(boardOperations, {
  readBoard: async (database, { context, query }) => {
    return { record: await readBoard(database, context.tenant.id, query), entityTag: null }
  },
  readFunnel: async (database, { context }) => {
    return { record: { stages: await readStages(database, context.tenant.id) }, entityTag: null }
  },
})

interface CardRow extends Omit<Column, 'cards'> {
  /** Null for a column without cards. */
  readonly id: string | null
  readonly application_code: string
  readonly full_name: string
  readonly program: string
  readonly program_name: string | null
  readonly student_id: string | null
  readonly academic_year: string | null
  readonly photo_url: string | null
  readonly version: number
  readonly program_version: number
  readonly status_since: string
  readonly days: number
}

/**
 * Counts come from the stored counters unless something is filtered, cards from the index of their order, so the cost does not depend on the number
 * of applications.
 */
async function readBoard(
  database: Database,
  tenantId: string,
  { status, cards = boardCards.default, after, search, programId, academicYear }: BoardQuery,
): Promise<BoardRecord> {
  const filters = [
    search === undefined ? [] : [sql`a.search_text like all (${searchPatterns(search)}::text[])`],
    programId === undefined ? [] : [sql`a.program_id = ${programId}`],
    academicYear === undefined ? [] : [sql`a.academic_year = ${academicYear}`],
  ].flat()
  const isFound = filters.length === 0 ? empty : sql`and ${join(filters, ' and ')}`
  const count =
    filters.length === 0
      ? sql`coalesce((select sum(c.count) from record_counts c
                       where c.tenant_id = ${tenantId} and c.entity_type = ${applications.entityType}
                         and c.status = s.key), 0)`
      : sql`(select count(*) from admission_applications a
              where a.tenant_id = ${tenantId} and a.status = s.key ${isFound})`
  const isAfter =
    after === undefined
      ? empty
      : sql`and (a.created_at, a.id) > (
            select l.created_at, l.id from admission_applications l where l.tenant_id = ${tenantId} and l.id = ${after})`
  const rows = await database.readSlowly<CardRow>(
    tenantId,
    sql`
    select s.key as status, s.label, s.category, s.color, s.is_active as "isActive", s.is_terminal as "isTerminal",
           s.requires_complete as "requiresComplete", s.allowed_next as "allowedNext",
           (${count})::bigint as count,
           a.id, a.student_id, a.application_code, a.full_name, a.program, a.academic_year, a.photo_url, a.version, ${programRefColumns},
           coalesce(m.moved_at, a.created_at) as status_since,
           floor(extract(epoch from now() - coalesce(m.moved_at, a.created_at)) / 86400)::integer as days
      from pipeline_statuses s
      left join lateral (
        select * from admission_applications a
         where a.tenant_id = ${tenantId} and a.status = s.key ${isFound} ${isAfter}
         order by a.created_at, a.id limit ${literal(cards)}) a on true
      left join programs p on p.tenant_id = ${tenantId} and p.id = a.program_id
      left join lateral (
        select m.moved_at from application_moves m
         where m.tenant_id = ${tenantId} and m.application_id = a.id order by m.moved_at desc limit 1) m on true
     where s.tenant_id = ${tenantId} ${status === undefined ? empty : sql`and s.key = ${status}`}
     order by s.position, s.key, a.created_at, a.id`,
  )
  const ids = rows.flatMap(({ id }) => id ?? [])
  const complete = await loadCompleteness(database, tenantId, ids)
  const columns = new Map<string, Column>()
  for (const row of rows) {
    const { status: key, label, category, color, isActive, isTerminal, requiresComplete, allowedNext, count } = row
    const column = columns.get(key) ?? {
      ...{ status: key, label, category, color, isActive, isTerminal, requiresComplete, allowedNext, count },
      cards: [],
    }
    columns.set(key, column)
    if (row.id !== null) column.cards.push(toCard(row, row.id, complete.get(row.id)))
  }
  return { columns: [...columns.values()] }
}

function toCard(row: CardRow, id: string, documents: Card['documents'] = { complete: 0, required: 0 }): Card {
  return {
    id,
    entityTag: `"${row.version}.${row.program_version}"`,
    applicationCode: row.application_code,
    fullName: row.full_name,
    program: row.program_name ?? row.program,
    studentId: row.student_id,
    academicYear: row.academic_year,
    photoUrl: row.photo_url,
    statusSince: row.status_since,
    daysInStatus: Math.max(0, row.days),
    documents,
  }
}

/** Counts come from the stored counters, times from all moves. */
function readStages(database: Database, tenantId: string): Promise<Static<typeof Funnel>['stages']> {
  return database.for({ partition: 'long' }).readSlowly(
    tenantId,
    sql`
    with stays as (
      select m.application_id, m.to_status as status, m.moved_at as began,
             lead(m.moved_at) over (partition by m.application_id order by m.moved_at, m.id) as ended
        from application_moves m where m.tenant_id = ${tenantId}),
    stages as (
      select status, count(distinct application_id)::integer as reached,
             round((percentile_cont(0.5) within group (order by extract(epoch from ended - began)) / 86400)::numeric, 1)::float8 as days
        from stays group by status)
    select s.key as status, s.label, s.category,
           coalesce((select sum(c.count) from record_counts c
                      where c.tenant_id = ${tenantId} and c.entity_type = ${applications.entityType} and c.status = s.key),
                    0)::bigint as count,
           coalesce(g.reached, 0) as reached, g.days as "medianDays"
      from pipeline_statuses s left join stages g on g.status = s.key
     where s.tenant_id = ${tenantId}
     order by s.position, s.key`,
  )
}
