import { type Sql, sql } from '../../../database/index.ts'
import { selectTerms } from './academic-sessions.ts'
import {
  leadingFields,
  leadingMembers,
  listFields,
  type RosterClass,
  referenceFields,
  textField,
} from './roster-class.ts'
import {
  bundleMember,
  getSchool,
  isRecord,
  type RosterContext,
  reference,
  references,
  sinceEnd,
  sourcedId,
} from './roster-context.ts'

const ownId = (context: RosterContext) => sourcedId(context, 'class', sql`o.id`)
const courseId = (context: RosterContext) => sourcedId(context, 'course', sql`o.course_id`)
const school = (context: RosterContext) => getSchool(context, sql`o.department`)
const schoolId = (context: RosterContext) => sourcedId(context, 'org', school(context))

/** A member as a bundle gave it. */
const given = (context: RosterContext, name: string) => bundleMember(context, 'class', sql`o.id`, name)

/** The times at which its lessons begin, `0900`; without lessons, what a bundle said. */
const periods = (context: RosterContext) => {
  const own = sql`
    array(select distinct to_char(s.from_time, 'HH24MI') from course_schedules s
           where s.tenant_id = ${context.tenantId} and s.student_group = o.name and s.from_time is not null order by 1)`
  return context.hasBundleMembers
    ? sql`coalesce(nullif(${own}, '{}'), string_to_array(${given(context, 'periods')}, ','), '{}')`
    : own
}

/** The room of most of its lessons; without lessons, what a bundle said. */
const location = (context: RosterContext) => sql`coalesce(
  (select s.room from course_schedules s
    where s.tenant_id = ${context.tenantId} and s.student_group = o.name and s.room <> ''
    group by s.room order by count(*) desc, s.room limit 1), ${given(context, 'location')})`

/** Groups of a course, and of a batch as homerooms; one that is disabled has ended. */
export const classes: RosterClass = {
  name: 'class',
  source: ({ tenantId }) => sql`
    select g.id, g.name, coalesce(nullif(g.student_group_name, ''), g.name) as title,
           case g.group_based_on when 'Course' then 'scheduled' else 'homeroom' end as class_type,
           case g.group_based_on when 'Course' then c.id else p.id end as course_id,
           case g.group_based_on when 'Course' then coalesce(c.department, p.department) else p.department end as department,
           g.academic_year, y.id as year_id, t.id as term_id,
           case g.disabled when 1 then 'tobedeleted' else 'active' end as status, g.updated_at as stamp
      from student_groups g
      join academic_years y on y.tenant_id = ${tenantId} and y.name = g.academic_year
      left join academic_terms t on t.tenant_id = ${tenantId} and t.name = g.academic_term
      left join courses c on c.tenant_id = ${tenantId} and c.name = g.course
      left join programs p on p.tenant_id = ${tenantId} and p.name = g.program
     where g.tenant_id = ${tenantId} and (g.disabled = 0 or g.updated_at > ${sinceEnd})
       and ((g.group_based_on = 'Course' and c.id is not null) or (g.group_based_on = 'Batch' and p.id is not null))
    union all
    select d.id, d.record ->> 'name', coalesce(nullif(d.record ->> 'student_group_name', ''), d.record ->> 'name'),
           case d.record ->> 'group_based_on' when 'Course' then 'scheduled' else 'homeroom' end,
           case d.record ->> 'group_based_on' when 'Course' then c.id else p.id end,
           case d.record ->> 'group_based_on' when 'Course' then coalesce(c.department, p.department) else p.department end,
           y.name, y.id, t.id, 'tobedeleted', d.deleted_at
      from roster_deletions d
      join academic_years y on y.tenant_id = ${tenantId} and y.name = d.record ->> 'academic_year'
      left join academic_terms t on t.tenant_id = ${tenantId} and t.name = d.record ->> 'academic_term'
      left join courses c on c.tenant_id = ${tenantId} and c.name = d.record ->> 'course'
      left join programs p on p.tenant_id = ${tenantId} and p.name = d.record ->> 'program'
     where d.tenant_id = ${tenantId} and d.kind = 'student_groups' and d.deleted_at > ${sinceEnd}
       and ((d.record ->> 'group_based_on' = 'Course' and c.id is not null)
            or (d.record ->> 'group_based_on' = 'Batch' and p.id is not null))`,
  fields: (context) => ({
    ...leadingFields(ownId(context), (text) => isRecord(context, 'class', sql`o.id`, text)),
    title: textField(sql`o.title`),
    classCode: textField(sql`o.name`),
    classType: textField(sql`o.class_type`),
    location: textField(location(context)),
    grades: { type: 'texts', value: sql`'{}'::text[]` },
    subjects: { type: 'texts', value: sql`'{}'::text[]` },
    subjectCodes: { type: 'texts', value: sql`'{}'::text[]` },
    periods: { type: 'texts', value: periods(context) },
    ...referenceFields(context, 'course', 'course', courseId(context), (text) =>
      isRecord(context, 'course', sql`o.course_id`, text),
    ),
    ...referenceFields(context, 'school', 'org', schoolId(context), (text) =>
      isRecord(context, 'org', school(context), text),
    ),
    ...listFields('terms', 'academicSession', selectTerms(context)),
  }),
  members: (context) => ({
    ...leadingMembers(ownId(context)),
    title: sql`o.title`,
    classCode: sql`o.name`,
    classType: sql`o.class_type`,
    location: location(context),
    grades: sql`'[]'::json`,
    subjects: sql`'[]'::json`,
    course: reference(context, 'course', courseId(context)),
    school: reference(context, 'org', schoolId(context)),
    terms: references(context, 'academicSession', selectTerms(context)),
    periods: sql`to_json(${periods(context)})`,
  }),
  order: sql`o.id`,
  isObject: (context, id) => isRecord(context, 'class', sql`o.id`, id),
  people: null,
}

/** The condition that a class is taught at the school with a sourcedId. */
export function isClassOfSchool(context: RosterContext, sought: string): Sql {
  return isRecord(context, 'org', school(context), sought)
}
