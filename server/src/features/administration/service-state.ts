import type { ServiceState, Static } from '@matricula/contract'
import { type Database, sql } from '../../database/index.ts'
import { type JobState, jobStatesStatement } from '../../jobs/index.ts'

type State = Static<typeof ServiceState>

/** When the service made a full backup last, and since when that fails. */
export type BackupFacts = (
  database: Database,
) => Promise<{ readonly succeededAt: string | null; readonly failingSince: string | null } | null>

/** How the service fares, without a word of other institutions. */
export async function readServiceState(
  database: Database,
  tenantId: string,
  areSent: boolean,
  readBackups: BackupFacts,
): Promise<State> {
  const [[mails], jobs, backups, [webhooks]] = await Promise.all([
    database.readSlowly<Omit<State['mails'], 'areSent'>>(
      tenantId,
      sql`
      select count(*) filter (where m.sent_at is null and m.failed_at is null)::integer as waiting,
             min(m.next_attempt_at) filter (where m.sent_at is null and m.failed_at is null) as "oldestDueAt",
             count(*) filter (where m.failed_at > now() - interval '7 days')::integer as "givenUp"
        from outgoing_mails m
       where m.tenant_id = ${tenantId}`,
    ),
    database.readGlobal<JobState>(jobStatesStatement),
    readBackups(database),
    database.readSlowly<State['webhooks']>(
      tenantId,
      sql`
      select count(*) filter (where w.status = 'enabled')::integer as enabled,
             count(*) filter (where w.disabled_reason in ('failing', 'gone'))::integer as "disabledByFailures"
        from webhooks w
       where w.tenant_id = ${tenantId}`,
    ),
  ])
  return {
    mails: { areSent, ...(mails ?? { waiting: 0, oldestDueAt: null, givenUp: 0 }) },
    jobs: {
      lastRunAt:
        jobs
          .map(({ endedAt }) => endedAt)
          .sort()
          .at(-1) ?? null,
      failing: jobs.flatMap((job) => failingFor(job, tenantId)),
    },
    backups: { madeAt: backups?.succeededAt ?? null, failingSince: backups?.failingSince ?? null },
    webhooks: webhooks ?? { enabled: 0, disabledByFailures: 0 },
    readAt: new Date().toISOString(),
  }
}

/** A job that fails for this institution, or as a whole. */
function failingFor(
  { job, failing, failingSince, failingTenants }: JobState,
  tenantId: string,
): State['jobs']['failing'] {
  const own = failing.find((each) => each.tenantId === tenantId)
  if (own !== undefined) return [{ job, since: own.since, code: own.code }]
  return failingSince !== null && failingTenants === 0 ? [{ job, since: failingSince, code: null }] : []
}
