import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, realpath, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Place } from './location.ts'
import { giveTo, isRoot } from './server-user.ts'

/** The number in the socket's file name; nothing listens on a network port. */
export const socketPort = 5432

/** macOS takes 104 bytes with the closing zero, Linux 108. */
const longestSocketPath = 100

/**
 * Makes the folder of the server's socket, which only the server's user may enter: whoever reaches the socket is the
 * superuser. It stands beside the cluster, or, when that path is too long for a socket, among the temporary folders
 * under a name that everybody who uses this cluster finds.
 *
 * @throws EmbeddedPostgresError when no folder can be had that is surely private.
 */
export async function prepareSocketFolder(location: Place): Promise<string> {
  for (const folder of await candidates(location)) {
    if (fits(folder) && (await makePrivate(folder, location))) return folder
  }
  throw new EmbeddedPostgresError(
    `The database in ${location.folder} has no room for its socket: the path there is longer than ${longestSocketPath} ` +
      'bytes or not private, and neither is one under /tmp. Use another DATA_DIR, or set DATABASE_URL.',
  )
}

/** Removes the socket's folder when it is empty and not beside the cluster. */
export async function removeSocketFolder(folder: string, location: Place): Promise<void> {
  if (folder !== besideCluster(location)) await rmdir(folder).catch(() => undefined)
}

async function candidates(location: Place): Promise<string[]> {
  const name = `matricula-${createHash('sha256').update(location.cluster).digest('hex').slice(0, 16)}`
  // Not the TMPDIR of this process first: the service and a command may have different ones.
  const parents = await Promise.all(['/tmp', tmpdir()].map((folder) => realpath(folder).catch(() => folder)))
  // A name that somebody else took stays theirs: the next one is as good.
  const names = [name, `${name}-1`, `${name}-2`, `${name}-3`]
  return [besideCluster(location), ...parents.flatMap((parent) => names.map((one) => join(parent, one)))]
}

function besideCluster(location: Place): string {
  return join(location.folder, 'socket')
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= longestSocketPath
}

/** Whether `folder` is now one that only the server's user may enter. */
async function makePrivate(folder: string, location: Place): Promise<boolean> {
  const beside = folder === besideCluster(location)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      if (beside) throw error
      return false
    }
  }
  const found = await lstat(folder)
  if (!found.isDirectory()) return false
  // One of this user's own may be half-made by a process that works on it now or was killed.
  if (found.uid === process.geteuid?.() || (beside && isRoot())) {
    await giveTo(location.user, folder)
    await chmod(folder, 0o700)
  }
  const { uid, mode } = await lstat(folder)
  return uid === location.user.uid && (mode & 0o777) === 0o700
}
