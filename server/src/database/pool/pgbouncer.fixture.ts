import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../testing/runner/free-port.ts'
import type { Connection } from './connection.ts'

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
const program = folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path))

/** Why PgBouncer cannot be started here, or null. */
export const missingPgBouncer = program === undefined ? 'pgbouncer is not installed (apt-get install pgbouncer)' : null

/** Starts PgBouncer on loopback in front of a database, and returns its address and how to stop it. */
export async function startPgBouncer(
  { host, port, user, database }: Extract<Connection, { host: string }>,
  settings: Readonly<Record<string, string>>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-pgbouncer-'))
  await chmod(folder, 0o755) // as root it runs as another user
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(own),
    unix_socket_dir: '',
    auth_type: 'any',
    max_client_conn: '100',
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  const target = `${database} = host=${host} port=${port} user=${user} dbname=${database}`
  await writeFile(file, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'))
  // It refuses to run as root; the embedded database then runs as postgres, or as nobody, and its socket is theirs.
  const as = process.getuid?.() === 0 ? ['-u', await userOfSocket(host)] : []
  const child = spawn(program as string, ['-q', ...as, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGINT')
    const late = setTimeout(() => child.kill('SIGKILL'), 3_000)
    await ended
    clearTimeout(late)
    await rm(folder, { recursive: true, force: true })
  }
  const url = `postgresql://${user}@127.0.0.1:${own}/${database}`
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(50)) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return { url, stop }
    } catch {
      if (child.exitCode !== null) break
    } finally {
      await client.end().catch(() => {})
    }
  }
  await stop()
  throw new Error(`pgbouncer did not answer: ${said}`)
}

async function userOfSocket(folder: string): Promise<string> {
  const { uid } = await stat(folder)
  return execFileSync('id', ['-nu', String(uid)])
    .toString()
    .trim()
}
