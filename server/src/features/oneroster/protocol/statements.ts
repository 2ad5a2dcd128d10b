import { join, literal, quotedName, type Sql, sql } from '../../../database/index.ts'
import { type RosterClass, type SourcePart, unionAll } from '../roster/roster-class.ts'
import type { RosterContext } from '../roster/roster-context.ts'
import { toCondition } from './conditions.ts'
import type { ListQuery } from './list-query.ts'
import { OneRosterError } from './oneroster-error.ts'

/** An object as it is sent, and whom it is about. */
export interface ObjectRow {
  readonly json: string
  readonly people: readonly string[] | null
}

/** The objects of a class that meet a condition, or all of them. */
export interface Selection {
  readonly of: RosterClass
  readonly where: Sql | null
}

/** The statements of a list: its rows, and how many there are. Throws `invalid_filter_field` and `invalid_selection_field`. */
export function listStatements(
  context: RosterContext,
  { of, where }: Selection,
  { filter, sort, isDescending, limit, offset, fields }: ListQuery,
): { rows: Sql; total: Sql } {
  const known = of.fields(context)
  const conditions = [where, filter === null ? null : toCondition(filter, known)].filter((each) => each !== null)
  const isAll = conditions.length === 0
  const meets = isAll ? sql`true` : join(conditions, ' and ')
  const parts: readonly SourcePart[] = of.parts?.(context) ?? [{ select: of.source(context) }]
  const field = sort !== null && Object.hasOwn(known, sort) ? known[sort] : undefined
  const direction = isDescending ? sql`desc` : sql`asc`
  const sorted =
    field === undefined || field.type === 'texts'
      ? of.order
      : sql`${field.type === 'text' ? sql`lower(${field.value})` : field.value} ${direction} nulls last, ${of.order}`
  const objects = ({ select }: SourcePart) => sql`select o.* from (${select}) o where ${meets}`
  // Each of several parts is sorted by itself, so that an index that has the order ends it after the page.
  const end = literal(Math.min(offset + limit, Number.MAX_SAFE_INTEGER))
  const listed =
    parts.length === 1
      ? unionAll(parts.map(objects))
      : unionAll(parts.map((part) => sql`(${objects(part)} order by ${sorted} limit ${end})`))
  const counts = parts.map((part) =>
    isAll && part.count !== undefined ? part.count : sql`(select count(*) from (${objects(part)}) o)`,
  )
  return {
    // What is made into JSON is only what the page has, and row by row while it is sent: a subquery with a limit keeps its order, and
    // sorting once more would first need all of the JSON.
    rows: sql`
      select ${objectColumns(context, of, fields)}
        from (select o.* from (${listed}) o order by ${sorted} limit ${literal(limit)} offset ${literal(offset)}) o`,
    total: sql`select (${join(counts, ' + ')})::integer as total`,
  }
}

/** The statement of a single object. Throws `invalid_selection_field`. */
export function objectStatement(
  context: RosterContext,
  { of, where }: Selection,
  id: string,
  fields: readonly string[] | null,
): Sql {
  return sql`
    select ${objectColumns(context, of, fields)}
      from (${of.source(context)}) o
     where ${where ?? sql`true`} and ${of.isObject(context, id)} limit 1`
}

/** The statement of all objects that meet a condition, in their default order. */
export function objectsStatement(context: RosterContext, { of, where }: Selection): Sql {
  return sql`
    select ${objectColumns(context, of, null)}
      from (${of.source(context)}) o
     where ${where ?? sql`true`} order by ${of.order}`
}

/** The classes of which bundles bring columns that OneRoster does not know. */
const bundledClasses: ReadonlySet<string> = new Set(['org', 'course', 'class', 'user'])

function objectColumns(context: RosterContext, of: RosterClass, fields: readonly string[] | null): Sql {
  const members = Object.entries(of.members(context)).filter(([name]) => fields === null || fields.includes(name))
  if (fields !== null) requireKnown(context, of, fields)
  const columns = members.map(([name, value]) => sql`${value} as ${quotedName(name)}`)
  if (context.hasMetadata && bundledClasses.has(of.name) && (fields === null || fields.includes('metadata'))) {
    columns.push(sql`(select x.metadata from roster_ids x
                       where x.tenant_id = ${context.tenantId} and x.kind = ${of.name} and x.id = o.id) as metadata`)
  }
  // A row becomes JSON in two thirds of the time that the same takes by json_build_object.
  const json =
    columns.length === 0
      ? sql`'{}'`
      : sql`(select json_strip_nulls(row_to_json(m))::text from (select ${join(columns)}) m)`
  return sql`${json} as json, ${of.people ?? sql`null`} as people`
}

function requireKnown(context: RosterContext, of: RosterClass, fields: readonly string[]): void {
  const known = new Set(Object.keys(of.fields(context)).map((path) => path.split('.')[0]))
  for (const name of [...Object.keys(of.members(context)), 'metadata']) known.add(name)
  const unknown = fields.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new OneRosterError('invalid_selection_field', `${unknown} is no field of these objects.`)
}
