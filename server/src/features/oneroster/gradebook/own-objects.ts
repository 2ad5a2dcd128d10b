import { type Sql, sql } from '../../../database/index.ts'
import { getSchool, type RosterContext, sinceEnd, sourcedId } from '../roster/roster-context.ts'
import type { GradebookKind } from './gradebook-kinds.ts'

/** Of our assessments an id names a record, so that no platform can have chosen the same. */
const defaultSuffix = '_category'

const classId = (context: RosterContext, id: Sql) => sourcedId(context, 'class', id)

/** The category of what has no other: every class has one. One that a bundle brought from another institution takes its place. */
const defaultCategory = ({ tenantId }: RosterContext) => sql`
  coalesce((select min(e.sourced_id) from gradebook_entries e
             where e.tenant_id = ${tenantId} and e.kind = 'category' and e.is_from_bundle
               and right(e.sourced_id, ${defaultSuffix.length}) = ${defaultSuffix}),
           ${`${tenantId}${defaultSuffix}`})`

/** Assessment Criteria Groups and Assessment Criteria, and one that stands for all work: platforms refer to it before any other. */
const categories = (context: RosterContext) => {
  const { tenantId } = context
  const stored = sql`
    select g.id, g.name, g.created_at, g.updated_at from assessment_criteria_groups g where g.tenant_id = ${tenantId}
    union all
    select c.id, c.name, c.created_at, c.updated_at from assessment_criteria c where c.tenant_id = ${tenantId}`
  return sql`
    select c.id::text, jsonb_build_object('title', c.name), null::uuid, null::uuid, null::text, 'active', c.updated_at, null::uuid
      from (${stored}) c
    union all
    select ${`${tenantId}${defaultSuffix}`}::text, jsonb_build_object('title', 'Coursework'), null, null, null, 'active',
           t.created_at, null
      from tenants t
     where t.id = ${tenantId} and ${defaultCategory(context)} = ${`${tenantId}${defaultSuffix}`}`
}

/** The classes that plans are of, with the department of each; one that ended long ago is none any more, see `classes`. */
const planned = ({ tenantId }: RosterContext) => sql`
  select g.id, g.name, g.disabled,
         case when g.group_based_on = 'Course' then coalesce(c.department, p.department) else p.department end as department
    from student_groups g
    left join courses c on c.tenant_id = ${tenantId} and c.name = g.course
    left join programs p on p.tenant_id = ${tenantId} and p.name = g.program
   where g.tenant_id = ${tenantId} and (g.disabled = 0 or g.updated_at > ${sinceEnd})
     and (g.group_based_on = 'Course' and g.course is not null or g.group_based_on = 'Batch' and g.program is not null)`

/** The category of a plan: the group of its first criterion, else the criterion. */
const categoryOfPlan = (context: RosterContext) => sql`
  coalesce((select coalesce(cg.id, c.id)::text
              from assessment_plans_assessment_criteria r
              join assessment_criteria c on c.tenant_id = ${context.tenantId} and c.name = r.assessment_criteria
              left join assessment_criteria_groups cg
                on cg.tenant_id = ${context.tenantId} and cg.name = c.assessment_criteria_group
             where r.tenant_id = ${context.tenantId} and r.parent_id = a.id order by r.idx limit 1),
           ${defaultCategory(context)})`

/** Submitted Assessment Plans of groups that are classes. */
const lineItems = (context: RosterContext) => {
  const { tenantId } = context
  const school = sourcedId(context, 'org', getSchool(context, sql`g.department`))
  return sql`
    select a.id::text,
           jsonb_strip_nulls(jsonb_build_object(
             'title', coalesce(nullif(a.assessment_name, ''), a.name),
             'assignDate', stamp_text(coalesce(a.schedule_date, a.created_at::date)::timestamp at time zone 'UTC'),
             'dueDate', stamp_text(coalesce(a.schedule_date, a.created_at::date)::timestamp at time zone 'UTC'),
             'class', ${classId(context, sql`g.id`)}, 'school', ${school}, 'category', ${categoryOfPlan(context)},
             'academicSession', ${sourcedId(context, 'academicSession', sql`t.id`)},
             'scoreScale', s.id::text, 'resultValueMin', 0, 'resultValueMax', a.maximum_assessment_score)),
           g.id, null::uuid, null::text, 'active', a.updated_at, null::uuid
      from assessment_plans a
      join (${planned(context)}) g on g.name = a.student_group
      left join academic_terms t on t.tenant_id = ${tenantId} and t.name = a.academic_term
      left join grading_scales s on s.tenant_id = ${tenantId} and s.name = a.grading_scale
     where a.tenant_id = ${tenantId} and a.docstatus = 1`
}

/** Submitted Assessment Results of these, of students who are users. */
const results = (context: RosterContext) => {
  const { tenantId } = context
  return sql`
    select r.id::text,
           jsonb_strip_nulls(jsonb_build_object(
             'lineItem', a.id::text, 'student', ${sourcedId(context, 'user', sql`s.id`)},
             'class', ${classId(context, sql`g.id`)}, 'scoreScale', x.id::text, 'scoreStatus', 'fully graded',
             'score', r.total_score, 'textScore', nullif(r.grade, ''),
             'scoreDate', coalesce(a.schedule_date, r.created_at::date), 'comment', nullif(r.comment, ''))),
           g.id, s.id, a.id::text, 'active', r.updated_at, null::uuid
      from assessment_results r
      join assessment_plans a on a.tenant_id = ${tenantId} and a.name = r.assessment_plan and a.docstatus = 1
      join (${planned(context)}) g on g.name = a.student_group
      join students s on s.tenant_id = ${tenantId} and s.student_code = r.student
      left join grading_scales x on x.tenant_id = ${tenantId} and x.name = r.grading_scale
     where r.tenant_id = ${tenantId} and r.docstatus = 1
       and (s.status not in ('graduated', 'withdrawn') or s.updated_at > ${sinceEnd})`
}

/** Submitted Grading Scales, each with a class that uses it, else the first one; with one that has ended only where all have. */
const scoreScales = (context: RosterContext) => {
  const { tenantId } = context
  return sql`
    select s.id::text,
           jsonb_build_object(
             'title', s.name, 'type', 'percentage', 'class', ${classId(context, sql`c.id`)},
             'scoreScaleValue', coalesce((
               select jsonb_agg(jsonb_build_object('itemValueLHS', i.grade_code, 'itemValueRHS', trim_scale(i.threshold)::text)
                                order by i.threshold desc)
                 from grading_scales_intervals i where i.tenant_id = ${tenantId} and i.parent_id = s.id
                  and i.grade_code <> ''), '[]')),
           c.id, null::uuid, null::text, 'active', s.updated_at, null::uuid
      from grading_scales s
      join lateral (
        select g.id from (${planned(context)}) g
         order by g.disabled,
                  exists (select from assessment_plans a
                           where a.tenant_id = ${tenantId} and a.student_group = g.name and a.grading_scale = s.name) desc, g.id
         limit 1) c on true
     where s.tenant_id = ${tenantId} and s.docstatus = 1`
}

/** What is read off our own records, by class; `entry_id` is null. */
export const ownObjects: Readonly<Partial<Record<GradebookKind['name'], (context: RosterContext) => Sql>>> = {
  category: categories,
  lineItem: lineItems,
  result: results,
  scoreScale: scoreScales,
}
