import { type Sql, sql } from '../database/index.ts'
import { clockIn, isTimeZone } from './time-zones.ts'

/**
 * The runtime and the database each have a time zone database of their own, of different age. What people see is by the runtime's
 * (docs/adr/0046-time-zones.md): SQL converts by itself where both agree, and where they do not is given the runtime's offset.
 */

/** A span of time, `until` excluded, in which the clocks of a zone are not the same here and there. */
export interface ZoneDifference {
  readonly from: Date
  readonly until: Date
  /** How far the clock is before UTC by the runtime, in minutes. */
  readonly minutes: number
  /** And by the database. */
  readonly databaseMinutes: number
}

/** What is amiss with a zone: spans of difference, or who does not know it by that name. */
export type ZoneError = readonly ZoneDifference[] | 'runtime' | 'database'

/** What statements over no institution's rows are sent to. */
interface Reads {
  readonly readGlobal: <Row extends object>(statement: Sql) => Promise<Row[]>
}

const day = 86_400_000
const quarter = 900_000

/** How long before and after a moment zones are compared. */
const reach = 366 * day

/**
 * Compares zones between the runtime and the database, from a year before a moment to a year after it, to a quarter of an hour.
 * Differences that last for less than a day are not found. Returns only those of which something is amiss.
 */
export async function findZoneErrors(
  database: Reads,
  zones: readonly string[],
  moment = new Date(),
): Promise<Map<string, ZoneError>> {
  const validationErrors = new Map<string, ZoneError>()
  const known = await database.readGlobal<{ name: string }>(sql`
    select lower(name) as name from pg_timezone_names where lower(name) = any (${zones.map((zone) => zone.toLowerCase())})`)
  const there = new Set(known.map(({ name }) => name))
  const both: string[] = []
  for (const zone of zones) {
    if (!isTimeZone(zone)) validationErrors.set(zone, 'runtime')
    else if (!there.has(zone.toLowerCase())) validationErrors.set(zone, 'database')
    else both.push(zone)
  }
  const from = Math.floor((moment.getTime() - reach) / day) * day
  const until = from + 2 * reach
  const compare = async (compared: readonly string[], step: number) => {
    const found = new Map<string, ZoneDifference[]>()
    if (compared.length === 0) return found
    for (const { zone, changes } of await database.readGlobal<{ zone: string; changes: [number, number][] }>(
      offsetsInDatabase(compared, { from, until, step }),
    )) {
      const differences = getDifferences(zone, changes, { from, until, step })
      if (differences.length > 0) found.set(zone, differences)
    }
    return found
  }
  const differing = [...(await compare(both, day)).keys()]
  for (const [zone, differences] of await compare(differing, quarter)) validationErrors.set(zone, differences)
  return validationErrors
}

interface Steps {
  readonly from: number
  readonly until: number
  readonly step: number
}

/** The moments (milliseconds) from which each zone has another offset (minutes), looked at step by step. */
function offsetsInDatabase(zones: readonly string[], { from, until, step }: Steps): Sql {
  return sql`
    select zone, json_agg(json_build_array(at, minutes) order by at) as changes
      from (
        select zone, at, minutes, lag(minutes) over (partition by zone order by at) as before
          from (
            select zone, at,
                   (extract(epoch from (to_timestamp(at / 1000.0) at time zone zone)) / 60 - at / 60000)::integer as minutes
              from unnest(${[...zones]}::text[]) zone, generate_series(${from}::bigint, ${until - 1}::bigint, ${step}::bigint) at
          ) looked
      ) compared
     where minutes is distinct from before
     group by zone`
}

function getMinutes(zone: string, at: number): number {
  return Math.round((Date.parse(`${clockIn(zone, new Date(at)).replace(' ', 'T')}Z`) - at) / 60_000)
}

function getDifferences(zone: string, changes: readonly [number, number][], { from, until, step }: Steps) {
  const differences: ZoneDifference[] = []
  let next = 0
  let databaseMinutes = changes[0]?.[1] ?? 0
  for (let at = from; at < until; at += step) {
    while (next < changes.length && (changes[next]?.[0] as number) <= at)
      databaseMinutes = changes[next++]?.[1] as number
    const minutes = getMinutes(zone, at)
    if (minutes === databaseMinutes) continue
    const last = differences.at(-1)
    const end = new Date(at + step)
    if (last?.until.getTime() === at && last.minutes === minutes && last.databaseMinutes === databaseMinutes) {
      differences[differences.length - 1] = { ...last, until: end }
    } else differences.push({ from: new Date(at), until: end, minutes, databaseMinutes })
  }
  return differences
}

const known = new Map<string, readonly ZoneDifference[]>()
let version = 0

/** Tells this process in what zones the database has other clocks; what SQL converts from then on is by the runtime there. */
export function setZoneDifferences(validationErrors: ReadonlyMap<string, ZoneError>): void {
  known.clear()
  for (const [zone, validationError] of validationErrors)
    if (typeof validationError !== 'string') known.set(zone, validationError)
  version += 1
}

/** What a zone is called where statements are remembered: they are others once differences are found. */
export function zoneKey(zone: string): string {
  return `${zone} ${version}`
}

const interval = (minutes: number) => sql`${`${minutes} minutes`}::interval`

/** The clock of a zone at a moment (`timestamptz`), as a `timestamp`. */
export function localTime(moment: Sql, zone: string): Sql {
  return (known.get(zone) ?? []).reduce(
    (other, { from, until, minutes }) => sql`case
      when ${moment} >= ${from.toISOString()}::timestamptz and ${moment} < ${until.toISOString()}::timestamptz
      then ${moment} at time zone ${interval(minutes)} else ${other} end`,
    sql`${moment} at time zone ${zone}::text`,
  )
}

/** The moment (`timestamptz`) at which the clock of a zone shows a `timestamp`; of a time that it shows twice or never, one of both. */
export function momentAt(local: Sql, zone: string): Sql {
  return (known.get(zone) ?? []).reduce(
    (other, { from, until, minutes }) => sql`case
      when ${local} at time zone ${interval(minutes)} >= ${from.toISOString()}::timestamptz
       and ${local} at time zone ${interval(minutes)} < ${until.toISOString()}::timestamptz
      then ${local} at time zone ${interval(minutes)} else ${other} end`,
    sql`${local} at time zone ${zone}::text`,
  )
}

/** What an operator is told of a zone, with what to do. */
export function describeZoneError(zone: string, validationError: ZoneError, moment = new Date()): string {
  const advice = 'Give it another: matricula tenant update <slug> --timezone <name>'
  if (validationError === 'runtime') return `Node ${process.version} does not know the time zone ${zone}. ${advice}`
  if (validationError === 'database') return `The database does not know the time zone ${zone} by this name. ${advice}`
  const difference = validationError.find(({ until }) => until > moment) ?? (validationError.at(-1) as ZoneDifference)
  const { from, until, minutes, databaseMinutes } = difference
  const versions = `Node has the time zones of ${process.versions.tz ?? 'a version that it does not tell'}`
  return `${zone}: from ${from.toISOString().slice(0, 16)}Z to ${until.toISOString().slice(0, 16)}Z its clock is ${offset(minutes)} by Node ${process.version}, ${offset(databaseMinutes)} by the database. ${versions}; the service goes by Node. Update whichever is older.`
}

function offset(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (number: number) => String(number).padStart(2, '0')
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** The name of a zone as the database writes it, where both it and the runtime know it by name; else null. */
export async function knownZone(
  { query }: { readonly query: <Row extends object>(statement: Sql) => Promise<Row[]> },
  name: string,
): Promise<string | null> {
  if (!isTimeZone(name)) return null
  const [zone] = await query<{ name: string }>(sql`
    select name from pg_timezone_names where lower(name) = lower(${name}) order by name = ${name} desc limit 1`)
  return zone?.name ?? null
}

/** A zone of which something is amiss, and the institutions that are in it. */
export interface InstitutionsZone {
  readonly zone: string
  readonly slugs: readonly string[]
  readonly fault: ZoneError
}

/** What is amiss with the zones of the institutions. */
export async function findInstitutionsZones(database: Reads): Promise<InstitutionsZone[]> {
  const rows = await database.readGlobal<{ zone: string; slug: string }>(
    sql`select time_zone as zone, slug from tenants order by slug`,
  )
  const zones = [...new Set(rows.map(({ zone }) => zone))]
  const validationErrors = await findZoneErrors(database, zones)
  return [...validationErrors].map(([zone, validationError]) => ({
    zone,
    fault: validationError,
    slugs: rows.filter((row) => row.zone === zone).map(({ slug }) => slug),
  }))
}

const everyHour = 3_600_000

/**
 * Compares the zones of the institutions now and every hour from then on, for this process, and tells of each fault once. Resolves
 * once they were compared; returns how to end it.
 */
export async function watchZones(database: Reads, warn: (message: string, facts: object) => void): Promise<() => void> {
  const reported = new Set<string>()
  const look = async () => {
    const found = await findInstitutionsZones(database)
    setZoneDifferences(new Map(found.map(({ zone, fault: validationError }) => [zone, validationError])))
    for (const { zone, slugs, fault: validationError } of found) {
      for (const tenant of slugs) {
        if (reported.has(`${tenant} ${zone}`)) continue
        reported.add(`${tenant} ${zone}`)
        warn(describeZoneError(zone, validationError), { tenant })
      }
    }
  }
  await look()
  // What the database does not answer now it is asked in an hour.
  const timer = setInterval(() => void look().catch(() => {}), everyHour)
  timer.unref()
  return () => clearInterval(timer)
}
