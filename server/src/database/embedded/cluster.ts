import { type SpawnOptions, spawn } from 'node:child_process'
import { lchown, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError, useAnotherDatabase } from './embedded-postgres-error.ts'
import type { Place } from './location.ts'
import { giveTo, programEnvironment, runAs, type ServerUser } from './server-user.ts'
import { makeAtomically } from './unfinished.ts'

/** The superuser of every cluster that is made here; it connects without a password, from inside a private folder. */
export const superuser = 'postgres'

/** Not every C library knows C.UTF-8 (macOS before 14 does not); what the database sorts by is built in and the same. */
const locales = [
  ['--locale=C.UTF-8'],
  ['--locale=C', '--lc-ctype=en_US.UTF-8', '--builtin-locale=C.UTF-8'],
  ['--locale=C', '--builtin-locale=C.UTF-8'],
]

/**
 * Makes the cluster of `place` unless it exists; one that is interrupted leaves only a folder that the next start
 * removes.
 *
 * @throws EmbeddedPostgresError when something else stands in its place, when it was made by another major version, or
 * when initdb fails.
 */
export async function ensureCluster(location: Place, binaries: Binaries): Promise<void> {
  const version = await readFile(join(location.cluster, 'PG_VERSION'), 'utf8').catch(ignoreMissing)
  if (version === undefined) {
    if ((await readdir(location.cluster).catch(ignoreMissing))?.length) {
      throw new EmbeddedPostgresError(
        `${location.cluster} is not a PostgreSQL cluster, nor empty. Move it away, or use another DATA_DIR.`,
      )
    }
    if ((await retainedClusters(location)).length > 0) {
      throw new EmbeddedPostgresError(
        `The upgrade of the database in ${location.folder} was interrupted. Run it again: matricula upgrade-database`,
      )
    }
    return makeAtomically(location.cluster, (unfinished) => initialise(unfinished, location, binaries))
  }
  const major = getMajor(binaries)
  if (version.trim() !== major) {
    throw new EmbeddedPostgresError(
      `The database in ${location.cluster} was made by PostgreSQL ${version.trim()}, and this release brings ${major}. ` +
        'Stop the service and run: matricula upgrade-database. It leaves the old database beside the new one.',
    )
  }
  if (location.rootOwned) await giveTreeTo(location.user, location.cluster)
}

/** Where an upgrade makes a new cluster, in the folder of the old one. */
export const upgradeFolder = 'upgraded'

/** The old clusters that upgrades have left in a place, by name. */
export async function retainedClusters({ folder }: Place): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^data-\d+$/.test(name))
}

/** The major version, such as 18. */
export function getMajor({ version }: Binaries): string {
  return version.split('.')[0] as string
}

async function initialise(folder: string, location: Place, binaries: Binaries): Promise<void> {
  await giveTo(location.user, folder)
  const settings = [`--username=${superuser}`, '--auth=trust', '--encoding=UTF8', '--locale-provider=builtin']
  for (const [attempt, locale] of locales.entries()) {
    try {
      const args = ['-D', folder, ...settings, ...locale, '--no-instructions']
      const options = { ...runAs(location.user), cwd: location.folder, env: programEnvironment }
      await runUndisturbed(join(binaries.folder, 'bin/initdb'), args, options)
      return
    } catch (error) {
      const { message } = error as Error
      if (message.includes('invalid locale') && attempt < locales.length - 1) continue
      const output = message.trim().split('\n').slice(-5).join('\n')
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL could not create its database in ${location.folder}: ${output}\n${useAnotherDatabase}`,
        { cause: error },
      )
    }
  }
}

/**
 * Runs a program in a session of its own, where the terminal's signals do not reach it: one that is interrupted would leave
 * shared memory behind. Throws with what it wrote to its error output, when it fails.
 */
async function runUndisturbed(program: string, args: string[], options: SpawnOptions): Promise<void> {
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(said.trim() === '' ? `it ended with ${code}` : said)
}

async function giveTreeTo(user: ServerUser, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), user.uid, user.gid)
  }
  await giveTo(user, folder)
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
