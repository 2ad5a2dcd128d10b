import { sql } from '../../../database/index.ts'
import { leadingFields, leadingMembers, type RosterClass, referenceFields, textField } from './roster-class.ts'
import { bundleMember, isRecord, type RosterContext, reference, sinceEnd, sourcedId } from './roster-context.ts'

const ownId = (context: RosterContext) => sourcedId(context, 'org', sql`o.id`)
const parentId = (context: RosterContext) =>
  sql`case when o.parent_id is not null then ${sourcedId(context, 'org', sql`o.parent_id`)} end`

/** What a bundle identifies it by, else the abbreviation of the institution or the name of the department. */
const identifier = (context: RosterContext) =>
  sql`coalesce(${bundleMember(context, 'org', sql`o.id`, 'identifier')}, o.identifier)`

/** The institution and its departments. An institution whose departments are schools is a district. */
export const orgs: RosterClass = {
  name: 'org',
  source: ({ tenantId, identifier, hasSchools }) => sql`
    select t.id, t.name, ${hasSchools ? 'district' : 'school'}::text as type, ${identifier}::text as identifier,
           null::uuid as parent_id, 'active' as status, t.updated_at as stamp
      from tenants t where t.id = ${tenantId}
    union all
    select d.id, d.name, case d.is_school when 1 then 'school' else 'department' end, d.name,
           coalesce(p.id, ${tenantId}), case d.disabled when 1 then 'tobedeleted' else 'active' end, d.updated_at
      from departments d
      left join departments p on p.tenant_id = ${tenantId} and p.name = d.parent_department
     where d.tenant_id = ${tenantId} and (d.disabled = 0 or d.updated_at > ${sinceEnd})
    union all
    select d.id, d.record ->> 'name', case d.record ->> 'is_school' when '1' then 'school' else 'department' end,
           d.record ->> 'name', ${tenantId}, 'tobedeleted', d.deleted_at
      from roster_deletions d
     where d.tenant_id = ${tenantId} and d.kind = 'departments' and d.deleted_at > ${sinceEnd}`,
  fields: (context) => ({
    ...leadingFields(ownId(context), (text) => isRecord(context, 'org', sql`o.id`, text)),
    name: textField(sql`o.name`),
    type: textField(sql`o.type`),
    identifier: textField(identifier(context)),
    ...referenceFields(context, 'parent', 'org', parentId(context)),
  }),
  members: (context) => ({
    ...leadingMembers(ownId(context)),
    name: sql`o.name`,
    type: sql`o.type`,
    identifier: identifier(context),
    parent: reference(context, 'org', parentId(context)),
  }),
  order: sql`o.id`,
  isObject: (context, id) => isRecord(context, 'org', sql`o.id`, id),
  people: null,
}
