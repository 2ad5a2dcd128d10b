import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Database, sql } from '../database/index.ts'
import { recordFailedBackup } from './backup-state.ts'
import { openBackupTarget, within } from './open-backup-target.ts'
import {
  type BackupOwner,
  describeOthersBackups,
  findOthersBackups,
  getScheduledName,
  pruneBackups,
  removeUnfinishedBackups,
} from './prune-backups.ts'

/** When backups of everything are made without being asked for, and where they go. */
export interface BackupSchedule {
  readonly everySeconds: number
  /** A folder, or `s3://bucket/prefix?endpoint=…&region=…`. */
  readonly to: string
  /** Number of backups of this installation to retain, the newest; null: all. */
  readonly keep: number | null
}

interface ScheduleLog {
  info(facts: object, message: string): void
  warn(message: string): void
  error(facts: object, message: string): void
}

const program = fileURLToPath(new URL('../../bin/matricula.js', import.meta.url))

/** Retry delay after a failure, in seconds, unless the next one is due before. */
const againSeconds = 900

const lookEverySeconds = 10

/** Requests come first: a backup takes what they leave of the processor (as `nice` has it). */
const lowPriority = 10

/**
 * Scheduler: makes backups when due until the returned function is called, which aborts a running one. One service of
 * the deployment does so at a time. Each backup runs in a process of its own.
 */
export function startBackups(
  database: Database,
  schedule: BackupSchedule,
  loadOwner: () => Promise<BackupOwner>,
  log: ScheduleLog,
): () => Promise<void> {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  let looking: Promise<void> = Promise.resolve()

  const make = async () => {
    if (isStopping || (await secondsUntilDue(database, schedule)) > 0) return
    const target = await openBackupTarget(schedule.to)
    const owner = await loadOwner()
    await removeUnfinishedBackups(target, owner)
    const name = within(schedule.to, getScheduledName(new Date(), owner))
    child = spawn(process.execPath, [program, 'backup', name, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ending = loadOutcome(child)
    try {
      if (child.pid !== undefined) setPriority(child.pid, lowPriority)
    } catch {
      // It has ended already, and says why.
    }
    const said = await ending
    child = undefined
    if (isStopping) return
    if ('error' in said) throw new Error(said.error.message)
    log.info(said.backup, 'backup made')
    if (schedule.keep === null) return
    for (const file of await pruneBackups(target, owner, schedule.keep)) {
      log.info({ file }, 'backup removed: newer ones are enough')
    }
    const others = describeOthersBackups(await findOthersBackups(target, owner))
    if (others !== null) log.warn(others)
  }
  const look = async () => {
    try {
      await database.withExclusiveLock('matricula.backup', () =>
        make().catch(async (error: Error) => {
          log.error({ reason: error.message }, 'backup failed')
          await recordFailedBackup(database, error.message)
        }),
      )
    } catch {
      // The database is not there: the backup waits until it is.
    }
    lookIn(lookEverySeconds)
  }
  const lookIn = (seconds: number) => {
    if (isStopping) return
    timer = setTimeout(() => {
      looking = look()
    }, seconds * 1000)
    timer.unref()
  }
  lookIn(1)

  return async () => {
    isStopping = true
    clearTimeout(timer)
    child?.kill('SIGTERM')
    await looking
  }
}

/** The seconds until the next backup is due, whoever made the last one; 0 or less when it is. */
async function secondsUntilDue(database: Database, { everySeconds }: BackupSchedule): Promise<number> {
  const [row] = await database.readGlobal<{ seconds: number }>(sql`
    select extract(epoch from tried_at - clock_timestamp())::float8
             + case when failing_since is null then ${everySeconds}::float8 else ${Math.min(everySeconds, againSeconds)}::float8 end as seconds
      from backup_state`)
  // A clock that was set back does not put a backup off for longer than usual.
  return Math.min(row?.seconds ?? 0, everySeconds)
}

type Outcome = { readonly backup: object } | { readonly error: { readonly message: string } }

/** What the command says of its end. */
async function loadOutcome(child: ChildProcess): Promise<Outcome> {
  let said = ''
  child.stdout?.on('data', (piece: Buffer) => (said += piece))
  child.stderr?.resume()
  const ended = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(`its process ended with ${signal ?? code}`))
  })
  try {
    return JSON.parse(said) as Outcome
  } catch {
    return { error: { message: ended } }
  }
}
