import { type Sql, sql } from '../../../database/index.ts'
import { leadingFields, leadingMembers, type RosterClass, referenceFields, textField } from './roster-class.ts'
import { getSchool, isRecord, type RosterContext, reference, sinceEnd, sourcedId } from './roster-context.ts'
import { selectInstructorUser } from './same-person.ts'

const ownId = (context: RosterContext) => sourcedId(context, 'enrollment', sql`o.id`)
const userId = (context: RosterContext) => sourcedId(context, 'user', sql`o.user_id`)
const classId = (context: RosterContext) => sourcedId(context, 'class', sql`o.class_id`)
const school = (context: RosterContext) => getSchool(context, sql`o.department`)
const schoolId = (context: RosterContext) => sourcedId(context, 'org', school(context))

/** The groups that are classes, with the department of each. */
const groups = ({ tenantId, hasSchools }: RosterContext): Sql => sql`
  select g.id, g.disabled, g.updated_at,
         ${
           hasSchools
             ? sql`case when g.group_based_on = 'Course'
                        then coalesce((select c.department from courses c where c.tenant_id = ${tenantId} and c.name = g.course),
                                      (select p.department from programs p where p.tenant_id = ${tenantId} and p.name = g.program))
                        else (select p.department from programs p where p.tenant_id = ${tenantId} and p.name = g.program) end`
             : sql`null::text`
         } as department
    from student_groups g
   where g.tenant_id = ${tenantId} and (g.group_based_on = 'Course' and g.course is not null
                                        or g.group_based_on = 'Batch' and g.program is not null)`

/** Students' and instructors' rows in groups that are classes, and those that were removed. */
export const enrollments: RosterClass = {
  name: 'enrollment',
  source: (context) => {
    const { tenantId, today } = context
    const isOver = sql`(m.active = 0 or m.to_date < ${today}::date or s.status in ('graduated', 'withdrawn') or g.disabled = 1)`
    const stamp = sql`
      greatest(m.updated_at, case when g.disabled = 1 then g.updated_at end,
               case when s.status in ('graduated', 'withdrawn') then s.updated_at end,
               case when m.to_date < ${today}::date then m.to_date + 1 end)`
    const hasLeft = sql`(g.disabled = 1 or coalesce(i.status, 'Active') = 'Left')`
    const stampOfTeacher = sql`
      greatest(m.updated_at, case when g.disabled = 1 then g.updated_at end, case when i.status = 'Left' then i.updated_at end,
               case when earlier.have_left then earlier.left_at end)`
    // Where those before have left, the next one leads the class.
    const leads = sql`(m.idx = 1 or (earlier.have_left and coalesce(i.status, 'Active') <> 'Left'))`
    return sql`
      select m.id, s.id as user_id, m.parent_id as class_id, 'student' as role, 'false' as is_primary, g.department,
             m.from_date as first_day, m.to_date as last_day,
             case when ${isOver} then 'tobedeleted' else 'active' end as status, ${stamp} as stamp
        from student_groups_students m
        join (${groups(context)}) g on g.id = m.parent_id
        join students s on s.tenant_id = ${tenantId} and s.student_code = m.student
       where m.tenant_id = ${tenantId} and (not ${isOver} or ${stamp} > ${sinceEnd})
      union all
      select m.id, ${selectInstructorUser(context, sql`i`)}, m.parent_id, 'teacher',
             case when ${leads} then 'true' else 'false' end, g.department, null, null,
             case when ${hasLeft} then 'tobedeleted' else 'active' end, ${stampOfTeacher}
        from student_groups_instructors m
        join (${groups(context)}) g on g.id = m.parent_id
        join instructors i on i.tenant_id = ${tenantId} and i.name = m.instructor
        left join lateral (
          select bool_and(coalesce(x.status, 'Active') = 'Left') as have_left, max(x.updated_at) as left_at
            from student_groups_instructors e
            join instructors x on x.tenant_id = ${tenantId} and x.name = e.instructor
           where e.tenant_id = ${tenantId} and e.parent_id = m.parent_id and e.idx < m.idx
        ) earlier on true
       where m.tenant_id = ${tenantId} and (not ${hasLeft} or ${stampOfTeacher} > ${sinceEnd})
      union all
      select d.id, (d.record ->> 'member_id')::uuid, (d.record ->> 'group_id')::uuid,
             case d.kind when 'student_groups_students' then 'student' else 'teacher' end, 'false', g.department,
             (d.record ->> 'from_date')::date, (d.record ->> 'to_date')::date, 'tobedeleted', d.deleted_at
        from roster_deletions d
        left join (${groups(context)}) g on g.id = (d.record ->> 'group_id')::uuid
       where d.tenant_id = ${tenantId} and d.kind in ('student_groups_students', 'student_groups_instructors')
         and d.deleted_at > ${sinceEnd} and d.record ? 'member_id'
         and (g.id is not null
              or exists (select from roster_deletions x
                          where x.tenant_id = ${tenantId} and x.kind = 'student_groups'
                            and x.id = (d.record ->> 'group_id')::uuid
                            and x.record ->> 'group_based_on' in ('Course', 'Batch')))
         and not exists (select from student_groups_students m where m.tenant_id = ${tenantId} and m.id = d.id)
         and not exists (select from student_groups_instructors m where m.tenant_id = ${tenantId} and m.id = d.id)`
  },
  fields: (context) => ({
    ...leadingFields(ownId(context), (text) => isRecord(context, 'enrollment', sql`o.id`, text)),
    role: textField(sql`o.role`),
    primary: textField(sql`o.is_primary`),
    beginDate: { type: 'day', value: sql`o.first_day` },
    endDate: { type: 'day', value: sql`(o.last_day + 1)` },
    ...referenceFields(context, 'user', 'user', userId(context), (text) =>
      isRecord(context, 'user', sql`o.user_id`, text),
    ),
    ...referenceFields(context, 'class', 'class', classId(context), (text) =>
      isRecord(context, 'class', sql`o.class_id`, text),
    ),
    ...referenceFields(context, 'school', 'org', schoolId(context), (text) =>
      isRecord(context, 'org', school(context), text),
    ),
  }),
  members: (context) => ({
    ...leadingMembers(ownId(context)),
    user: reference(context, 'user', userId(context)),
    class: reference(context, 'class', classId(context)),
    school: reference(context, 'org', schoolId(context)),
    role: sql`o.role`,
    primary: sql`o.is_primary`,
    beginDate: sql`o.first_day`,
    endDate: sql`o.last_day + 1`,
  }),
  order: sql`o.id`,
  isObject: (context, id) => isRecord(context, 'enrollment', sql`o.id`, id),
  people: sql`array[o.user_id::text]`,
}

/** The condition that an enrolment is of a class at the school with a sourcedId. */
export function isEnrollmentOfSchool(context: RosterContext, sought: string): Sql {
  return isRecord(context, 'org', school(context), sought)
}
