import type pg from 'pg'
import type { Config } from '../../app/config.ts'
import { type BackupState, backupStateStatement } from '../../backup/index.ts'

/** Without a schedule an operator is reminded after so long. */
const dueSeconds = 7 * 86_400

/**
 * What `doctor` says of backups: when the last one was made, whether that is long ago, and of what later ones failed.
 */
export async function checkBackups(
  client: pg.Client,
  { backups }: Pick<Config, 'backups'>,
): Promise<{ name: string; status: 'ok' | 'warning'; detail: string }> {
  const name = 'backups'
  const { rows } = await client.query<BackupState>(backupStateStatement.text)
  const [state] = rows
  const at = state?.succeededAt ?? null
  const made = at === null ? 'none was made yet' : `the last one was made ${at}, ${getSize(state?.bytes ?? 0)}`
  const advice =
    backups === null
      ? 'Make one with: matricula backup FILE; or set BACKUP_EVERY, BACKUP_TO and BACKUP_KEEP.'
      : `Make one with: matricula backup FILE; the service makes them every ${backups.everySeconds} s while it runs.`
  if (state !== undefined && state.failingSince !== null) {
    const failed = `${state.failedRuns} have failed since ${state.failingSince}: ${state.failure}`
    return { name, status: 'warning', detail: `${made}. ${failed}` }
  }
  const isOld =
    at === null || Date.now() - Date.parse(at) > 2000 * Math.max(backups?.everySeconds ?? dueSeconds / 2, 60)
  if (isOld) return { name, status: 'warning', detail: `${made}. ${advice}` }
  const missing = state?.missingFiles ?? 0
  if (missing > 0) {
    const detail = `${made}; ${missing} files that records name were not in the storage, or damaged there, and are not in it. Look after the storage.`
    return { name, status: 'warning', detail }
  }
  return { name, status: 'ok', detail: made }
}

const getSize = (bytes: number) => `${(Number(bytes) / 1024 ** 2).toFixed(1)} MiB`
