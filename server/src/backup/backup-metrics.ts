import { Gauge, register } from 'prom-client'
import { CachedReading } from '../concurrency/index.ts'
import type { Database } from '../database/index.ts'
import { type BackupState, backupStateStatement } from './backup-state.ts'

/** Exports the state of full backups, whichever process makes them. */
export function observeBackups(database: Database): void {
  const reading = new CachedReading<BackupState>(database, backupStateStatement)
  const gauge = (name: string, help: string, value: (state: BackupState) => number | null) => {
    register.removeSingleMetric(name)
    new Gauge({
      name,
      help,
      aggregator: 'max', // every service reads the same
      async collect() {
        const [state] = await reading.rows()
        const reported = state === undefined ? null : value(state)
        if (reported === null) this.remove()
        else this.set(reported)
      },
    })
  }
  gauge(
    'matricula_backup_last_success_timestamp_seconds',
    'When a backup of everything was last made.',
    ({ succeededAt }) => (succeededAt === null ? null : Date.parse(succeededAt) / 1000),
  )
  gauge('matricula_backup_last_duration_seconds', 'How long the last backup took.', ({ seconds }) => seconds)
  gauge('matricula_backup_last_bytes', 'How large the last backup is.', ({ bytes }) =>
    bytes === null ? null : Number(bytes),
  )
  gauge(
    'matricula_backup_missing_files',
    'How many files that records name the last backup could not take along.',
    ({ missingFiles }) => missingFiles,
  )
  gauge(
    'matricula_backup_failed_runs',
    'How many scheduled backups have failed since the last one that was made.',
    ({ failedRuns }) => failedRuns,
  )
}
