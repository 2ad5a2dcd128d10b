import type { ContactLink, Static } from '@matricula/contract'
import { identifier, type Sql, sql } from '../../database/index.ts'

export type LinkedContact = Static<typeof ContactLink>

/** The tables that link people to a record, and the column that names the record. */
export const linkTables = {
  application_contacts: 'application_id',
  student_contacts: 'student_id',
} as const

export type LinkTable = keyof typeof linkTables

/**
 * A scalar subquery: the contacts of the record whose id is `owner`, oldest first, as JSON; null without any. It is `json`: to aggregate
 * `jsonb` takes PostgreSQL 18 a time that grows with the square of the keys of `metadata`.
 */
export function linkedContacts(table: LinkTable, tenantId: string, owner: Sql): Sql {
  return sql`(
    select json_agg(json_build_object(
             'id', l.id, 'contactId', c.id, 'role', l.role, 'relationshipLabel', l.relationship_label,
             'isPrimary', l.is_primary, 'source', l.source, 'displayName', c.display_name,
             'email', c.email, 'phone', c.phone, 'metadata', l.metadata,
             'createdAt', stamp_text(l.created_at), 'updatedAt', stamp_text(l.updated_at)) order by l.created_at, l.id)
      from ${identifier(table)} l
      join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id
     where l.tenant_id = ${tenantId} and l.${identifier(linkTables[table])} = ${owner})`
}

/** A row with the contacts that `linkedContacts` selects. */
export interface LinkedContactsRow {
  readonly contacts: LinkedContact[] | null
}

/** The readers of a record's contact members. */
export const contactFields = {
  primaryContact: ({ contacts }: LinkedContactsRow): LinkedContact | null => {
    const primary = findPrimary(contacts ?? [])
    return primary === null ? null : toLinkedContact(primary)
  },
  contacts: ({ contacts }: LinkedContactsRow): LinkedContact[] => (contacts ?? []).map(toLinkedContact),
}

/** The primary contact of a record, or null. */
export function findPrimary(links: readonly LinkedContact[]): LinkedContact | null {
  return links.find((link) => link.isPrimary) ?? null
}

/** Restores the contract's order of keys, which jsonb does not keep. */
function toLinkedContact(link: LinkedContact): LinkedContact {
  return {
    id: link.id,
    contactId: link.contactId,
    role: link.role,
    relationshipLabel: link.relationshipLabel,
    isPrimary: link.isPrimary,
    source: link.source,
    displayName: link.displayName,
    email: link.email,
    phone: link.phone,
    metadata: link.metadata,
    createdAt: link.createdAt,
    updatedAt: link.updatedAt,
  }
}
