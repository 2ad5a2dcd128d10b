import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import type { Place } from './location.ts'
import { findProcess, isAlive, listProcesses, type RunningProcess } from './processes.ts'
import { giveTo, programEnvironment, runAs } from './server-user.ts'
import { clusterName, serverArguments } from './settings.ts'
import { socketPort } from './socket-folder.ts'

/** What a running server, or one that was killed, wrote into `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
}

/** A server that this process started. */
export interface LaunchedServer {
  readonly pid: number | undefined
  isRunning(): boolean
  /** The end of what it wrote to its log, at most 2 kB, or why it could not be run at all. */
  lastWords(): Promise<string>
}

const longestLog = 8 << 20

/** How long a server may take to write everything out before it is made to leave that to the next start. */
const shutdownTimeoutMs = 60_000

/** Reads `postmaster.pid`; undefined when there is none, or only its beginning has been written. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  const [pid, , , port, socketFolder] = (text ?? '').split('\n')
  if (!Number(pid)) return undefined
  return { pid: Math.abs(Number(pid)), port: Number(port) || socketPort, socketFolder: socketFolder ?? '' }
}

/** The process that `postmaster.pid` names, when it really is a server of this cluster and not a later namesake. */
export async function findPostmaster(cluster: string): Promise<RunningProcess | undefined> {
  const found = await findProcess((await readPostmasterFile(cluster))?.pid ?? 0)
  return found !== undefined && isPostmasterOf(found, cluster) ? found : undefined
}

/** Whether a process is the main one of a server of this cluster. */
export function isPostmasterOf({ command, folder }: RunningProcess, cluster: string): boolean {
  if (!command.includes('/postgres -D ')) return false
  // Some systems print the letters of a path in a way of their own; the cluster's name has none that they would change.
  const signs = [` -D ${cluster} `, ` cluster_name=${clusterName(cluster)} `]
  return folder === cluster || signs.some((sign) => `${command} `.includes(sign))
}

/**
 * Starts a server in a session of its own, so that the terminal's signals do not reach it and it outlives this process.
 * It may end at once, for example because another process was faster.
 */
export async function launchServer(location: Place, binaries: Binaries, socketFolder: string): Promise<LaunchedServer> {
  const stale = await findStalePid(location.cluster)
  await removeStaleSocketLock(location, socketFolder, stale)
  const path = join(location.folder, 'postgres.log')
  const log = await openLog(path, location)
  try {
    const begin = (await log.stat()).size
    const child = spawn(join(binaries.folder, 'bin/postgres'), serverArguments(location.cluster, socketFolder), {
      ...runAs(location.user),
      cwd: location.folder,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      // PostgreSQL takes a living process with the id in a left postmaster.pid for a server, except this one. The file
      // itself must stay: it tells which shared memory has to be free of the former server's processes.
      env: { ...programEnvironment, ...(stale && { PG_GRANDPARENT_PID: String(stale) }) },
    })
    let failure = ''
    child.once('error', (error) => {
      failure = error.message
    })
    child.unref()
    return {
      pid: child.pid,
      isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
      lastWords: async () => failure || (await readFrom(path, begin)),
    }
  } finally {
    await log.close()
  }
}

/**
 * Ends processes of a server whose main process was killed: one that is busy does not notice by itself, and holds the
 * shared memory that a new server needs. Resolves when they are gone, which takes as long as a disk that is busy keeps them,
 * or when the signal is aborted; at most a minute.
 */
export async function endOrphans(cluster: string, signal?: AbortSignal): Promise<void> {
  const processes = await listProcesses()
  const postmasters = new Set(processes.filter((one) => isPostmasterOf(one, cluster)).map(({ pid }) => pid))
  const title = `postgres: ${clusterName(cluster)}: `
  const orphans: number[] = []
  for (const { pid, parent, command, folder } of processes) {
    const ofCluster = command.startsWith(title) || (command.startsWith('postgres: ') && folder === cluster)
    if (!ofCluster || postmasters.has(parent) || !isAlive(pid)) continue
    process.kill(pid, 'SIGKILL')
    orphans.push(pid)
  }
  const deadline = Date.now() + shutdownTimeoutMs
  while (orphans.some(isAlive) && Date.now() < deadline && !signal?.aborted) await pause(10)
}

/**
 * Stops the server with this process id: disconnects everybody, writes everything out, waits for its end. False when
 * the process is not to be found, because it ended or lives in another container.
 */
export async function shutDown(pid: number, cluster: string): Promise<boolean> {
  const found = await findProcess(pid)
  if (found === undefined || !isPostmasterOf(found, cluster)) return false
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = Date.now() + shutdownTimeoutMs
    if (isAlive(pid)) process.kill(pid, signal)
    while (isAlive(pid) && Date.now() < deadline) await pause(10)
  }
  return true
}

async function findStalePid(cluster: string): Promise<number | undefined> {
  const pid = (await readPostmasterFile(cluster))?.pid
  const found = await findProcess(pid ?? 0)
  return found !== undefined && isPostmasterOf(found, cluster) ? undefined : pid
}

async function removeStaleSocketLock(location: Place, socketFolder: string, stale: number | undefined): Promise<void> {
  const path = join(socketFolder, `.s.PGSQL.${socketPort}.lock`)
  const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || pid === stale) return
  const found = await findProcess(pid)
  if (found === undefined || !isPostmasterOf(found, location.cluster)) await rm(path, { force: true })
}

/** Opens the log for writing at its end, and begins a new one when it has grown too long. */
async function openLog(path: string, location: Place): Promise<FileHandle> {
  if (((await stat(path).catch(() => undefined))?.size ?? 0) > longestLog) {
    await rename(path, `${path}.1`).catch(() => undefined)
  }
  // As root in another user's folder, a link that leads elsewhere must not be followed.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW
  try {
    const log = await open(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600)
    await giveTo(location.user, path)
    return log
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return open(path, flags)
  }
}

async function readFrom(path: string, begin: number): Promise<string> {
  const text = (await readFile(path).catch(() => Buffer.alloc(0))).subarray(begin)
  return text.subarray(-2000).toString().trim()
}
