import { identifier, sql } from '../../database/index.ts'
import type { RecordDefinition } from '../record-definition.ts'
import { RecordError } from '../record-error.ts'
import type { StoredRecords } from '../stored-records.ts'

/** Refuses with `LinkExistsError` the deletion of a record that a custom field of another record names. */
export async function requireNoCustomLinks(
  { tx, caller, registry }: Pick<StoredRecords, 'tx' | 'caller' | 'registry'>,
  { type }: RecordDefinition,
  id: string,
  name: string,
): Promise<void> {
  const links = [...caller.tenant.customFields.values()].flat().filter(({ target }) => target?.type === type.name)
  if (links.length === 0) return
  const [found] = await tx.query<{ dt: string; record_id: string }>(sql`
    select f.dt, v.record_id
      from custom_field_values v
      join custom_fields f on f.tenant_id = v.tenant_id and f.id = v.field_id
     where v.tenant_id = ${tx.tenantId} and v.field_id = any(${links.map((link) => link.id)}::uuid[])
       and v.text_value = ${name} and v.record_id <> ${id} limit 1`)
  if (found === undefined) return
  const relation = registry.find(found.dt)?.relation
  const [holder] =
    relation === undefined
      ? []
      : await tx.query<{ name: string }>(sql`
          select r.name from ${identifier(relation)} r where r.tenant_id = ${tx.tenantId} and r.id = ${found.record_id}`)
  throw new RecordError(
    'LinkExistsError',
    `Cannot delete ${type.name} ${name} because it is linked with ${found.dt} ${holder?.name ?? found.record_id}.`,
  )
}
