import { type Sql, sql } from '../../database/index.ts'
import {
  allButLast,
  electronicMail,
  lastWord,
  selectStudents,
  studentReference,
  telephone,
  uniqueId,
} from './common-elements.ts'
import { homeMail, mobilePhone, otherPhone, toRelation } from './descriptors.ts'
import type { InterchangePart } from './interchange-part.ts'
import { element, textElement } from './xml.ts'

interface ContactRow {
  readonly unique_id: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string | null
  readonly phone: string | null
  readonly alternate_number: string | null
}

const contactId = uniqueId(sql`coalesce(c.code, '')`, sql`c.id`)

/** The links between students and the people who are not they themselves, one for each two of them. */
function selectLinks(tenantId: string): Sql {
  return sql`
    select distinct on (l.student_id, l.contact_id) l.*, s.unique_id as student_unique_id
      from student_contacts l
      join (${selectStudents(tenantId)}) s on s.id = l.student_id
     where l.tenant_id = ${tenantId} and l.role <> 'applicant'
     order by l.student_id, l.contact_id, l.is_primary desc, l.position`
}

/** The contacts of students, with how they are reached. */
export const contacts: InterchangePart<ContactRow> = {
  name: 'Contact',
  select: (tenantId) => sql`
    select ${contactId} as unique_id, ${allButLast(sql`c.display_name`)} as first_name,
           ${lastWord(sql`c.display_name`)} as last_name, c.email, c.phone, c.alternate_number
      from contacts c
     where c.tenant_id = ${tenantId} and c.id in (select l.contact_id from (${selectLinks(tenantId)}) l)
     order by c.created_at, c.id`,
  toXml: (row) =>
    element(
      'Contact',
      textElement('ContactUniqueId', row.unique_id),
      element('Name', textElement('FirstName', row.first_name, 75), textElement('LastSurname', row.last_name, 75)),
      telephone(row.phone, mobilePhone),
      telephone(row.alternate_number, otherPhone),
      electronicMail(row.email, homeMail),
    ),
}

interface LinkRow {
  readonly unique_id: string
  readonly student_unique_id: string
  readonly relationship_label: string | null
  readonly is_primary: boolean
  readonly role: string
  readonly position: number
}

/** Who is whose contact. */
export const contactAssociations: InterchangePart<LinkRow> = {
  name: 'StudentContactAssociation',
  select: (tenantId) => sql`
    select l.student_unique_id, l.relationship_label, l.is_primary, l.role, l.position, ${contactId} as unique_id
      from (${selectLinks(tenantId)}) l
      join contacts c on c.tenant_id = ${tenantId} and c.id = l.contact_id
     order by l.student_id, l.position, l.id`,
  toXml: (row) =>
    element(
      'StudentContactAssociation',
      studentReference(row.student_unique_id),
      element('ContactReference', element('ContactIdentity', textElement('ContactUniqueId', row.unique_id))),
      textElement('Relation', toRelation(row.relationship_label)),
      textElement('PrimaryContactStatus', row.is_primary),
      textElement('EmergencyContactStatus', row.role === 'emergency'),
      textElement('ContactPriority', row.position),
    ),
}
