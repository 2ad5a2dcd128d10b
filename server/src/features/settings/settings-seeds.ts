import { educationSettings } from '@matricula/contract/record-types'
import { column, join, sql, type Transaction } from '../../database/index.ts'

/** What a new institution starts with where it differs from the defaults, which older ones keep. */
const ofNewInstitutions = { private_uploads: 1 }

/** Gives a new tenant its settings: the defaults, and uploads that are private unless they are sent as public. */
export function seedSettings(tx: Transaction): void {
  const defaults = Object.entries(educationSettings.fields).flatMap(([name, field]) =>
    'default' in field ? [[name, field.default] as const] : [],
  )
  const values = { ...Object.fromEntries(defaults), ...ofNewInstitutions }
  const columns = join(Object.keys(values).map(column))
  // Nobody saved it yet, so it is as old as the tenant.
  tx.send(sql`
    insert into education_settings (tenant_id, id, name, created_at, updated_at, ${columns})
    select t.id, new_uuid7(), ${educationSettings.name}, t.created_at, t.created_at, ${columns}
      from tenants t, jsonb_populate_record(null::education_settings, ${JSON.stringify(values)}::jsonb) given
     where t.id = ${tx.tenantId}
    on conflict do nothing`)
}
