import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Connection, clientOptions, migrate, openDatabase } from '../database/index.ts'
import { onDatabase, templateDatabase, testConnectionVariable } from './test-database.ts'

/**
 * Runs tests with node's own runner: `run-tests.js [--pure] [part of a file name …]`. With `--pure` only the tests that
 * need no database; otherwise all of them, on an embedded database of their own that is removed afterwards, or on the server
 * at `TEST_DATABASE_URL`, whose user may create databases and roles.
 */
async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const isPure = words.includes('--pure')
  const parts = words.filter((word) => !word.startsWith('--'))
  const files = (await testFiles()).filter((file) => !isPure || file.endsWith('.unit.test.js'))
  const chosen = files.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  if (chosen.length === 0) {
    process.stderr.write('no test file has such a name\n')
    return 1
  }
  if (isPure) return runNode(chosen, {})
  const dataDir = await mkdtemp(join(tmpdir(), 'matricula-test-'))
  await chmod(dataDir, 0o755) // as root the database runs as another user, who must be able to enter
  const opened = await openDatabase({
    databaseUrl: process.env.TEST_DATABASE_URL ?? null,
    dataDir,
    purpose: 'service',
    log: { info: () => {}, warn: (message) => process.stderr.write(`${message}\n`) },
  })
  try {
    await makeTemplate(opened.connection)
    return await runNode(chosen, { [testConnectionVariable]: JSON.stringify(opened.connection) })
  } finally {
    await opened.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Each test file copies this database, which is faster than migrating its own. */
async function makeTemplate(connection: Connection): Promise<void> {
  const client = new pg.Client(clientOptions(connection, 'owner'))
  await client.connect()
  await client.query(`drop database if exists ${templateDatabase}`)
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  await migrate(onDatabase(connection, templateDatabase))
}

async function testFiles(): Promise<string[]> {
  const workspaces = ['server', 'demo', 'contract', 'pages', 'examples/sync-district', 'bench']
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const files = await Promise.all(
    workspaces.map(async (workspace) => {
      const folder = join(root, workspace, 'dist')
      const entries = await readdir(folder, { recursive: true }).catch(() => [])
      return entries.filter((entry) => entry.endsWith('.test.js')).map((entry) => join(folder, entry))
    }),
  )
  return files.flat().sort()
}

function runNode(files: string[], environment: Record<string, string>): Promise<number> {
  const flags = ['--enable-source-maps', '--test', '--test-concurrency=3', '--test-timeout=600000']
  const child = spawn(process.execPath, [...flags, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

process.exitCode = await main()
