import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getUrl } from '../../../server/dist/testing/fixtures/database/test-database.js'
import { freePort } from '../../../server/dist/testing/runner/free-port.js'
import { type BenchTarget, loadPostmasterPid, openBenchDatabase } from './bench-database.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A tenant with what opens it: a token of the Client API, and a key of the Resource and Method API. */
export interface BenchTenant {
  readonly tenantId: string
  readonly token: string
  readonly key: string
}

/** A service on an empty data folder, in processes of its own. */
export interface BenchService extends BenchTarget {
  readonly address: string
  /** Its process. */
  readonly pid: number
  /** The process of its database that has started all others of it. */
  postmasterPid(): Promise<number>
  /** Makes a tenant with as many payments, a token for it, and a key of the Resource and Method API. */
  fill(slug: string, students: number, payments: number): Promise<BenchTenant>
  /** Makes an empty tenant, with both. */
  make(slug: string): Promise<BenchTenant>
  /** What a command of `matricula` prints with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  command(...args: string[]): Promise<any>
  /** Resident memory of the service's process, in MiB. */
  residentMebibytes(): Promise<number>
  stop(): Promise<void>
}

/** Of services on one database, which need the same. */
const benchKey = 'of services that a benchmark starts beside each other'

/** The service, as operators run it. */
const program = join(root, 'server/dist/main.js')

/** Starts a service in a temporary folder, with its embedded database there unless `DATABASE_URL` names another one. */
export async function startBenchService(settings: Readonly<Record<string, string>> = {}): Promise<BenchService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'matricula-bench-'))
  await chmod(dataDir, 0o755) // as root the database runs as another user, who must be able to enter
  const databaseUrl = settings.DATABASE_URL ?? (process.env.DATABASE_URL || null)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_FORMAT: 'json',
    TRUSTED_PROXIES: '127.0.0.1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...(databaseUrl !== null && process.env.SECRET_KEY === undefined && { SECRET_KEY: benchKey }),
    ...settings,
  }
  // To a file, as it goes in earnest: what is thrown away costs less.
  const logPath = join(dataDir, 'service.log')
  const log = await open(logPath, 'w')
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', log.fd, log.fd] })
  await untilReady(child, address, logPath).catch(async (error: unknown) => {
    await end(child)
    await log.close()
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
  const command = async (...args: string[]) => {
    const cli = [join(root, 'server/dist/cli.js'), ...args, '--json']
    return JSON.parse((await promisify(execFile)(process.execPath, cli, { env: environment })).stdout)
  }
  const opened = async (slug: string, tenantId: string): Promise<BenchTenant> => {
    const quota = ['--requests-per-minute', '1000000']
    const { key } = await command('key', 'create', '--tenant', slug, '--name', 'bench', ...quota)
    const all = ['--scopes', 'all', '--domains', 'students,enrollment,payments', ...quota]
    const { token } = await command('token', 'create', '--tenant', slug, '--name', 'bench', ...all)
    return { tenantId, token, key }
  }
  return {
    address,
    dataDir,
    databaseUrl,
    pid: child.pid as number,
    postmasterPid: async () => {
      if (databaseUrl !== null) return loadPostmasterPid({ dataDir, databaseUrl })
      const [pid] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
      return Number(pid)
    },
    command,
    fill: async (slug, students, payments) => {
      const size = ['--students', String(students), '--payments', String(payments)]
      const { tenant } = await command('demo', '--tenant', slug, ...size)
      return opened(slug, tenant.id)
    },
    make: async (slug) => {
      const { tenant } = await command('tenant', 'create', '--slug', slug, '--name', slug)
      return opened(slug, tenant.id)
    },
    residentMebibytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    stop: async () => {
      await end(child)
      await log.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A further service on the database of a bench service. */
export interface FurtherService {
  readonly address: string
  /** Its first process. */
  readonly pid: () => number
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a further service on the database of one, with settings of its own. */
export async function startBeside(
  service: BenchService,
  settings: Readonly<Record<string, string>>,
): Promise<FurtherService> {
  const { dataDir } = service
  const opened = await openBenchDatabase(service)
  const port = String(await freePort())
  const address = `http://127.0.0.1:${port}`
  const environment = {
    ...process.env,
    DATABASE_URL: getUrl(opened.connection),
    DATA_DIR: dataDir,
    PORT: port,
    LOG_FORMAT: 'json',
    TRUSTED_PROXIES: '127.0.0.1',
    SECRET_KEY: benchKey,
    ...settings,
  }
  const logPath = join(dataDir, `service-${port}.log`)
  const log = await open(logPath, 'w')
  const start = async () => {
    const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', log.fd, log.fd] })
    await untilReady(child, address, logPath)
    return child
  }
  let child = await start()
  return {
    address,
    pid: () => child.pid as number,
    restart: async () => {
      await end(child)
      if (child.exitCode !== 0) throw new Error(`${address} ended with ${child.exitCode}`)
      child = await start()
    },
    stop: async () => {
      await end(child)
      await log.close()
      await opened.close()
    },
  }
}

/** Starts a program of the bench that prints the port on which it listens. */
export async function startTunedServer(program: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the tuned server ended with ${code}`)))
  })
  return { child, address: `http://127.0.0.1:${port}` }
}

/** Ends a process that the bench started, and waits for it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Asks until a service is ready. Throws `Error` after two minutes, or with what it said where it ends before. */
async function untilReady(child: ChildProcess, address: string, log: string): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; ) {
    if (child.exitCode !== null)
      throw new Error(`the service ended with ${child.exitCode}: ${await readFile(log, 'utf8')}`)
    const isReady = await fetch(`${address}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the service did not become ready')
}
