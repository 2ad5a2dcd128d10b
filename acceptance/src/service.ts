import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Place } from './place.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const readyMilliseconds = 120_000

/** A service that was started to be put to the proof, on an embedded database in a folder of its own. */
export class ServiceUnderProof {
  readonly folder: string
  readonly place: Place
  readonly #isFolderOurs: boolean
  readonly #settings: NodeJS.ProcessEnv
  #child: ChildProcess

  private constructor(
    folder: { readonly path: string; readonly isOurs: boolean },
    location: Place,
    settings: NodeJS.ProcessEnv,
    child: ChildProcess,
  ) {
    this.folder = folder.path
    this.#isFolderOurs = folder.isOurs
    this.place = location
    this.#settings = settings
    this.#child = child
  }

  /** Starts one with an institution, on this folder or on a new one. */
  static async start(settings: Readonly<Record<string, string>> = {}, folder?: string): Promise<ServiceUnderProof> {
    const data = folder ?? (await mkdtemp(join(tmpdir(), 'matricula-acceptance-')))
    await chmod(data, 0o755) // as root the database runs as another user, who must be able to enter
    const port = await freePort()
    const environment = { ...process.env, DATA_DIR: data, PORT: String(port), LOG_FORMAT: 'json', ...settings }
    const address = `http://127.0.0.1:${port}`
    const child = await launch(environment)
    try {
      await untilReady(address, child)
      const location = { address, ...(await makeProof(environment)) }
      return new ServiceUnderProof({ path: data, isOurs: folder === undefined }, location, environment, child)
    } catch (error) {
      child.kill('SIGTERM')
      await ended(child)
      throw error
    }
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** Kills the service, its database or both, without a word before. */
  async kill(whom: 'service' | 'database' | 'both'): Promise<void> {
    const postmaster = await this.postmaster()
    if (whom !== 'database') this.#child.kill('SIGKILL')
    if (whom !== 'service') killed(postmaster)
    if (whom !== 'database') await ended(this.#child)
  }

  /** Waits until it answers again, and starts it where it is not there any more. Returns how long that took, in milliseconds. */
  async recover(): Promise<number> {
    const begun = performance.now()
    for (;;) {
      if (hasEnded(this.#child)) this.#child = await launch(this.#settings)
      const child = this.#child
      const isReady = await untilReady(this.place.address, child).then(
        () => true,
        async (error) => {
          if (hasEnded(child) && performance.now() - begun < readyMilliseconds) return false
          throw new Error(`${(error as Error).message}; the end of its log:\n${await this.#lastWords()}`)
        },
      )
      if (isReady) return performance.now() - begun
    }
  }

  async #lastWords(): Promise<string> {
    const lines = async (file: string) =>
      (await readFile(join(this.folder, file), 'utf8').catch(() => '')).split('\n').slice(-15)
    return [...(await lines('service.log')), ...(await lines('postgres/postgres.log'))].join('\n')
  }

  /** The process id of the database's first process. */
  async postmaster(): Promise<number> {
    const location = await readFile(join(this.folder, 'postgres/location'), 'utf8').catch(() => null)
    const folder = location === null ? join(this.folder, 'postgres') : (location.trim().split('\n')[0] as string)
    return Number((await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
  }

  /** Runs a command of the service on its folder, and reads what it prints. Throws where it fails. */
  async command(...args: readonly string[]): Promise<Record<string, unknown>> {
    return runCommand(this.#settings, args)
  }

  /** Resident memory of the service's process, in MiB. */
  async residentMebibytes(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await ended(this.#child)
    if (this.#isFolderOurs) await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runCommand(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Record<string, unknown>> {
  const program = join(root, 'server/bin/matricula.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], { env: environment })
  return JSON.parse(stdout)
}

/** Makes an institution on the command line, and what opens it. */
async function makeProof(environment: NodeJS.ProcessEnv): Promise<{ token: string; key: string }> {
  await runCommand(environment, ['tenant', 'create', '--slug', 'proof', '--name', 'Proof'])
  const quota = ['--tenant', 'proof', '--name', 'acceptance', '--requests-per-minute', '1000000']
  const scopes = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const { token } = await runCommand(environment, ['token', 'create', ...quota, ...scopes])
  const { key } = await runCommand(environment, ['key', 'create', ...quota])
  return { token: token as string, key: key as string }
}

/** Kills a process that may have ended already. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function launch(environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const log = await open(join(environment.DATA_DIR as string, 'service.log'), 'a')
  const main = join(root, 'server/dist/main.js')
  const child = spawn(process.execPath, [main], { env: environment, cwd: root, stdio: ['ignore', log.fd, log.fd] })
  await log.close()
  return child
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function ended(child: ChildProcess): Promise<void> {
  while (!hasEnded(child)) await pause(10)
}

async function untilReady(address: string, child: ChildProcess): Promise<void> {
  for (const end = performance.now() + readyMilliseconds; performance.now() < end; await pause(50)) {
    if (hasEnded(child)) throw new Error('the service has ended')
    if (
      await fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
  }
  throw new Error(`the service was not ready within ${readyMilliseconds} ms`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
