import { identifier, sql, type Transaction } from '../../database/index.ts'

/** The tables whose rows the Client API shows with their custom fields. */
export const shownTables: ReadonlySet<string> = new Set([
  'students',
  'admission_applications',
  'payments',
  'programs',
  'courses',
])

/**
 * Makes the custom fields that name a renamed record name it by its new name. A record that the Client API shows gets its
 * next version, so that whoever follows it hears of it. The transaction works alone.
 */
export async function renameCustomLinks(tx: Transaction, type: string, from: string, to: string): Promise<void> {
  const links = await tx.query<{ id: string; fieldname: string; record_table: string }>(sql`
    select id, fieldname, record_table from custom_fields
     where tenant_id = ${tx.tenantId} and fieldtype = 'Link' and options = ${type}`)
  for (const { id, fieldname, record_table } of links) {
    const version = shownTables.has(record_table)
      ? sql`, version = version + 1, updated_at = greatest(current_stamp(), updated_at)`
      : sql``
    tx.send(sql`
      update ${identifier(record_table)}
         set custom_fields = jsonb_set(custom_fields, array[${fieldname}], to_jsonb(${to}::text)) ${version}
       where tenant_id = ${tx.tenantId}
         and id in (select v.record_id from custom_field_values v
                     where v.tenant_id = ${tx.tenantId} and v.field_id = ${id} and v.text_value = ${from})`)
  }
}
