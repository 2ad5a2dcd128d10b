import { type Sql, sql } from '../../../database/index.ts'
import { leadingFields, leadingMembers, type RosterClass, referenceFields, textField } from './roster-class.ts'
import { type RosterContext, reference, sinceEnd, sourcedId } from './roster-context.ts'

/** What a term has at the end of its sourcedId that stands for a year without terms. */
const findYearTerm = '_term'
/** And a grading period that stands for a term without any. */
const termPeriod = '_gradingPeriod'

const getId = (context: RosterContext, id: Sql, suffix: Sql) =>
  sql`(${sourcedId(context, 'academicSession', id)} || ${suffix})`
const ownId = (context: RosterContext) => getId(context, sql`o.id`, sql`o.suffix`)
const parentId = (context: RosterContext) =>
  sql`case when o.parent_id is not null then ${getId(context, sql`o.parent_id`, sql`o.parent_suffix`)} end`

/**
 * Academic years, their terms, and the grading periods of these: assessment groups with dates, else the term once more. A
 * year without terms is its own term. `last_day` is included.
 */
export const academicSessions: RosterClass = {
  name: 'academicSession',
  source: ({ tenantId }) => sql`
    with years as (
      select y.id, y.name, coalesce(y.year_start_date, y.created_at::date) as first_day,
             coalesce(y.year_end_date, coalesce(y.year_start_date, y.created_at::date) + 364) as last_day,
             'active' as status, y.updated_at as stamp
        from academic_years y where y.tenant_id = ${tenantId}
      union all
      select d.id, d.record ->> 'name', coalesce((d.record ->> 'year_start_date')::date, d.deleted_at::date),
             coalesce((d.record ->> 'year_end_date')::date, d.deleted_at::date), 'tobedeleted', d.deleted_at
        from roster_deletions d
       where d.tenant_id = ${tenantId} and d.kind = 'academic_years' and d.deleted_at > ${sinceEnd}
    ), stored_terms as (
      select t.id, t.name, t.academic_year, t.term_start_date as first_day, t.term_end_date as last_day,
             'active' as status, t.updated_at as stamp
        from academic_terms t where t.tenant_id = ${tenantId}
      union all
      select d.id, d.record ->> 'name', d.record ->> 'academic_year', (d.record ->> 'term_start_date')::date,
             (d.record ->> 'term_end_date')::date, 'tobedeleted', d.deleted_at
        from roster_deletions d
       where d.tenant_id = ${tenantId} and d.kind = 'academic_terms' and d.deleted_at > ${sinceEnd}
    ), terms as (
      select t.id, '' as suffix, t.name, y.id as year_id, coalesce(t.first_day, y.first_day) as first_day,
             coalesce(t.last_day, y.last_day) as last_day, y.last_day as year_last_day, t.status, t.stamp
        from stored_terms t join lateral (
          select * from years y where y.name = t.academic_year order by y.status limit 1) y on true
      union all
      select y.id, ${findYearTerm}, y.name, y.id, y.first_day, y.last_day, y.last_day, y.status, y.stamp
        from years y
       where not exists (select from stored_terms t where t.academic_year = y.name and t.status = y.status)
    ), periods as (
      select g.id, '' as suffix, g.name, t.id as term_id, t.suffix as term_suffix, g.from_date as first_day,
             g.to_date as last_day, coalesce(t.year_last_day, g.to_date) as year_last_day, 'active' as status,
             g.updated_at as stamp
        from assessment_groups g
        left join lateral (
          select * from terms t where g.from_date between t.first_day and t.last_day and t.status = 'active'
           order by t.first_day desc, t.id limit 1) t on true
       where g.tenant_id = ${tenantId} and g.from_date is not null and g.to_date is not null
    )
    select y.id, '' as suffix, y.name as title, 'schoolYear' as type, y.first_day, y.last_day, null::uuid as parent_id,
           '' as parent_suffix, y.last_day as year_last_day, y.status, y.stamp
      from years y
    union all
    select t.id, t.suffix, t.name, 'term', t.first_day, t.last_day, t.year_id, '', t.year_last_day, t.status, t.stamp
      from terms t
    union all
    select p.id, p.suffix, p.name, 'gradingPeriod', p.first_day, p.last_day, p.term_id, coalesce(p.term_suffix, ''),
           p.year_last_day, p.status, p.stamp
      from periods p
    union all
    select t.id, t.suffix || ${termPeriod}, t.name, 'gradingPeriod', t.first_day, t.last_day, t.id, t.suffix,
           t.year_last_day, t.status, t.stamp
      from terms t
     where not exists (select from periods p where p.term_id = t.id and p.term_suffix = t.suffix)`,
  fields: (context) => ({
    ...leadingFields(ownId(context)),
    title: textField(sql`o.title`),
    type: textField(sql`o.type`),
    startDate: { type: 'day', value: sql`o.first_day` },
    endDate: { type: 'day', value: sql`(o.last_day + 1)` },
    schoolYear: textField(sql`to_char(o.year_last_day, 'YYYY')`),
    ...referenceFields(context, 'parent', 'academicSession', parentId(context)),
  }),
  members: (context) => ({
    ...leadingMembers(ownId(context)),
    title: sql`o.title`,
    startDate: sql`o.first_day`,
    endDate: sql`o.last_day + 1`,
    type: sql`o.type`,
    parent: reference(context, 'academicSession', parentId(context)),
    schoolYear: sql`to_char(o.year_last_day, 'YYYY')`,
  }),
  order: sql`o.id, o.suffix`,
  isObject: (context, id) => sql`${ownId(context)} = ${id}`,
  people: null,
}

/** The sourcedIds of the terms of a class: its own, else those of its year. */
export function selectTerms(context: RosterContext): Sql {
  const { tenantId } = context
  const id = (value: Sql) => sourcedId(context, 'academicSession', value)
  return sql`case
    when o.term_id is not null then array[${id(sql`o.term_id`)}]
    when exists (select from academic_terms t where t.tenant_id = ${tenantId} and t.academic_year = o.academic_year)
      then array(select ${id(sql`t.id`)} from academic_terms t
                  where t.tenant_id = ${tenantId} and t.academic_year = o.academic_year
                  order by t.term_start_date, t.id)
    else array[${id(sql`o.year_id`)} || ${findYearTerm}] end`
}
