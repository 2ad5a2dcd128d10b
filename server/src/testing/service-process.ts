import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterFile } from './file-end.ts'
import { freePort } from './free-port.ts'

const entry = fileURLToPath(new URL('../main.js', import.meta.url))
const program = fileURLToPath(new URL('../../bin/matricula.js', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A service that runs as a process of its own, as operators start it. */
export interface ServiceProcess {
  readonly child: ChildProcess
  readonly address: string
  /** Everything it said so far. */
  readonly output: () => string
  readonly ended: Promise<number | null>
}

/** Does something after the test that is running, the last one asked for first. */
export function afterwards(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup)
}

/** A folder for data, which is removed after the test. */
export async function aFolder(atEnd = afterwards): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-service-'))
  await chmod(folder, 0o755) // as root the database runs as another user, who must be able to enter
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder of a service that has run before, and the token of a tenant there. */
export interface UsedFolder {
  readonly folder: string
  readonly token: string
}

/**
 * A copy of the folder of a service that has run before: its next start makes no database, and has a tenant with a token. The folder is
 * removed after the test.
 */
export async function aUsedFolder(atEnd = afterwards): Promise<UsedFolder> {
  const used = join(tmpdir(), 'matricula-used')
  const tokenFile = join(used, 'token')
  const readToken = () => readFile(tokenFile, 'utf8').catch(() => null)
  // The first who asks makes it, for every process of tests.
  const isMine = await mkdir(used, { mode: 0o755 }).then(
    () => true,
    () => false,
  )
  if (isMine) {
    const service = await launchService({ DATA_DIR: join(used, 'data') })
    await untilReady(service)
    await writeFile(`${tokenFile}-made`, await aToken(join(used, 'data')))
    await stop(service)
    await rename(`${tokenFile}-made`, tokenFile)
  }
  await until(async () => (await readToken()) !== null, 'a folder that was used')
  const folder = await aFolder(atEnd)
  await promisify(execFile)('cp', ['-Rp', `${join(used, 'data')}/.`, folder])
  return { folder, token: (await readToken()) as string }
}

/** Starts the service without npm; it is stopped after the test. */
export function start(dataDir: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  return startProgram([process.execPath, entry], dataDir, settings, false)
}

/** Starts a script of npm, with words behind it, as a terminal does: in a process group of its own. */
export function startScript(
  words: readonly string[],
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  const { npm_execpath: npm } = process.env
  const command = npm === undefined ? ['npm', 'run', ...words] : [process.execPath, npm, 'run', ...words]
  return startProgram(command, dataDir, settings, true)
}

async function startProgram(
  command: string[],
  dataDir: string,
  settings: Record<string, string>,
  isGroup: boolean,
): Promise<ServiceProcess> {
  const started = await launch(command, { DATA_DIR: dataDir, ...settings }, isGroup)
  // A group of its own is not reached by what interrupts the tests.
  const endWithTests = () => {
    send(started.child, 'group', 'SIGTERM')
    process.exit(1)
  }
  if (isGroup) process.once('SIGTERM', endWithTests)
  cleanups.push(async () => {
    process.off('SIGTERM', endWithTests)
    await stop(started, isGroup ? 'group' : 'itself')
  })
  return started
}

/** Starts the service without npm; whoever started it stops it. */
export function launchService(settings: Record<string, string>): Promise<ServiceProcess> {
  return launch([process.execPath, entry], settings, false)
}

/** Starts a program that is the service, in its folder. */
export function launchProgram(
  words: string[],
  settings: Record<string, string>,
  folder: string,
): Promise<ServiceProcess> {
  return launch(words, settings, false, folder)
}

/** Starts the service without npm on a folder of its own; both are put down after the test file. */
export async function startForFile(settings: Record<string, string>): Promise<ServiceProcess> {
  const service = await launchService({ DATA_DIR: await aFolder(afterFile), ...settings })
  afterFile(() => stop(service))
  return service
}

async function launch(
  [command = '', ...words]: string[],
  settings: Record<string, string>,
  isGroup: boolean,
  cwd = root,
): Promise<ServiceProcess> {
  const port = settings.PORT ?? (await freePort())
  const env = { ...process.env, PORT: String(port), LOG_FORMAT: 'json', ...settings }
  const child = spawn(command, words, { env, cwd, detached: isGroup, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, address: `http://127.0.0.1:${port}`, output: () => output, ended }
}

/** Ends a program that runs, and waits until it is over. */
export async function stop({ child, ended }: ServiceProcess, whom: 'itself' | 'group' = 'itself'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  send(child, whom, 'SIGTERM')
  await ended
}

/** Sends a signal to a program itself, or to its whole group as a terminal does. */
export function send(child: ChildProcess, to: 'itself' | 'group', signal: NodeJS.Signals): void {
  const pid = child.pid as number
  try {
    process.kill(to === 'group' ? -pid : pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits for a condition, and fails when it does not come about. */
export async function until(condition: () => Promise<boolean> | boolean, what: string | (() => string), seconds = 120) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(25)) if (await condition()) return
  assert.fail(`${typeof what === 'string' ? what : what()} did not come about in ${seconds} s`)
}

/** The status that a path answers, 0 when nobody does. */
export const statusOf = (address: string, path: string) =>
  fetch(address + path).then(
    (response) => response.status,
    () => 0,
  )

export const untilReady = ({ address, output }: ServiceProcess) =>
  until(
    async () => (await statusOf(address, '/readyz')) === 200,
    () => `readiness (${output()})`,
  )

/** What a command prints with `--json`, run beside a service. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export async function runCommand(settings: Record<string, string>, ...words: string[]): Promise<any> {
  const env = { ...process.env, ...settings }
  return JSON.parse((await promisify(execFile)(process.execPath, [program, ...words, '--json'], { env })).stdout)
}

/** A tenant and its token, made on the command line beside the service. */
export async function aToken(dataDir: string): Promise<string> {
  const run = (...words: string[]) => runCommand({ DATA_DIR: dataDir }, ...words)
  await run('tenant', 'create', '--slug', 'school', '--name', 'School')
  const all = ['--scopes', 'all', '--domains', 'students,enrollment,payments', '--requests-per-minute', '100000']
  return (await run('token', 'create', '--tenant', 'school', '--name', 'test', ...all)).token
}

/** The process id of the embedded database's main process. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const location = await readFile(join(dataDir, 'postgres', 'location'), 'utf8').catch(() => null)
  const folder = location === null ? join(dataDir, 'postgres') : location.trim().split('\n')[0]
  const text = await readFile(join(folder as string, 'data', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
