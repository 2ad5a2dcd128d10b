import { lockTenantExclusive } from '../concurrency/index.ts'
import { column as columnOf, identifier, sql, type Transaction } from '../database/index.ts'
import { renameCustomLinks } from '../tenancy/custom-fields/index.ts'

/**
 * Renames every reference to a renamed row, by foreign keys on the column of its name or in custom fields. The
 * foreign keys are deferrable and checked at commit, so the order does not matter. Takes the exclusive advisory lock
 * of the tenant until commit.
 */
export async function followRename(
  tx: Transaction,
  renamed: {
    readonly recordType: string
    readonly table: string
    readonly column: string
    readonly from: string
    readonly to: string
  },
): Promise<void> {
  const { from, to } = renamed
  await lockTenantExclusive(tx)
  await tx.query(sql`set constraints all deferred`)
  // Of the tables themselves: where a tenant's rows are reached through views, their names are those of the views.
  const locations = await tx.query<{ table: string; column: string }>(sql`
    select linked.relname::text as table, linking.attname::text as column
      from pg_constraint k
      join pg_class target on target.oid = k.confrelid and target.relnamespace = 'public'::regnamespace
      join pg_class linked on linked.oid = k.conrelid and linked.relnamespace = 'public'::regnamespace
      join pg_attribute named on named.attrelid = k.confrelid and named.attnum = any(k.confkey)
      join pg_attribute linking on linking.attrelid = k.conrelid
                               and linking.attnum = k.conkey[array_position(k.confkey, named.attnum)]
     where k.contype = 'f' and target.relname = ${renamed.table} and named.attname = ${renamed.column}
     order by 1, 2`)
  for (const { table, column } of locations) {
    tx.send(sql`
      update ${identifier(table)} set ${columnOf(column)} = ${to}
       where tenant_id = ${tx.tenantId} and ${columnOf(column)} = ${from}`)
  }
  await renameCustomLinks(tx, renamed.recordType, from, to)
}
