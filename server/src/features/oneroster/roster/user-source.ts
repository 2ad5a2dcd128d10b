import { type Sql, sql } from '../../../database/index.ts'
import type { SourcePart } from './roster-class.ts'
import { bundleMember, type RosterContext, sinceEnd } from './roster-context.ts'
import {
  guardianWith,
  instructorWith,
  isGuardian,
  isNamedElsewhere,
  logInOfInstructor,
  selectGuardianUser,
  selectInstructorUser,
  staffRole,
} from './same-person.ts'

/** The kinds of records that stand for users. */
export type UserBranch = 'student' | 'instructor' | 'guardian' | 'staff'

/**
 * The users of some kinds: `roles` and `departments` (null: none) side by side, the first being the main one; `contact_ids`
 * are those of the guardians that the user is. Present users and deleted ones are parts of their own.
 */
export function userParts(context: RosterContext, branches: readonly UserBranch[]): SourcePart[] {
  return branches.flatMap((branch) => [
    { select: named(present[branch](context)), ...(branch === 'student' && { count: countStudents(context) }) },
    { select: named(deleted[branch](context)) },
  ])
}

const named = (select: Sql) => sql`
  select p.*, p.email is null as without_email
    from (${select}) p (id, identifier, login, given_name, middle_name, family_name, preferred_name, email, phone,
                        is_enabled, status, stamp, roles, departments, contact_ids)`

const present: Readonly<Record<UserBranch, (context: RosterContext) => Sql>> = {
  student: students,
  instructor: instructors,
  guardian: guardians,
  staff,
}

const deleted: Readonly<Record<UserBranch, (context: RosterContext) => Sql>> = {
  student: deletedStudents,
  instructor: deletedInstructors,
  guardian: deletedGuardians,
  staff: deletedStaff,
}

/** All but the last word of a name, and the last one; of one word both are that. */
const allButLast = (name: Sql) => sql`coalesce(nullif(regexp_replace(${name}, '\\s*\\S+\\s*$', ''), ''), trim(${name}))`
const last = (name: Sql) => sql`coalesce(substring(${name} from '(\\S+)\\s*$'), ${name})`

/** The names of a student; who has one name has it twice. */
const studentNames = (given: Sql, middle: Sql, family: Sql, full: Sql) => sql`
  case when coalesce(${given}, '') <> '' then first_name_of(${given}, ${middle}, ${full})
       when coalesce(${family}, '') <> '' then ${family}
       else ${allButLast(full)} end as given_name,
  nullif(middle_name_of(${given}, ${middle}), '') as middle_name,
  case when coalesce(${family}, '') <> '' then ${family}
       when coalesce(${given}, '') <> '' then ${given}
       else ${last(full)} end as family_name`

/** Further roles by a log-in, each with its department or null; empty without a log-in. */
function furtherRoles(context: RosterContext, logIn: Sql, asInstructor: boolean): { roles: Sql; departments: Sql } {
  const { tenantId } = context
  const of = sql`
    from (${
      asInstructor
        ? sql`select 1 as rank, 'teacher' as role, i.department from instructors i
               where i.tenant_id = ${tenantId} and i.id = ${instructorWith(context, logIn)} union all`
        : sql``
    }
          select 2 as rank, 'guardian' as role, null as department where ${guardianWith(context, logIn)} is not null
          union all
          select 3, r.role, null from (select ${staffRole(context, logIn)} as role) r where r.role is not null) further`
  return {
    roles: sql`array(select further.role ${of} order by further.rank)`,
    departments: sql`array(select further.department ${of} order by further.rank)`,
  }
}

function students(context: RosterContext): Sql {
  const { tenantId } = context
  const further = furtherRoles(context, sql`s.user_name`, true)
  const department = sql`coalesce(p.department, ${bundleMember(context, 'user', sql`s.id`, 'department')})`
  return sql`
    select s.id, s.student_code as identifier, s.user_name as login,
           ${studentNames(sql`s.given_names`, sql`s.middle_name`, sql`s.family_names`, sql`s.full_name`)},
           nullif(s.preferred_name, '') as preferred_name, nullif(s.email, '') as email, nullif(s.phone, '') as phone,
           s.status = 'active' as is_enabled,
           case when s.status in ('graduated', 'withdrawn') then 'tobedeleted' else 'active' end as status,
           s.updated_at as stamp,
           case when s.user_name is null then array['student'] else array['student'] || ${further.roles} end as roles,
           case when s.user_name is null then array[${department}]
                else array[${department}] || ${further.departments} end as departments,
           case when s.user_name is null then '{}'::uuid[]
                else array(select x.id from contacts x where x.tenant_id = ${tenantId} and x.user_name = s.user_name)
           end as contact_ids
      from students s
      left join programs p on p.tenant_id = ${tenantId} and p.id = s.program_id
     where s.tenant_id = ${tenantId}
       and (s.status not in ('graduated', 'withdrawn') or s.updated_at > ${sinceEnd})`
}

/** How many rows `students` has: those who are there by the counts of their list, so that only those who left are counted. */
function countStudents({ tenantId }: RosterContext): Sql {
  return sql`
    (select coalesce(sum(k.count), 0) from record_counts k
      where k.tenant_id = ${tenantId} and k.entity_type = 'student' and k.status not in ('graduated', 'withdrawn'))
    + (select count(*) from students s
        where s.tenant_id = ${tenantId} and s.status in ('graduated', 'withdrawn') and s.updated_at > ${sinceEnd})`
}

function deletedStudents({ tenantId }: RosterContext): Sql {
  return sql`
    select d.id, d.record ->> 'student_code', null,
           ${studentNames(
             sql`(d.record ->> 'given_names')`,
             sql`(d.record ->> 'middle_name')`,
             sql`(d.record ->> 'family_names')`,
             sql`(d.record ->> 'full_name')`,
           )},
           null, null, null, false, 'tobedeleted', d.deleted_at, array['student'], array[null::text], '{}'::uuid[]
      from roster_deletions d
     where d.tenant_id = ${tenantId} and d.kind = 'students' and d.deleted_at > ${sinceEnd}`
}

function instructors(context: RosterContext): Sql {
  const { tenantId } = context
  const logIn = logInOfInstructor(context, sql`i`)
  const further = furtherRoles(context, sql`e.user_id`, false)
  const name = sql`coalesce(nullif(i.instructor_name, ''), i.name)`
  return sql`
    select i.id, i.name, ${logIn}, coalesce(nullif(e.first_name, ''), ${allButLast(name)}),
           nullif(e.middle_name, ''), coalesce(nullif(e.last_name, ''), ${last(name)}), null,
           coalesce(nullif(e.company_email, ''), u.email, nullif(i.email, '')), nullif(e.cell_number, ''),
           coalesce(i.status, 'Active') <> 'Left' and coalesce(u.enabled, 1) = 1,
           case i.status when 'Left' then 'tobedeleted' else 'active' end, i.updated_at,
           case when e.user_id is null then array['teacher'] else array['teacher'] || ${further.roles} end,
           case when e.user_id is null then array[i.department] else array[i.department] || ${further.departments} end,
           case when e.user_id is null then '{}'::uuid[]
                else array(select x.id from contacts x where x.tenant_id = ${tenantId} and x.user_name = e.user_id) end
      from instructors i
      left join employees e on e.tenant_id = ${tenantId} and e.name = i.employee
      left join users u on u.tenant_id = ${tenantId} and u.name = e.user_id
     where i.tenant_id = ${tenantId} and ${selectInstructorUser(context, sql`i`)} = i.id
       and (coalesce(i.status, 'Active') <> 'Left' or i.updated_at > ${sinceEnd})`
}

function deletedInstructors({ tenantId }: RosterContext): Sql {
  return sql`
    select d.id, d.record ->> 'name', null, ${allButLast(sql`(d.record ->> 'instructor_name')`)}, null,
           ${last(sql`(d.record ->> 'instructor_name')`)}, null, null, null, false, 'tobedeleted', d.deleted_at,
           array['teacher'], array[null::text], '{}'::uuid[]
      from roster_deletions d
     where d.tenant_id = ${tenantId} and d.kind = 'instructors' and d.deleted_at > ${sinceEnd}`
}

function guardians(context: RosterContext): Sql {
  const { tenantId } = context
  const role = staffRole(context, sql`c.user_name`)
  const department = bundleMember(context, 'user', sql`c.id`, 'department')
  return sql`
    select c.id, c.code, c.user_name, ${allButLast(sql`c.display_name`)}, null, ${last(sql`c.display_name`)}, null,
           nullif(c.email, ''), nullif(c.phone, ''), true, 'active', c.updated_at,
           case when c.user_name is null then array['guardian'] else array_remove(array['guardian', ${role}], null) end,
           case when c.user_name is null then array[${department}] else array[${department}, null::text] end,
           case when c.user_name is null then array[c.id]
                else array(select x.id from contacts x where x.tenant_id = ${tenantId} and x.user_name = c.user_name) end
      from contacts c
     where c.tenant_id = ${tenantId} and ${isGuardian(context, sql`c`)} and ${selectGuardianUser(context, sql`c`)} = c.id`
}

function deletedGuardians({ tenantId }: RosterContext): Sql {
  return sql`
    select d.id, d.record ->> 'code', null, ${allButLast(sql`(d.record ->> 'display_name')`)}, null,
           ${last(sql`(d.record ->> 'display_name')`)}, null, null, null, false, 'tobedeleted', d.deleted_at,
           array['guardian'], array[null::text], '{}'::uuid[]
      from roster_deletions d
     where d.tenant_id = ${tenantId} and d.kind = 'contacts' and d.deleted_at > ${sinceEnd}`
}

/** Accounts with roles of the staff that are no student's, instructor's or guardian's. */
function staff(context: RosterContext): Sql {
  const { tenantId } = context
  const role = staffRole(context, sql`u.name`)
  return sql`
    select u.id, coalesce(nullif(replace(u.username, '@', '_at_'), ''), replace(u.name, '@', '_at_')), u.name,
           coalesce(nullif(u.first_name, ''), ${allButLast(sql`u.full_name`)}), nullif(u.middle_name, ''),
           coalesce(nullif(u.last_name, ''), nullif(u.first_name, ''), ${last(sql`u.full_name`)}), null,
           nullif(u.email, ''), nullif(u.mobile_no, ''), u.enabled = 1, 'active', u.updated_at,
           array[${role}], array[null::text], '{}'::uuid[]
      from users u
     where u.tenant_id = ${tenantId} and u.user_type = 'System User' and ${role} is not null
       and not ${isNamedElsewhere(context, sql`u.name`)}`
}

function deletedStaff({ tenantId }: RosterContext): Sql {
  return sql`
    select d.id, coalesce(nullif(replace(d.record ->> 'username', '@', '_at_'), ''), replace(d.record ->> 'name', '@', '_at_')),
           null, coalesce(nullif(d.record ->> 'first_name', ''), ${allButLast(sql`(d.record ->> 'full_name')`)}), null,
           coalesce(nullif(d.record ->> 'last_name', ''), ${last(sql`(d.record ->> 'full_name')`)}), null, null, null, false,
           'tobedeleted', d.deleted_at, array['siteAdministrator'], array[null::text], '{}'::uuid[]
      from roster_deletions d
     where d.tenant_id = ${tenantId} and d.kind = 'users' and d.record ->> 'user_type' = 'System User'
       and d.deleted_at > ${sinceEnd}`
}
