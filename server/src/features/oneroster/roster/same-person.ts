import { type Sql, sql } from '../../../database/index.ts'
import type { RosterContext } from './roster-context.ts'

/**
 * One person with one log-in is one user, whatever records there are of it: the student's record stands for it, else the
 * instructor's, else the guardian's, else the account. Of several of a kind the oldest does.
 */

/** The log-in of an instructor: that of the employee. */
export function logInOfInstructor({ tenantId }: RosterContext, instructor: Sql): Sql {
  return sql`(select e.user_id from employees e where e.tenant_id = ${tenantId} and e.name = ${instructor}.employee)`
}

/** The student with a log-in. */
function studentWith({ tenantId }: RosterContext, logIn: Sql): Sql {
  return sql`(select x.id from students x where x.tenant_id = ${tenantId} and x.user_name = ${logIn} order by x.id limit 1)`
}

/** The instructor with a log-in. */
export function instructorWith({ tenantId }: RosterContext, logIn: Sql): Sql {
  return sql`
    (select x.id from employees e join instructors x on x.tenant_id = ${tenantId} and x.employee = e.name
      where e.tenant_id = ${tenantId} and e.user_id = ${logIn} order by x.id limit 1)`
}

/** The guardian with a log-in. */
export function guardianWith(context: RosterContext, logIn: Sql): Sql {
  return sql`
    (select x.id from contacts x
      where x.tenant_id = ${context.tenantId} and x.user_name = ${logIn} and ${isGuardian(context, sql`x`)}
      order by x.id limit 1)`
}

/** Whether a contact is a guardian: of a student, or of nobody yet; whoever only belongs to an application is none. */
export function isGuardian({ tenantId }: RosterContext, contact: Sql): Sql {
  return sql`(
    exists (select from student_contacts l
             where l.tenant_id = ${tenantId} and l.contact_id = ${contact}.id and l.role <> 'applicant')
    or not exists (select from application_contacts l where l.tenant_id = ${tenantId} and l.contact_id = ${contact}.id))`
}

/** The record that stands for an instructor. */
export function selectInstructorUser(context: RosterContext, instructor: Sql): Sql {
  const logIn = logInOfInstructor(context, instructor)
  return sql`case when ${instructor}.employee is null then ${instructor}.id
    else coalesce(${studentWith(context, logIn)}, ${instructorWith(context, logIn)}, ${instructor}.id) end`
}

/** The record that stands for a guardian. */
export function selectGuardianUser(context: RosterContext, guardian: Sql): Sql {
  const logIn = sql`${guardian}.user_name`
  return sql`case when ${logIn} is null then ${guardian}.id
    else coalesce(${studentWith(context, logIn)}, ${instructorWith(context, logIn)}, ${guardianWith(context, logIn)},
                  ${guardian}.id) end`
}

/** The role of an account of the staff, or null. */
export function staffRole({ tenantId }: RosterContext, logIn: Sql): Sql {
  return sql`
    (select case when bool_or(h.role = 'System Manager') then 'systemAdministrator' else 'siteAdministrator' end
       from users u
       join users_roles h on h.tenant_id = ${tenantId} and h.parent_id = u.id
       join roles r on r.tenant_id = ${tenantId} and r.name = h.role and r.desk_access = 1 and r.disabled = 0
      where u.tenant_id = ${tenantId} and u.name = ${logIn} and h.role not in ('Instructor', 'Desk User')
     having count(*) > 0)`
}

/** Whether an account is that of a student, an instructor or a guardian. */
export function isNamedElsewhere(context: RosterContext, logIn: Sql): Sql {
  return sql`coalesce(${studentWith(context, logIn)}, ${instructorWith(context, logIn)}, ${guardianWith(context, logIn)}) is not null`
}
