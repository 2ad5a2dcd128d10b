import { empty, type Sql, sql } from '../../../database/index.ts'

/** What the objects of a response depend on beside their rows. */
export interface RosterContext {
  readonly tenantId: string
  readonly version: '1.1' | '1.2'
  /** The addresses of the two services as they were asked, without a slash at the end; they begin every `href`. */
  readonly rosterUrl: string
  readonly gradebookUrl: string
  /** What identifies the institution: its abbreviation. */
  readonly identifier: string
  /** Today's date at the institution. */
  readonly today: string
  /** Whether departments are schools. Without any, everything belongs to the institution. */
  readonly hasSchools: boolean
  /** Whether some record has a sourcedId other than its id. */
  readonly hasOwnIds: boolean
  /** Whether externalIds are sourcedIds. */
  readonly usesExternalIds: boolean
  /** Whether bundles brought columns that OneRoster does not know. */
  readonly hasMetadata: boolean
  /** Whether bundles said what our records have no field for. */
  readonly hasBundleMembers: boolean
  /** The kinds of which readers have seen sourcedIds. */
  readonly givenOut: readonly RosterKind[]
}

/** The OneRoster classes whose sourcedIds are those of records. */
export type RosterKind = 'org' | 'academicSession' | 'course' | 'class' | 'user' | 'enrollment' | 'gradebook'

/** For how many days what has ended is listed as `tobedeleted`. */
export const endedDays = 400

/** What ended is listed for `endedDays`. */
export const sinceEnd: Sql = sql`now() - interval '400 days'`

/** The tables whose externalIds are sourcedIds of a kind. */
export const externalIdTables: Readonly<Partial<Record<RosterKind, readonly Sql[]>>> = {
  user: [sql`students`],
  course: [sql`courses`, sql`programs`],
}

/** The condition that a text before it can be a sourcedId. */
export const isSourcedIdText: Sql = sql`~ '^[0-9A-Za-z./@_-]{1,255}$'`

/** The sourcedId of the record with an id, as text. */
export function sourcedId(context: RosterContext, kind: RosterKind, id: Sql): Sql {
  const { tenantId, hasOwnIds, usesExternalIds } = context
  if (!hasOwnIds && !usesExternalIds) return sql`${id}::text`
  const external = (usesExternalIds ? (externalIdTables[kind] ?? []) : []).map((table, index, tables) => {
    // A sourcedId has one bearer: who keeps it, then who has it in the first table, then who has gone.
    const isTakenIn = (others: readonly Sql[], id: Sql) =>
      others
        .map((other) => sql`exists (select from ${other} y where y.tenant_id = ${tenantId} and y.external_id = ${id})`)
        .reduce(
          (all, each) => sql`${all} or ${each}`,
          sql`exists (select from roster_ids y where y.tenant_id = ${tenantId} and y.kind = ${kind} and y.sourced_id = ${id})`,
        )
    return sql`
      (select x.external_id from ${table} x
        where x.tenant_id = ${tenantId} and x.id = ${id} and x.external_id ${isSourcedIdText}
          and not (${isTakenIn(tables.slice(0, index), sql`x.external_id`)})),
      (select x.record ->> 'external_id' from roster_deletions x
        where x.tenant_id = ${tenantId} and x.kind = ${table.text} and x.id = ${id}
          and x.record ->> 'external_id' ${isSourcedIdText} and not (${isTakenIn(tables, sql`(x.record ->> 'external_id')`)})),`
  })
  return sql`coalesce(
    (select x.sourced_id from roster_ids x where x.tenant_id = ${tenantId} and x.kind = ${kind} and x.id = ${id}),
    ${external.reduce((all, each) => sql`${all} ${each}`, empty)} ${id}::text)`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The condition that a column is the id of the record with a sourcedId. */
export function isRecord(context: RosterContext, kind: RosterKind, id: Sql, sought: string): Sql {
  const { tenantId, hasOwnIds, usesExternalIds } = context
  const byId = uuid.test(sought) ? sql`select ${sought.toLowerCase()}::uuid` : null
  if (!hasOwnIds && !usesExternalIds) {
    return byId === null ? sql`false` : sql`${id} = ${sought.toLowerCase()}::uuid`
  }
  const known = [
    sql`select x.id from roster_ids x where x.tenant_id = ${tenantId} and x.kind = ${kind} and x.sourced_id = ${sought}`,
    ...(usesExternalIds ? (externalIdTables[kind] ?? []) : []).flatMap((table) => [
      sql`select x.id from ${table} x where x.tenant_id = ${tenantId} and x.external_id = ${sought}`,
      sql`select x.id from roster_deletions x
           where x.tenant_id = ${tenantId} and x.kind = ${table.text} and x.record ->> 'external_id' = ${sought}`,
    ]),
    ...(byId === null ? [] : [byId]),
  ]
  const candidates = known.reduce((all, each) => sql`${all} union all ${each}`)
  return sql`(${id} = any (array(${candidates})) and ${sourcedId(context, kind, id)} = ${sought})`
}

/** A member of an object as a bundle gave it, where our records have no field for it; null without one. */
export function bundleMember(
  { tenantId, hasBundleMembers }: RosterContext,
  kind: RosterKind,
  id: Sql,
  name: string,
): Sql {
  if (!hasBundleMembers) return sql`null::text`
  return sql`
    (select x.members ->> ${name}::text from roster_ids x
      where x.tenant_id = ${tenantId} and x.kind = ${kind} and x.id = ${id})`
}

/** Where an object of each kind is found, and what it is called in a reference. */
const locations = {
  org: { path: '/orgs/', type: 'org', isGradebook: false },
  academicSession: { path: '/academicSessions/', type: 'academicSession', isGradebook: false },
  course: { path: '/courses/', type: 'course', isGradebook: false },
  class: { path: '/classes/', type: 'class', isGradebook: false },
  user: { path: '/users/', type: 'user', isGradebook: false },
  category: { path: '/categories/', type: 'category', isGradebook: true },
  lineItem: { path: '/lineItems/', type: 'lineItem', isGradebook: true },
  scoreScale: { path: '/scoreScales/', type: 'scoreScale', isGradebook: true },
  assessmentLineItem: { path: '/assessmentLineItems/', type: 'assessmentLineItem', isGradebook: true },
} as const

/** The types of objects that others refer to. */
export type ReferencedType = keyof typeof locations

/** A reference to an object by its sourcedId, as JSON; null where that is null. */
export function reference(context: RosterContext, type: ReferencedType, id: Sql): Sql {
  const { path, type: name, isGradebook } = locations[type]
  const address = `${isGradebook ? context.gradebookUrl : context.rosterUrl}${path}`
  return sql`case when ${id} is not null then json_build_object(
    'href', ${address}::text || replace(${id}, '/', '%2F'), 'sourcedId', ${id}, 'type', ${name}::text) end`
}

/** References to the objects of a list of sourcedIds, as a JSON list. */
export function references(context: RosterContext, type: ReferencedType, ids: Sql): Sql {
  return sql`(select coalesce(json_agg(${reference(context, type, sql`r.id`)} order by r.n), '[]')
                from unnest(${ids}) with ordinality as r (id, n))`
}

/** The school to which a department belongs: itself or the nearest above it that is one, else the institution. */
export function getSchool(context: RosterContext, department: Sql): Sql {
  const { tenantId, hasSchools } = context
  if (!hasSchools) return sql`${tenantId}::uuid`
  return sql`coalesce((
    with recursive above as (
      select d.id, d.parent_department, d.is_school, 1 as level
        from departments d where d.tenant_id = ${tenantId} and d.name = ${department}
      union all
      select d.id, d.parent_department, d.is_school, a.level + 1
        from above a join departments d on d.tenant_id = ${tenantId} and d.name = a.parent_department
       where a.is_school = 0 and a.level < 50
    )
    select a.id from above a where a.is_school = 1 order by a.level limit 1), ${tenantId}::uuid)`
}
