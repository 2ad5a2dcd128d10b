import type { studentGuardian } from '@matricula/contract/record-types'
import { lockRows } from '../../concurrency/index.ts'
import { identifier, moment, sql, type Transaction } from '../../database/index.ts'
import { getRowName, RecordError, type RecordOf } from '../../record-engine/index.ts'
import { newId } from '../../values/index.ts'
import { type LinkTable, linkTables } from './linked-contacts.ts'

type Row = RecordOf<typeof studentGuardian>

interface StoredLink {
  readonly id: string
  readonly contact_id: string
  readonly guardian: string
  readonly role: string
  readonly label: string | null
  readonly relation: string | null
  /** Its position among the rows, from 1; null when it was never one. */
  readonly position: number | null
}

/** A row with its link; null for a new one. */
interface Matched {
  readonly row: Row
  readonly link: StoredLink | null
}

/**
 * Makes the people linked to a record those of its Student Guardian rows. A link that stays keeps its role, its primary flag
 * and what else the Client API knows of it, also where the row came without its name; its label changes with the relation
 * alone. The first link of all is primary. The applicant's own link is no row and stays.
 *
 * Throws `ValidationError` for somebody who would be linked twice in one role.
 */
export async function storeGuardians(
  tx: Transaction,
  table: LinkTable,
  ownerId: string,
  rows: readonly Row[],
): Promise<void> {
  const owner = identifier(linkTables[table])
  const links = await tx.query<StoredLink>(sql`
    select l.id, l.contact_id, c.code as guardian, l.role, l.relationship_label as label,
           relation_of(l.relationship_label) as relation, l.position
      from ${identifier(table)} l
      join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id
     where l.tenant_id = ${tx.tenantId} and l.${owner} = ${ownerId}
     order by coalesce(l.position, 2147483647), l.created_at, l.id`)
  const shown = table === 'application_contacts' ? links.filter(({ role }) => role !== 'applicant') : links
  const matched = matchRows(rows, shown)
  requireOnce(matched)
  await lockNewlyLinked(tx, matched)
  const stored = new Set(matched.map(({ link }) => link?.id))
  const gone = shown.filter(({ id }) => !stored.has(id)).map(({ id }) => id)
  if (gone.length > 0) {
    tx.send(sql`delete from ${identifier(table)} where tenant_id = ${tx.tenantId} and id = any(${gone}::uuid[])`)
  }
  for (const [index, { row, link }] of matched.entries()) {
    const id = link?.id ?? newId()
    if (link === null) {
      tx.send(sql`
        insert into ${identifier(table)} (tenant_id, id, ${owner}, contact_id, role, relationship_label, is_primary,
                                          source, position, created_at, updated_at)
        select ${tx.tenantId}, ${id}, ${ownerId}, c.id, 'family', ${row.relation || null},
               ${links.length === 0 && index === 0}, 'api', ${index + 1}, stamp, stamp
          from contacts c, ${moment}
         where c.tenant_id = ${tx.tenantId} and c.code = ${row.guardian}`)
    } else {
      const label = (row.relation || null) === link.relation ? link.label : row.relation || null
      const isSame = label === link.label && row.guardian === link.guardian
      if (!isSame || link.position !== index + 1) {
        tx.send(sql`
        update ${identifier(table)} l
           set position = ${index + 1}, relationship_label = ${label}, contact_id = c.id,
               updated_at = ${isSame ? sql`l.updated_at` : sql`greatest(current_stamp(), l.updated_at)`}
          from contacts c
         where l.tenant_id = ${tx.tenantId} and l.id = ${id} and c.tenant_id = l.tenant_id and c.code = ${row.guardian}`)
      }
    }
    row.name = getRowName(id)
  }
}

/** Locks the people to link, so that the record shows their current values. */
async function lockNewlyLinked(tx: Transaction, matched: readonly Matched[]): Promise<void> {
  const codes = matched.filter(({ row, link }) => row.guardian !== link?.guardian).map(({ row }) => row.guardian)
  if (codes.length === 0) return
  const people = await tx.query<{ id: string }>(
    sql`select id from contacts where tenant_id = ${tx.tenantId} and code = any(${codes}::text[])`,
  )
  await lockRows(
    tx,
    'contacts',
    people.map(({ id }) => id),
  )
}

/** Finds the link of each row: the one of its name, else one of the same person that no other row names. */
function matchRows(rows: readonly Row[], links: readonly StoredLink[]): Matched[] {
  const free = new Map(links.map((link) => [getRowName(link.id), link]))
  const take = (link: StoredLink | undefined) => {
    if (link !== undefined) free.delete(getRowName(link.id))
    return link ?? null
  }
  const named = rows.map((row) => take(free.get(row.name)))
  return rows.map((row, index) => ({
    row,
    link: named[index] ?? take([...free.values()].find(({ guardian }) => guardian === row.guardian)),
  }))
}

function requireOnce(matched: readonly Matched[]): void {
  const seen = new Set<string>()
  for (const { row, link } of matched) {
    const location = `${row.guardian} ${link?.role ?? 'family'}`
    if (seen.has(location)) {
      throw new RecordError(
        'ValidationError',
        `Row #${row.idx}: the guardian ${row.guardian} is listed already. Remove the row.`,
      )
    }
    seen.add(location)
  }
}
