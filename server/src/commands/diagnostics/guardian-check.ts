import type pg from 'pg'
import { hasUnlikeName } from '../../features/admissions/index.ts'
import type { Check } from './check.ts'

interface AuditedName {
  readonly slug: string
  readonly code: string
  readonly displayName: string
  readonly email: string | null
  readonly phone: string | null
  readonly name: string
}

/** How many guardians of one institution are named. */
const maxNamed = 10

/**
 * Guardians whom the audit has under names that are not alike, who may be two people merged by mistake: of the links
 * that they still have, and of what they were called since they were last split.
 */
export async function checkGuardians(client: pg.Client): Promise<Check> {
  const name = 'guardians'
  const { rows } = await client.query<AuditedName>(`
    select distinct t.slug, c.code, c.display_name as "displayName", c.email, c.phone, n.name
      from (
        select e.tenant_id, l.contact_id, told.entry ->> 'displayName' as name
          from audit_entries e
          join application_contacts l on l.tenant_id = e.tenant_id and l.id = e.entity_id
         cross join lateral (values (e.before), (e.after)) as told (entry)
         where e.entity_type = 'admission_contact' and told.entry ->> 'contactId' = l.contact_id::text
        union all
        select e.tenant_id, e.entity_id, told.entry ->> 'guardian_name'
          from audit_entries e
         cross join lateral (values (e.before), (e.after)) as told (entry)
         where e.entity_type = 'guardian'
           and not exists (select from audit_entries s
                            where s.tenant_id = e.tenant_id and s.entity_id = e.entity_id
                              and s.action = 'guardian.split' and s.id > e.id)) n
      join contacts c on c.tenant_id = n.tenant_id and c.id = n.contact_id
      join tenants t on t.id = n.tenant_id
     where n.name is not null and lower(n.name) <> lower(c.display_name)
     order by 1, 2, 6`)
  const found = new Map<string, Set<string>>()
  for (const { slug, code, displayName, email, phone, name: other } of rows) {
    if (!hasUnlikeName({ displayName, email, phone }, other)) continue
    found.set(slug, (found.get(slug) ?? new Set()).add(code))
  }
  if (found.size === 0) return { name, status: 'ok', detail: 'the audit has each under one name' }
  const listed = [...found].map(([slug, codes]) => {
    const more = codes.size > maxNamed ? ` and ${codes.size - maxNamed} more` : ''
    return `${codes.size} of ${slug} (${[...codes].slice(0, maxNamed).join(', ')}${more})`
  })
  const advice =
    'Two people may have become one. Look with: matricula person split --tenant <slug> --record <code> --dry-run'
  return {
    name,
    status: 'warning',
    detail: `in the audit under names that are not alike: ${listed.join('; ')}. ${advice}`,
  }
}
