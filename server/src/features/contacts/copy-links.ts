import { moment, sql, type Transaction } from '../../database/index.ts'
import { newId } from '../../values/index.ts'

/** Copies the contact links of an application to a student, without the applicant, in the same roles and order. */
export async function copyLinks(tx: Transaction, applicationId: string, studentId: string): Promise<void> {
  const links = await tx.query<{ id: string }>(sql`
    select id from application_contacts
     where tenant_id = ${tx.tenantId} and application_id = ${applicationId} and role <> 'applicant'
     order by coalesce(position, 2147483647), created_at, id`)
  const ids = links.map(({ id }) => id)
  tx.send(sql`
    insert into student_contacts (tenant_id, id, student_id, contact_id, role, relationship_label, is_primary, source,
                                  metadata, position, created_at, updated_at)
    select l.tenant_id, n.new_id, ${studentId}, l.contact_id, l.role, l.relationship_label, l.is_primary, l.source,
           l.metadata, n.position, stamp, stamp
      from unnest(${ids}::uuid[], ${ids.map(newId)}::uuid[]) with ordinality as n (id, new_id, position)
      join application_contacts l on l.tenant_id = ${tx.tenantId} and l.id = n.id
     cross join ${moment}
    on conflict (tenant_id, student_id, contact_id, role) do nothing`)
}
