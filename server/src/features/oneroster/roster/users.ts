import { type Sql, sql } from '../../../database/index.ts'
import { leadingFields, leadingMembers, listFields, type RosterClass, textField, unionAll } from './roster-class.ts'
import {
  bundleMember,
  getSchool,
  isRecord,
  type RosterContext,
  reference,
  references,
  sourcedId,
} from './roster-context.ts'
import { selectGuardianUser } from './same-person.ts'
import { type UserBranch, userParts } from './user-source.ts'

const ownId = (context: RosterContext) => sourcedId(context, 'user', sql`o.id`)

/** A member as a bundle gave it. */
const given = (context: RosterContext, name: string) => bundleMember(context, 'user', sql`o.id`, name)

/** What identifies the user: in the system that the bundles come from, else our own code. */
const identifier = (context: RosterContext) => sql`coalesce(${given(context, 'identifier')}, o.identifier)`
const masterIdentifier = (context: RosterContext) =>
  sql`coalesce(${given(context, 'userMasterIdentifier')}, o.id::text)`
const phone = (context: RosterContext) => sql`coalesce(o.phone, ${given(context, 'phone')})`
const preferredName = (context: RosterContext) =>
  sql`coalesce(o.preferred_name, ${given(context, 'preferredGivenName')})`

/** A part of the name as a bundle gave it, as long as the name is still that of the bundle: ours may not tell where the parts end. */
const namePart = (context: RosterContext, part: Sql, name: 'givenName' | 'familyName') =>
  context.hasBundleMembers
    ? sql`
        case when ${given(context, 'givenName')} || ' ' || ${given(context, 'familyName')} = o.given_name || ' ' || o.family_name
             then ${given(context, name)} else ${part} end`
    : part
const givenName = (context: RosterContext) => namePart(context, sql`o.given_name`, 'givenName')
const familyName = (context: RosterContext) => namePart(context, sql`o.family_name`, 'familyName')

/** The log-in where it has no `@`, else the user name that a bundle gave, else what identifies the user, without an `@` too. */
const username = (context: RosterContext) => sql`
  coalesce(case when o.login is not null then (
             select case when u.username <> '' and u.username not like '%@%' then u.username
                         when u.name not like '%@%' then u.name end
               from users u where u.tenant_id = ${context.tenantId} and u.name = o.login) end,
           ${given(context, 'username')},
           ${context.hasBundleMembers ? sql`case when ${identifier(context)} not like '%@%' then ${identifier(context)} end` : sql`null`},
           o.identifier)`

/** The ids of a student's guardians, or of a guardian's students. Nearly nobody is both: one without children has no list of these. */
const agentIds = (context: RosterContext) => {
  const guardiansOf = sql`
    select ${selectGuardianUser(context, sql`c`)} as id
      from student_contacts l
      join contacts c on c.tenant_id = ${context.tenantId} and c.id = l.contact_id
     where l.tenant_id = ${context.tenantId} and l.student_id = o.id and l.role <> 'applicant'`
  const studentsOf = sql`
    select l.student_id from student_contacts l
      join students s on s.tenant_id = ${context.tenantId} and s.id = l.student_id
     where l.tenant_id = ${context.tenantId} and l.contact_id = any (o.contact_ids) and l.role <> 'applicant'
       and s.status not in ('graduated', 'withdrawn')`
  return sql`
    case when cardinality(o.contact_ids) = 0 then array(select distinct a.id from (${guardiansOf}) a)
         else array(select a.id from (${guardiansOf} union ${studentsOf}) a) end`
}

/** The sourcedIds of a student's guardians, or of a guardian's students. */
const agents = (context: RosterContext) => sql`
  array(select ${sourcedId(context, 'user', sql`a.id`)} from unnest(${agentIds(context)}) as a (id) order by 1)`

/** The organisation of a role, by its position. */
const roleOrg = (context: RosterContext, position: Sql) => getSchool(context, sql`o.departments[${position}]`)

/** The roles with their organisations. Nearly everybody has one: it is built without an aggregate, in half the time. */
const roles = (context: RosterContext) => sql`
  case when cardinality(o.roles) = 1 then (
    select json_build_array(json_build_object(
             'roleType', 'primary', 'role', o.roles[1], 'org', ${reference(context, 'org', sql`r.org`)}))
      from (select ${sourcedId(context, 'org', roleOrg(context, sql`1`))} as org) r)
  else (
    select json_agg(json_build_object(
             'roleType', case when r.place = 1 then 'primary' else 'secondary' end,
             'role', r.role, 'org', ${reference(context, 'org', sql`r.org`)}) order by r.n)
      from (select r.role, r.n, ${sourcedId(context, 'org', sql`r.org_id`)} as org,
                   row_number() over (partition by r.org_id order by r.n) as place
              from (select r.role, r.n, ${roleOrg(context, sql`r.n`)} as org_id
                      from unnest(o.roles) with ordinality as r (role, n)) r) r) end`

/** The sourcedIds of the organisations of a user, each once. */
const orgIds = (context: RosterContext) => sql`
  array(select ${sourcedId(context, 'org', sql`r.org_id`)}
          from (select distinct ${roleOrg(context, sql`r.n`)} as org_id
                  from unnest(o.roles) with ordinality as r (role, n)) r
         order by r.org_id)`

/** The sourcedId of the first organisation of a user. */
const firstOrg = (context: RosterContext) => sql`
  case when cardinality(o.roles) = 1 then ${sourcedId(context, 'org', roleOrg(context, sql`1`))}
       else (${orgIds(context)})[1] end`

/** The first role in the vocabulary of 1.1. */
const firstRole = sql`
  case when o.roles[1] in ('siteAdministrator', 'systemAdministrator') then 'administrator' else o.roles[1] end`

/** Everybody: students, instructors, guardians and staff, or those of some kinds. */
export function selectUsers(branches: readonly UserBranch[]): RosterClass {
  return {
    name: 'user',
    source: (context) => unionAll(userParts(context, branches).map(({ select }) => select)),
    parts: (context) => userParts(context, branches),
    fields: (context) => ({
      ...leadingFields(ownId(context), (text) => isRecord(context, 'user', sql`o.id`, text)),
      username: textField(username(context)),
      enabledUser: textField(sql`o.is_enabled::text`),
      givenName: textField(givenName(context)),
      familyName: textField(familyName(context)),
      middleName: textField(sql`o.middle_name`),
      identifier: textField(identifier(context)),
      email: textField(sql`o.email`),
      phone: textField(phone(context)),
      sms: textField(sql`null::text`),
      grades: { type: 'texts', value: sql`'{}'::text[]` },
      ...listFields('agents', 'user', agents(context)),
      ...(context.version === '1.1'
        ? {
            role: textField(firstRole),
            ...listFields('orgs', 'org', orgIds(context)),
            userIds: { type: 'texts', value: sql`'{}'::text[]` } as const,
          }
        : {
            userMasterIdentifier: textField(masterIdentifier(context)),
            preferredFirstName: textField(preferredName(context)),
            preferredMiddleName: textField(sql`null::text`),
            preferredLastName: textField(sql`null::text`),
            pronouns: textField(sql`null::text`),
            'roles.role': { type: 'texts', value: sql`o.roles` } as const,
            'roles.roleType': { type: 'texts', value: sql`array['primary']` } as const,
            ...listFields('roles.org', 'org', orgIds(context)),
            primaryOrg: textField(sql`(${orgIds(context)})[1]`),
            'primaryOrg.sourcedId': textField(sql`(${orgIds(context)})[1]`),
            roles: { type: 'texts', value: sql`o.roles` } as const,
            userIds: { type: 'texts', value: sql`'{}'::text[]` } as const,
          }),
    }),
    members: (context) => {
      const names = {
        username: username(context),
        enabledUser: sql`o.is_enabled::text`,
        givenName: givenName(context),
        familyName: familyName(context),
        middleName: sql`o.middle_name`,
      }
      const rest = {
        identifier: identifier(context),
        email: sql`o.email`,
        phone: phone(context),
        agents: references(context, 'user', agents(context)),
      }
      if (context.version === '1.1') {
        return {
          ...leadingMembers(ownId(context)),
          ...names,
          userIds: sql`'[]'::json`,
          role: firstRole,
          ...rest,
          orgs: references(context, 'org', orgIds(context)),
          grades: sql`'[]'::json`,
        }
      }
      return {
        ...leadingMembers(ownId(context)),
        userMasterIdentifier: masterIdentifier(context),
        ...names,
        preferredFirstName: preferredName(context),
        roles: roles(context),
        ...rest,
        primaryOrg: sql`(select ${reference(context, 'org', sql`r.org`)} from (select ${firstOrg(context)} as org offset 0) r)`,
        grades: sql`'[]'::json`,
      }
    },
    order: sql`o.without_email, o.id`,
    isObject: (context, id) => isRecord(context, 'user', sql`o.id`, id),
    people: sql`array[o.id::text]`,
  }
}

/** The condition that a user has a role, at the organisation with a sourcedId where one is given. */
export function hasRole(context: RosterContext, role: string, org?: string): Sql {
  if (org === undefined) return sql`${role} = any (o.roles)`
  return sql`exists (
    select from (select ${roleOrg(context, sql`r.n`)} as org_id from unnest(o.roles) with ordinality as r (role, n)
                  where r.role = ${role}) r
     where ${isRecord(context, 'org', sql`r.org_id`, org)})`
}
