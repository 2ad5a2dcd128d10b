import { existsSync } from 'node:fs'
import { chmod, mkdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Place } from './location.ts'
import type { Log } from './operator-log.ts'
import { findOutside, settleOutside } from './outside-location.ts'
import { chooseServerUser, closedFolder, isRoot, type Owner } from './server-user.ts'

/**
 * Finds the place of the database of `dataDir`, and makes its folder when it is new: `<dataDir>/postgres`, or, when
 * root starts it and the server's user cannot enter that, a folder outside that `<dataDir>/postgres/location` names.
 *
 * @throws EmbeddedPostgresError when that file names a place that is gone or belongs to another data folder, or when
 * the cluster belongs to a user who cannot enter it.
 */
export async function findLocation(dataDir: string, log: Log): Promise<Place> {
  const made = await mkdir(join(dataDir, 'postgres'), { recursive: true })
  const home = await realpath(dataDir)
  const inside = join(home, 'postgres')
  if (made !== undefined && !isRoot()) await chmod(inside, 0o700)
  const outside = await findOutside(home, log)
  if (outside !== undefined) return describe(home, outside)
  const location = await describe(home, inside)
  const closed = await closedFolder(location.user, home)
  if (closed === undefined) {
    if ((await closedFolder(location.user, inside)) !== undefined) await chmod(inside, 0o711)
    return location
  }
  if (existsSync(location.cluster)) {
    throw new EmbeddedPostgresError(
      `The user with id ${location.user.uid}, who runs the database in ${location.cluster}, cannot enter ${closed}. ` +
        `Let others pass through it (chmod o+x ${closed}), or move the data folder.`,
    )
  }
  const settled = await describe(home, await settleOutside(home, closed, log))
  if ((await closedFolder(settled.user, settled.folder)) === undefined) return settled
  throw new EmbeddedPostgresError(
    `The user with id ${location.user.uid}, who runs PostgreSQL, can enter neither ${closed} nor ${settled.folder}. ` +
      `Let others pass through one of them (chmod o+x ${closed}), use another DATA_DIR, or set DATABASE_URL.`,
  )
}

/** Whether a database was ever begun in `dataDir`. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres'))
}

async function describe(dataDir: string, folder: string): Promise<Place> {
  const cluster = join(folder, 'data')
  const owner: Owner | undefined = existsSync(cluster) ? await stat(cluster) : undefined
  const user = await chooseServerUser(owner, cluster)
  return { dataDir, folder, cluster, user, rootOwned: owner?.uid === 0 && !user.self }
}
