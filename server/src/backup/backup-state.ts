import { type Database, noTenant, sql } from '../database/index.ts'

/** The state of full backups. */
export interface BackupState {
  /** The end of the last one that was made (RFC 3339), or null. */
  readonly succeededAt: string | null
  readonly seconds: number | null
  readonly bytes: number | null
  readonly missingFiles: number | null
  readonly failingSince: string | null
  readonly failedRuns: number
  readonly failure: string | null
}

/** Reads how they fare; no row where none was tried yet. */
export const backupStateStatement = sql`
  select succeeded_at as "succeededAt", seconds, bytes, missing_files as "missingFiles", failing_since as "failingSince",
         failed_runs as "failedRuns", failure
    from backup_state`

/** Records a successful full backup. */
export async function recordBackup(
  database: Database,
  { seconds, bytes, missingFiles }: { seconds: number; bytes: number; missingFiles: number },
): Promise<void> {
  await database.transaction(noTenant, (tx) =>
    tx.query(sql`
      insert into backup_state (tried_at, succeeded_at, seconds, bytes, missing_files)
      values (current_stamp(), current_stamp(), ${seconds}, ${bytes}, ${missingFiles})
      on conflict on constraint backup_state_pkey do update
         set tried_at = excluded.tried_at, succeeded_at = excluded.succeeded_at, seconds = excluded.seconds, bytes = excluded.bytes,
             missing_files = excluded.missing_files, failing_since = null, failed_runs = 0, failure = null`),
  )
}

/** Records a failed full backup and its reason. */
export async function recordFailedBackup(database: Database, failure: string): Promise<void> {
  await database.transaction(noTenant, (tx) =>
    tx.query(sql`
      insert into backup_state as s (tried_at, failing_since, failed_runs, failure)
      values (current_stamp(), current_stamp(), 1, ${failure})
      on conflict on constraint backup_state_pkey do update
         set tried_at = excluded.tried_at, failing_since = coalesce(s.failing_since, excluded.failing_since), failed_runs = s.failed_runs + 1,
             failure = excluded.failure`),
  )
}
