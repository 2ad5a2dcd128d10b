import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What the operating system tells about a running process, of any user. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** Tells two processes with the same id apart; only good for comparing. */
  readonly startedAt: string
  /** Program and arguments, joined by spaces. */
  readonly command: string
  /** Its current folder; undefined when it is not this user's to know, or the system does not tell. */
  readonly folder: string | undefined
}

const run = promisify(execFile)
const hasProcFolder = existsSync('/proc/self/stat')

/** Describes a running process; undefined when there is none with this id, or it has ended and only waits to be reaped. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (pid <= 0) return undefined
  return hasProcFolder ? readProcFolder(pid) : (await askPs(['-p', String(pid)]))[0]
}

/** Describes every process that this user may see. */
export async function listProcesses(): Promise<RunningProcess[]> {
  if (!hasProcFolder) return askPs(['-ax'])
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const found = await Promise.all(pids.map(readProcFolder))
  return found.filter((one) => one !== undefined)
}

/** Whether a process runs under this id; one that has ended and only waits to be reaped does not. Cheap enough to poll. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (!hasProcFolder) return true
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).state !== 'Z'
  } catch {
    return false
  }
}

async function readProcFolder(pid: number): Promise<RunningProcess | undefined> {
  try {
    const { state, parent, startedAt } = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
    if (state === 'Z') return undefined
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim()
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    return { pid, parent, startedAt, command, folder }
  } catch {
    return undefined
  }
}

function parseStat(line: string): { state: string; parent: number; startedAt: string } {
  // The second field is the program's name in parentheses, which may itself contain both.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', parent: Number(fields[1]), startedAt: fields[19] ?? '' }
}

async function askPs(selection: string[]): Promise<RunningProcess[]> {
  const format = ['-ww', '-o', 'pid=,ppid=,stat=,lstart=,command=']
  // Without a UTF-8 locale ps escapes the letters of other languages in paths.
  const env = { PATH: '/bin:/usr/bin', LC_CTYPE: 'en_US.UTF-8' }
  const output = await run('ps', [...selection, ...format], { env, maxBuffer: 64 << 20 }).then(
    ({ stdout }) => stdout,
    () => '',
  )
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s(.*)$/.exec(line)
    if (match === null || match[3]?.startsWith('Z')) return []
    const [, pid, parent, , startedAt = '', command = ''] = match
    return [{ pid: Number(pid), parent: Number(parent), startedAt, command: command.trim(), folder: undefined }]
  })
}
