import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  access,
  chmod,
  constants,
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Log } from './operator-log.ts'
import { findPostmaster } from './postmaster.ts'
import { findLeftovers, synchronize, unfinishedPath } from './unfinished.ts'

/** Where databases live whose data folder is closed to the user who runs the server. */
const sharedFolder = '/var/lib/matricula'

const oneDay = 24 * 60 * 60 * 1000

/**
 * The place outside the data folder `home` that its pointer, `<home>/postgres/location`, names; undefined when it has
 * none. A data folder that was moved keeps its place.
 *
 * @throws EmbeddedPostgresError when that place is gone, or belongs to the folder that this one is a copy of
 */
export async function findOutside(home: string, log: Log): Promise<string | undefined> {
  const outside = await readLine(getPointer(home))
  await removeUnsettled(home, outside)
  if (outside !== undefined) await checkBelongs(outside, home, log)
  return outside
}

/**
 * Takes a place outside the data folder `home`, since `closed`, which is it or above it, is closed to the server's user,
 * and leaves a pointer to it. Of several processes at once, all get the same one.
 */
export async function settleOutside(home: string, closed: string, log: Log): Promise<string> {
  await visitEarlier(home, log)
  const inside = dirname(getPointer(home))
  const folder = await chooseOutside(log)
  // Written before the folder exists, so that nothing is forgotten outside when this process is killed.
  const draft = await unfinishedPath(getPointer(home))
  await writeFile(draft, `${folder}\n`, { flush: true })
  try {
    await mkdir(folder)
    await chmod(folder, 0o711)
    await writeFile(join(folder, 'belongs-to'), `${home}\n`, { flush: true })
    await link(draft, getPointer(home))
    await synchronize(inside)
    log.info(`The user who runs PostgreSQL cannot enter ${closed}: the database of ${home} lives in ${folder}`)
    return folder
  } catch (error) {
    await abandon(folder, home)
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readLine(getPointer(home))) ?? folder
  } finally {
    await rm(draft, { force: true })
  }
}

/** Removes places outside that were prepared and never pointed at. */
async function removeUnsettled(home: string, outside: string | undefined): Promise<void> {
  for (const draft of await findLeftovers(dirname(getPointer(home)))) {
    if (!basename(draft).startsWith('location.')) continue
    const folder = await readLine(draft)
    if (folder && folder !== outside) await abandon(folder, home)
    await rm(draft, { force: true })
  }
}

/** Removes a place that was only prepared; one with anything in it stays, whatever a file said. */
async function abandon(folder: string, home: string): Promise<void> {
  const mark = join(folder, 'belongs-to')
  const names = await readdir(folder).catch(() => [])
  if (names.join() === 'belongs-to' && (await readLine(mark)) === home) await rm(mark)
  await rmdir(folder).catch(() => undefined)
}

async function chooseOutside(log: Log): Promise<string> {
  const id = randomBytes(8).toString('hex')
  try {
    await mkdir(sharedFolder, { recursive: true })
    const { uid, mode } = await stat(sharedFolder)
    if (uid !== 0 || mode & 0o022) throw new Error('others than root may write there')
    await chmod(sharedFolder, 0o755)
    await access(sharedFolder, constants.W_OK)
    return join(sharedFolder, id)
  } catch (error) {
    const folder = join(await realpath(tmpdir()), `matricula-${id}`)
    log.warn(
      `${sharedFolder} cannot be used (${(error as Error).message}): the database lives in ${folder}, ` +
        'which the system may clear. Use a DATA_DIR that every user can enter to keep it.',
    )
    return folder
  }
}

async function checkBelongs(folder: string, home: string, log: Log): Promise<void> {
  const pointer = getPointer(home)
  const owner = await readLine(join(folder, 'belongs-to'))
  if (owner === home) return
  if (owner === undefined) {
    throw new EmbeddedPostgresError(
      `The database of ${home} was in ${folder}, which is gone. ` +
        `Bring that folder back, or delete ${dirname(pointer)} to begin with an empty database.`,
    )
  }
  if ((await readLine(getPointer(owner)).catch(() => undefined)) === folder) {
    throw new EmbeddedPostgresError(
      `${home} is a copy of ${owner}, and both point at the one database in ${folder}, which belongs to ${owner}. ` +
        `Use DATA_DIR=${owner}, or delete ${dirname(pointer)} to begin with an empty database here.`,
    )
  }
  const draft = join(folder, `belongs-to.${randomBytes(4).toString('hex')}`)
  await writeFile(draft, `${home}\n`, { flush: true })
  await rename(draft, join(folder, 'belongs-to'))
  log.info(`The data folder moved from ${owner} to ${home}; its database stays in ${folder}`)
}

/**
 * Deleting a data folder leaves its place. Names those that stood at this path before; removes those that stood among
 * the temporary files, where what is gone was meant to go, once nobody has used them for a day.
 */
async function visitEarlier(home: string, log: Log): Promise<void> {
  const temporary = await Promise.all(['/tmp', tmpdir()].map((folder) => realpath(folder).catch(() => folder)))
  for (const id of await readdir(sharedFolder).catch(() => [])) {
    const folder = join(sharedFolder, id)
    const cluster = join(folder, 'data')
    const owner = await readLine(join(folder, 'belongs-to')).catch(() => undefined)
    const used = await stat(cluster).catch(() => undefined)
    if (owner === undefined || used === undefined) continue
    if (owner === home) {
      log.warn(`${folder} has the database of an earlier data folder at ${home}; delete it when it is not needed.`)
      continue
    }
    const isForgotten = !existsSync(owner) && temporary.some((parent) => owner.startsWith(`${parent}/`))
    if (!isForgotten || Date.now() - used.mtimeMs < oneDay || (await findPostmaster(cluster))) continue
    await rm(folder, { recursive: true, force: true }).catch((error: Error) => log.warn(error.message))
  }
}

function getPointer(home: string): string {
  return join(home, 'postgres', 'location')
}

async function readLine(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text?.split('\n')[0]
}
