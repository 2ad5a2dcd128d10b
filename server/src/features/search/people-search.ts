import type { SearchKind } from '@matricula/contract'
import { type Database, literal, sql } from '../../database/index.ts'
import { foundRows } from './found-rows.ts'
import { takeWaitingIfPossible } from './waiting-entries.ts'

/** Somebody who was found, with a second line that tells one from others. */
export interface FoundPerson {
  readonly kind: SearchKind
  readonly id: string
  readonly title: string
  readonly detail: string
}

/**
 * Students and guardians by all that they are known by, the nearest first. For callers that may read whole records of both.
 *
 * @param most The number of people, at most
 */
export async function searchPeople(
  database: Database,
  tenantId: string,
  typed: string,
  most: number,
): Promise<FoundPerson[]> {
  await takeWaitingIfPossible(database, tenantId)
  const found = await database.readSlowly<{ kind: SearchKind; record_id: string }>(
    tenantId,
    sql`select kind, record_id
          from search_records(${tenantId}, ${typed}, array['student', 'guardian'], ${literal(most)}, null, false)`,
  )
  const statement = foundRows(tenantId, found)
  if (statement === null) return []
  const rows = await database.readSlowly<FoundPerson>(tenantId, statement)
  const byId = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
  return found.flatMap(({ kind, record_id }) => byId.get(`${kind} ${record_id}`) ?? [])
}
