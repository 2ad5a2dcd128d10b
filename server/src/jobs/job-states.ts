import { type Database, noTenant, sql } from '../database/index.ts'

/** What a run of a job failed of for one tenant. */
export interface TenantFailure {
  readonly tenantId: string
  /** When it failed first, in a row that goes on (RFC 3339). */
  readonly since: string
  /** The SQLSTATE or the code of the error, or its name. */
  readonly code: string
}

/** How a job fares, as of its last run. */
export interface JobState {
  readonly job: string
  readonly endedAt: string
  readonly succeededAt: string | null
  readonly failingSince: string | null
  readonly failedRuns: number
  readonly failingTenants: number
  /** The tenants for which it fails; no more than a hundred of them. */
  readonly failing: readonly TenantFailure[]
}

/** Reads how every job fares that has run. */
export const jobStatesStatement = sql`
  select job, ended_at as "endedAt", succeeded_at as "succeededAt", failing_since as "failingSince",
         failed_runs as "failedRuns", failing_tenants as "failingTenants", failing
    from job_states order by job`

function readJobStates(database: Pick<Database, 'readGlobal'>): Promise<JobState[]> {
  return database.readGlobal<JobState>(jobStatesStatement)
}

/** The seconds until a job that runs every so many seconds is due, whichever process ran it last; 0 or less when it is. */
export async function secondsUntilDue(database: Database, job: string, everySeconds: number): Promise<number> {
  const [row] = await database.readGlobal<{ seconds: number }>(sql`
    select extract(epoch from ended_at + make_interval(secs => ${everySeconds}) - clock_timestamp())::float8 as seconds
      from job_states where job = ${job}`)
  // A clock that was set back does not put a job off for longer than usual.
  return Math.min(row?.seconds ?? 0, everySeconds)
}

const maxNamed = 100

/**
 * Notes the end of a run with the code of what it failed of, by tenant; `failure` is that of the run itself. Only one process
 * runs a job at a time, so nobody else notes meanwhile.
 */
export async function recordJobRun(
  database: Database,
  job: string,
  failures: ReadonlyMap<string, string>,
  failure: string | null,
): Promise<void> {
  const before = (await readJobStates(database)).find((state) => state.job === job)
  const since = new Map(before?.failing.map((each) => [each.tenantId, each.since]))
  const now = new Date().toISOString()
  const failing = [...failures]
    .slice(0, maxNamed)
    .map(([tenantId, code]) => ({ tenantId, since: since.get(tenantId) ?? now, code }))
  const hasFailed = failures.size > 0 || failure !== null
  await database.transaction(noTenant, (tx) =>
    tx.query(sql`
      insert into job_states as s (job, ended_at, succeeded_at, failing_since, failed_runs, failing_tenants, failing)
      values (${job}, current_stamp(), case when ${!hasFailed}::boolean then current_stamp() end,
              case when ${hasFailed}::boolean then current_stamp() end, ${hasFailed ? 1 : 0},
              ${failures.size}, ${JSON.stringify(failing)}::jsonb)
      on conflict on constraint job_states_pkey do update
         set ended_at = excluded.ended_at,
             succeeded_at = coalesce(excluded.succeeded_at, s.succeeded_at),
             failing_since = case when ${hasFailed}::boolean then coalesce(s.failing_since, excluded.failing_since) end,
             failed_runs = case when ${hasFailed}::boolean then s.failed_runs + 1 else 0 end,
             failing_tenants = excluded.failing_tenants,
             failing = excluded.failing`),
  )
}
