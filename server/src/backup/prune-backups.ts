import { BackupFileError } from './backup-format.ts'
import type { BackupTarget } from './backup-target.ts'
import { readBackupHeader } from './read-backup.ts'

/** The installation for which scheduled backups are made and removed. */
export interface BackupOwner {
  readonly id: string
  /** The installations whose place it took (`matricula storage adopt`). */
  readonly replaced: readonly string[]
  /** Whether backups that name no installation, as those made before 1.1, are its own too. */
  readonly replacesUnnamed: boolean
}

/** Names of scheduled backups say when they were begun (UTC), and sort so, and who made them. Others are left alone. */
const scheduledName = /^matricula-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-([0-9a-f]{8}))?\.backup$/

/** The first part of a UUID: who makes backups, in their names. */
const getMark = (installationId: string) => installationId.slice(0, 8)

/** The name of a backup that an installation begins at a moment. */
export function getScheduledName(at: Date, { id }: BackupOwner): string {
  return `matricula-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${getMark(id)}.backup`
}

/** Whether a name is one of a scheduled backup of an installation, as far as names tell. */
function isNamedAsOwn(name: string, { id, replaced, replacesUnnamed }: BackupOwner): boolean {
  const found = scheduledName.exec(name)
  if (found === null) return false
  const [, mark] = found
  return mark === undefined ? replacesUnnamed : [id, ...replaced].some((each) => getMark(each) === mark)
}

/** Names of scheduled backups that others made, or that were made before backups named their installation. */
export async function findOthersBackups(target: BackupTarget, owner: BackupOwner): Promise<string[]> {
  const names = await target.names()
  return names.filter((name) => scheduledName.test(name) && !isNamedAsOwn(name, owner)).sort()
}

/** Removes what an installation began and never brought to its end. What another one is writing stays. */
export async function removeUnfinishedBackups(target: BackupTarget, owner: BackupOwner): Promise<void> {
  await target.removeUnfinished((name) => isNamedAsOwn(name, owner))
}

/**
 * Removes the oldest scheduled backups of an installation and keeps the newest.
 *
 * @param retained How many stay. What belongs to others, or cannot be read, stays too and is not counted
 * @returns The names of those that were removed
 */
export async function pruneBackups(target: BackupTarget, owner: BackupOwner, retained: number): Promise<string[]> {
  const named = (await target.names()).filter((name) => isNamedAsOwn(name, owner)).sort()
  const own: string[] = []
  // Names can be given by hand, or begin alike by chance: what the backup itself says decides.
  for (const name of named) if (await isOwn(target, name, owner)) own.push(name)
  const removed = own.slice(0, -retained)
  for (const name of removed) await target.remove(name)
  return removed
}

async function isOwn(target: BackupTarget, name: string, owner: BackupOwner): Promise<boolean> {
  try {
    const maker = (await readBackupHeader(await target.read(name))).installation ?? null
    return maker === null ? owner.replacesUnnamed : [owner.id, ...owner.replaced].includes(maker)
  } catch (error) {
    if (error instanceof BackupFileError) return false
    throw error
  }
}

/** What an operator is told of backups that stay because others made them; null where there are none. */
export function describeOthersBackups(names: readonly string[]): string | null {
  if (names.length === 0) return null
  const howMany = names.length === 1 ? '1 scheduled backup' : `${names.length} scheduled backups`
  return (
    `${howMany} at BACKUP_TO, such as ${names[0]}, are of another installation, or of a version that did not name its own, and are not ` +
    'removed. If they are of this installation, or of one whose place it takes and which runs no more: matricula storage adopt'
  )
}
