import { lchown, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { EmbeddedPostgresError, useAnotherDatabase } from './embedded-postgres-error.ts'

/** The variables that PostgreSQL's programs see: none of the caller's, whose locale or PG… settings could change them. */
export const programEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** The user of the operating system who runs the server and owns its files. PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
  /** True when this process already runs as that user. */
  readonly self: boolean
}

/** The owner of a cluster that exists already. */
export type Owner = Pick<ServerUser, 'uid' | 'gid'>

/**
 * Who runs the server: this user, or, when this is root, the owner of the existing cluster, else `postgres`, else
 * `nobody`.
 *
 * @throws EmbeddedPostgresError when an ordinary user meets another user's cluster, or has no entry in the list of
 * users (initdb refuses those), or when root finds nobody to run it.
 */
export async function chooseServerUser(owner: Owner | undefined, cluster: string): Promise<ServerUser> {
  if (!isRoot()) return currentUser(owner, cluster)
  if (owner !== undefined && owner.uid !== 0) return { ...owner, self: false }
  const entries = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name)
    const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])]
    // macOS writes the ids of `nobody` as -2; the system calls and `stat` have them unsigned.
    if (Number.isInteger(uid) && uid !== 0 && Number.isInteger(gid))
      return { uid: uid >>> 0, gid: gid >>> 0, self: false }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and neither of the users "postgres" and "nobody" exists to run it. ' +
      `Start as an ordinary user. ${useAnotherDatabase}`,
  )
}

/** Whether this process may act as other users. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/** Options for `spawn` that make a child run as `user`. */
export function runAs(user: ServerUser): { uid?: number; gid?: number } {
  // spawn takes ids as signed 32-bit numbers.
  return user.self ? {} : { uid: user.uid | 0, gid: user.gid | 0 }
}

/** Gives a file or folder, not what a symbolic link points to, to `user`. */
export async function giveTo(user: ServerUser, path: string): Promise<void> {
  if (!user.self) await lchown(path, user.uid, user.gid)
}

/**
 * The first of `folder` and its ancestors, outermost first, that `user` may not pass through; undefined when it can
 * reach what is in `folder`. Judged by owner, group and mode, not by access lists.
 */
export async function closedFolder(user: ServerUser, folder: string): Promise<string | undefined> {
  if (user.self) return undefined
  const above = dirname(folder) === folder ? undefined : await closedFolder(user, dirname(folder))
  if (above !== undefined) return above
  return (await isAllowed(user, folder, 0o1)) ? undefined : folder
}

/** Whether the mode of `path` grants `user` all of `rights` (4 read, 2 write, 1 execute or pass through). */
export async function isAllowed(user: ServerUser, path: string, rights: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & rights) === rights
}

function currentUser(owner: Owner | undefined, cluster: string): ServerUser {
  const uid = process.geteuid?.() ?? -1
  const gid = process.getegid?.() ?? -1
  if (owner !== undefined && owner.uid !== uid) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to the user with id ${owner.uid}, and this is user ${uid}. ` +
        'Start as that user or as root, use another DATA_DIR, or set DATABASE_URL.',
    )
  }
  try {
    userInfo()
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cannot run as user id ${uid}, which has no entry in the list of users. ` +
        `Start as a user who has one. ${useAnotherDatabase}`,
      { cause: error },
    )
  }
  return { uid, gid, self: true }
}
