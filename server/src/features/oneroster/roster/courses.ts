import { sql } from '../../../database/index.ts'
import { leadingFields, leadingMembers, type RosterClass, referenceFields, textField } from './roster-class.ts'
import { getSchool, isRecord, type RosterContext, reference, sinceEnd, sourcedId } from './roster-context.ts'

const ownId = (context: RosterContext) => sourcedId(context, 'course', sql`o.id`)
const orgId = (context: RosterContext) => sourcedId(context, 'org', sql`o.org_id`)

/** Courses, and the home course of each program that has a homeroom: its sourcedId is the program's. */
export const courses: RosterClass = {
  name: 'course',
  source: ({ tenantId }) => sql`
    select c.id, c.name as title, coalesce(nullif(c.code, ''), c.name) as course_code, c.department,
           coalesce(d.id, ${tenantId}) as org_id, 'active' as status, c.updated_at as stamp
      from courses c
      left join departments d on d.tenant_id = ${tenantId} and d.name = c.department
     where c.tenant_id = ${tenantId}
    union all
    select p.id, p.name, coalesce(nullif(p.code, ''), nullif(p.program_abbreviation, ''), p.name), p.department,
           coalesce(d.id, ${tenantId}), 'active', p.updated_at
      from programs p
      left join departments d on d.tenant_id = ${tenantId} and d.name = p.department
     where p.tenant_id = ${tenantId}
       and exists (select from student_groups g
                    where g.tenant_id = ${tenantId} and g.program = p.name and g.group_based_on = 'Batch')
    union all
    select d.id, d.record ->> 'name', coalesce(nullif(d.record ->> 'code', ''), d.record ->> 'name'), null,
           ${tenantId}, 'tobedeleted', d.deleted_at
      from roster_deletions d
     where d.tenant_id = ${tenantId} and d.kind = 'courses' and d.deleted_at > ${sinceEnd}`,
  fields: (context) => ({
    ...leadingFields(ownId(context), (text) => isRecord(context, 'course', sql`o.id`, text)),
    title: textField(sql`o.title`),
    courseCode: textField(sql`o.course_code`),
    grades: { type: 'texts', value: sql`'{}'::text[]` },
    subjects: { type: 'texts', value: sql`'{}'::text[]` },
    subjectCodes: { type: 'texts', value: sql`'{}'::text[]` },
    schoolYear: textField(sql`null::text`),
    'schoolYear.sourcedId': textField(sql`null::text`),
    ...referenceFields(context, 'org', 'org', orgId(context)),
  }),
  members: (context) => ({
    ...leadingMembers(ownId(context)),
    title: sql`o.title`,
    courseCode: sql`o.course_code`,
    grades: sql`'[]'::json`,
    subjects: sql`'[]'::json`,
    org: reference(context, 'org', orgId(context)),
  }),
  order: sql`o.id`,
  isObject: (context, id) => isRecord(context, 'course', sql`o.id`, id),
  people: null,
}

/** The condition that a course belongs to the school with a sourcedId. */
export function isCourseOfSchool(context: RosterContext, school: string) {
  return isRecord(context, 'org', getSchool(context, sql`o.department`), school)
}
