import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findProcess, isAlive, listProcesses } from './processes.ts'

const unfinishedName = /^.+\.unfinished-(\d+)-(\d+)-[0-9a-f]+$/

/**
 * A path beside `path` for this process to work on before it has the final name. It says which process makes it, so
 * that another one can tell a leftover from work under way.
 */
export async function unfinishedPath(path: string): Promise<string> {
  return `${path}.unfinished-${process.pid}-${await findStart(process.pid)}-${randomBytes(4).toString('hex')}`
}

/** The unfinished files and folders in `parent` whose maker has ended. */
export async function findLeftovers(parent: string): Promise<string[]> {
  const leftovers: string[] = []
  for (const name of await readdir(parent)) {
    const [, pid, startedAt] = unfinishedName.exec(name) ?? []
    if (pid !== undefined && (await findStart(Number(pid))) !== startedAt) leftovers.push(join(parent, name))
  }
  return leftovers
}

/**
 * Makes a folder that is either whole or absent: `fill` works on an empty sibling, which is renamed into place when it
 * is done. When somebody else was faster, theirs stays.
 */
export async function makeAtomically(folder: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = await unfinishedPath(folder)
  await mkdir(unfinished, { mode: 0o700 })
  try {
    await fill(unfinished)
    if (await renameUnlessThere(unfinished, folder)) await synchronize(dirname(folder))
    else await remove(unfinished)
  } catch (error) {
    await remove(unfinished)
    throw error
  }
}

async function renameUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

/** Removes what makers of folders in `parent` left behind when they were killed, and ends what still works on it. */
export async function removeLeftovers(parent: string, warn: (message: string) => void): Promise<void> {
  for (const leftover of await findLeftovers(parent)) {
    try {
      await endProcessesOn(leftover)
      await remove(leftover)
    } catch (error) {
      warn(`Could not remove ${leftover}, which an interrupted start left behind: ${(error as Error).message}`)
    }
  }
}

async function findStart(pid: number): Promise<string | undefined> {
  return (await findProcess(pid))?.startedAt.replace(/\D/g, '')
}

/** An initdb outlives the process that started it when that was killed. */
async function endProcessesOn(leftover: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const processes = (await listProcesses()).filter(
      ({ command, folder }) =>
        /\/(initdb|postgres)["' ]/.test(command) &&
        (command.includes(basename(leftover)) || folder?.startsWith(leftover)),
    )
    if (processes.length === 0) return
    for (const { pid } of processes) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await pause(10)
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

/** Makes new and changed names in `folder` survive a loss of power, on the file systems that can. */
export async function synchronize(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().catch(() => undefined)
  await handle.close()
}
