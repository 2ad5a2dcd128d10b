import type pg from 'pg'
import type { Config } from '../../app/config.ts'
import { readBackupOwner } from '../../app/installation.ts'
import {
  type BackupState,
  backupStateStatement,
  describeOthersBackups,
  findOthersBackups,
  openBackupTarget,
} from '../../backup/index.ts'
import type { Connection } from '../../database/index.ts'

/** Without a schedule an operator is reminded after so long. */
const dueSeconds = 7 * 86_400

/**
 * What `doctor` says of backups: when the last one was made, whether that is long ago, of what later ones failed, and which
 * ones stay because they are not this installation's.
 */
export async function checkBackups(
  client: pg.Client,
  connection: Connection,
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
  const others = await findObstacleOfRemoval(connection, backups)
  return others === null
    ? { name, status: 'ok', detail: made }
    : { name, status: 'warning', detail: `${made}. ${others}` }
}

/** What is told of scheduled backups that nobody removes; null where there are none, or none are ever removed. */
async function findObstacleOfRemoval(connection: Connection, backups: Config['backups']): Promise<string | null> {
  if (backups === null || backups.keep === null) return null
  try {
    const owner = await readBackupOwner(connection)
    if (owner === null) return null
    return describeOthersBackups(await findOthersBackups(await openBackupTarget(backups.to), owner))
  } catch (error) {
    return `BACKUP_TO cannot be listed: ${(error as Error).message}`
  }
}

const getSize = (bytes: number) => `${(Number(bytes) / 1024 ** 2).toFixed(1)} MiB`
