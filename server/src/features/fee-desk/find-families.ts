import { type FamilyHit, feeDeskBounds, type Static } from '@matricula/contract'
import { type Database, sql } from '../../database/index.ts'
import { searchPatterns } from '../../values/index.ts'
import { searchPeople } from '../search/index.ts'

type Hit = Static<typeof FamilyHit>

/**
 * Those by whom a family is found for what was typed: accounts by a number of theirs first, then payers, then people.
 *
 * @param readsStudents Whether whoever types may read students, and so be told by what they and their guardians are known
 */
export async function findFamilies(
  database: Database,
  tenantId: string,
  typed: string,
  readsStudents: boolean,
): Promise<Hit[]> {
  const [numbered, named, people] = await Promise.all([
    findByNumber(database, tenantId, typed.trim()),
    findPayers(database, tenantId, typed),
    readsStudents ? searchPeople(database, tenantId, typed, feeDeskBounds.hits) : [],
  ])
  const hits = new Map([...numbered, ...named].map((hit) => [hit.id, hit]))
  for (const { kind, id, title, detail } of people) {
    hits.set(id, { of: kind === 'guardian' ? 'guardian' : 'student', id, name: title, detail })
  }
  return [...hits.values()].slice(0, feeDeskBounds.hits)
}

const shown = sql`
  'account' as of, a.id, coalesce(a.name, s.full_name) as name,
  concat_ws(' · ', a.account_number, (
    select string_agg(c.full_name, ', ' order by c.full_name)
      from (select distinct h.student_id from billing_shares h
             where h.tenant_id = a.tenant_id and h.account_id = a.id limit 5) h
      join students c on c.tenant_id = a.tenant_id and c.id = h.student_id)) as detail`

/** Accounts that are named by a number of theirs as it stands: their own, that of an invoice, or the reference of a payment. */
function findByNumber(database: Database, tenantId: string, typed: string): Promise<Hit[]> {
  const number = typed.toUpperCase()
  return database.read<Hit>(
    tenantId,
    sql`
    select ${shown}
      from billing_accounts a left join students s on s.tenant_id = ${tenantId} and s.id = a.student_id
     where a.tenant_id = ${tenantId} and a.id in (
             select o.account_id from obligations o
              where o.tenant_id = ${tenantId} and o.reference = ${number.replaceAll(/\s/g, '')}
             union all
             select o.account_id from obligations o where o.tenant_id = ${tenantId} and o.invoice_number = ${number}
             union all
             select n.id from billing_accounts n
              where n.tenant_id = ${tenantId} and n.number = ${numberOf(number)}::integer)
     order by a.number limit ${feeDeskBounds.hits}`,
  )
}

/** The running number of an account that is named as `BA-000017`; null for whatever else. */
function numberOf(typed: string): number | null {
  const digits = /^BA-?0*(\d{1,9})$/.exec(typed)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Payers that are no student, by parts of their names. Students are found as people. */
async function findPayers(database: Database, tenantId: string, typed: string): Promise<Hit[]> {
  const patterns = searchPatterns(typed)
  if (patterns.length === 0) return []
  return database.readSlowly<Hit>(
    tenantId,
    sql`
    select ${shown}
      from billing_accounts a left join students s on s.tenant_id = ${tenantId} and s.id = a.student_id
     where a.tenant_id = ${tenantId} and a.kind <> 'student' and a.search_text like all (${patterns}::text[])
     order by a.search_text, a.number limit ${feeDeskBounds.hits}`,
  )
}
