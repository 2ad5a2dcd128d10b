import { type RecordType, student } from '@matricula/contract/record-types'
import { column, join, literal, type Sql, sql } from '../../database/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'

/** The parameters of methods that suggest records while typing. */
export const searchParameters = {
  doctype: { type: 'string' },
  txt: { type: 'string' },
  searchfield: { type: 'string' },
  start: { type: 'integer' },
  page_len: { type: 'integer' },
  filters: { type: 'json' },
} as const

/** The search text and the page of hits. */
export interface LinkSearch {
  readonly txt: string | null
  readonly searchfield: string | null
  readonly start: number | null
  readonly page_len: number | null
}

const maxHits = 500

/** The page of a list, as SQL: 20 hits by default, at most 500. */
export function getHits({ start, page_len }: LinkSearch): Sql {
  const limit = Math.min(Math.max(page_len ?? 20, 0), maxHits)
  return sql`limit ${literal(limit)} offset ${literal(Math.max(start ?? 0, 0))}`
}

/**
 * The students whose name, or the field that is searched, has what was typed, as rows of name and full name. Methods that
 * reveal it declare the right to all students.
 */
export async function searchStudents(work: RecordWork, search: LinkSearch, condition: Sql): Promise<unknown[][]> {
  const { txt, searchfield } = search
  const field = searchfield !== null && isSearchField(searchfield) ? searchfield : 'name'
  const typed = txt?.toLowerCase() ?? ''
  const has = (name: string) => sql`strpos(lower(coalesce(r.${column(name)}, '')), ${typed}) > 0`
  const found = await work.tx.query<{ name: string; student_name: string | null }>(sql`
    select r.name, r.student_name from student_records r
     where r.tenant_id = ${work.tx.tenantId} and ${condition} and (${join([has(field), has('student_name')], ' or ')})
     order by r.name ${getHits(search)}`)
  return found.map(({ name, student_name }) => [name, student_name])
}

/**
 * Whether a link search may look in a field: the title and those that the type declares to be searched, so that no hit or miss tells
 * what stands in another.
 */
function isSearchField(field: string): boolean {
  const type: RecordType = student
  return field === type.titleField || (type.searchFields ?? []).includes(field)
}
