import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { installedBinaries, prepareBinaries } from './binaries.ts'
import {
  afterwards,
  canRunFixture,
  end,
  eventually,
  firstLine,
  launch,
  loadCluster,
  loadLocation,
  loadProcesses,
  makeFolder,
  query,
  sharedDataDir,
  start,
} from './embedded-postgres.harness.ts'
import { EmbeddedPostgresError, startEmbeddedPostgres } from './embedded-postgres.ts'
import { findPostmaster } from './postmaster.ts'
import { isAlive } from './processes.ts'

const run = promisify(execFile)
const isRoot = process.geteuid?.() === 0
const rootOnly = isRoot ? {} : { skip: 'only root can start the server as another user' }
const ordinary = { uid: 65534, gid: 65534 }
const unreadable = 'other users cannot read this program'
const ignore = { info: () => undefined, warn: () => undefined }

test('an empty data folder becomes a private, durable database, whatever the letters in its path', async (t) => {
  const dataDir = join(await makeFolder(t), `Año 1, 'b'`)
  const misleading = { env: { PGUSER: 'x', PGSSLMODE: 'require', LC_ALL: 'xx' } }
  const { child, connection, server } = await start(t, dataDir, 'service', misleading)
  assert.equal(connection.database, 'matricula')
  assert.equal(connection.user, 'postgres')
  assert.equal(await query(connection, `select current_database() || ' ' || current_user`), 'matricula postgres')
  const properties = `select concat_ws(' ', datlocprovider, datlocale, pg_encoding_to_char(encoding))`
  assert.equal(await query(connection, `${properties} from pg_database where datname = 'matricula'`), 'b C.UTF-8 UTF8')
  assert.equal(await query(connection, 'show fsync'), 'on')
  assert.equal(await query(connection, 'show jit'), 'off')
  assert.equal(await query(connection, 'show timezone'), 'UTC')
  assert.equal(await query(connection, 'show listen_addresses'), '')
  assert.equal((await stat(connection.host)).mode & 0o777, 0o700)
  assert.notEqual((await stat(connection.host)).uid, 0)
  assert.equal(await end(child, 'SIGTERM'), 0)
  assert.equal(isAlive(server), false)
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('personal data in failing statements does not reach the log', async (t) => {
  const dataDir = await sharedDataDir(t)
  const { connection } = await start(t, dataDir, 'command')
  await query(connection, 'create table people (name text primary key)')
  await query(connection, `insert into people values ('Secreta')`)
  await assert.rejects(query(connection, `insert into people values ('Secreta')`))
  await assert.rejects(query(connection, `select 'Secreta'::uuid`))
  assert.doesNotMatch(await readFile(join(dataDir, 'postgres/postgres.log'), 'utf8'), /Secreta/)
})

test('a long log is put aside when the server starts, and one older log is kept', async (t) => {
  const dataDir = await sharedDataDir(t)
  const log = join(dataDir, 'postgres/postgres.log')
  await end((await start(t, dataDir, 'command')).child, 'SIGTERM')
  for (const letter of ['a', 'b']) {
    await writeFile(log, letter.repeat(9 << 20))
    await end((await start(t, dataDir, 'command')).child, 'SIGTERM')
    assert.equal((await readFile(`${log}.1`, 'utf8')).slice(0, 1), letter)
    assert.ok((await stat(log)).size < 10_000)
  }
})

test('an existing data folder answers in half of the time that a new one takes', async (t) => {
  const dataDir = join(await makeFolder(t), 'data')
  const first = await start(t, dataDir, 'command')
  await end(first.child, 'SIGTERM')
  const times: number[] = []
  // The machine may be busy with something else during one of them.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { child, milliseconds } = await start(t, dataDir, 'command')
    times.push(milliseconds)
    await end(child, 'SIGTERM')
  }
  assert.ok(Math.min(...times) < first.milliseconds / 2, `${first.milliseconds} ms, then ${times} ms`)
})

test('commands work beside a service, and whoever is last stops the server', async (t) => {
  const dataDir = await sharedDataDir(t)
  const service = await start(t, dataDir, 'service')
  const [first, second] = await Promise.all([start(t, dataDir, 'command'), start(t, dataDir, 'command')])
  assert.equal(first.server, service.server)
  await end(first.child, 'SIGTERM')
  await end(service.child, 'SIGTERM')
  assert.equal(await query(second.connection, 'select 1'), 1)
  await end(second.child, 'SIGTERM')
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('a second service on a data folder is refused with the process id of the first, which goes on', async (t) => {
  const dataDir = await sharedDataDir(t)
  const first = await start(t, dataDir, 'service')
  const second = launch(t, dataDir, 'service')
  const { error = '', expected } = await firstLine(second)
  assert.equal(expected, true)
  assert.match(error, new RegExp(`service \\(process ${first.child.pid}\\) already runs.*Stop it.*another DATA_DIR`))
  assert.equal(await query(first.connection, 'select 1'), 1)
  assert.equal(isAlive(first.server), true)
  await end(first.child, 'SIGKILL')
  await start(t, dataDir, 'service')
})

test('processes that start at once on an empty folder share one database', async (t) => {
  const dataDir = join(await makeFolder(t), 'data')
  const [first, second] = await Promise.all([start(t, dataDir, 'command'), start(t, dataDir, 'command')])
  await query(first.connection, 'create table shared ()')
  assert.equal(await query(second.connection, `select count(*)::int from pg_class where relname = 'shared'`), 1)
  assert.doesNotMatch((await readdir(await loadLocation(dataDir))).join(), /unfinished/)
  await Promise.all([end(first.child, 'SIGTERM'), end(second.child, 'SIGTERM')])
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('a killed service leaves its server to the next one, which starts it again when it is killed, and stops it', async (t) => {
  const dataDir = await sharedDataDir(t)
  const first = await start(t, dataDir, 'service')
  await query(first.connection, 'create table adopted as select 7 as value')
  await end(first.child, 'SIGKILL')
  const second = await start(t, dataDir, 'service')
  assert.equal(second.server, first.server)
  process.kill(second.server, 'SIGKILL')
  await eventually(() => query(second.connection, 'select 1'))
  assert.equal(await query(second.connection, 'select value from adopted'), 7)
  assert.equal(await end(second.child, 'SIGTERM'), 0)
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('a killed server is started again though one of its processes is still busy', async (t) => {
  const dataDir = await sharedDataDir(t)
  const { child, connection, server } = await start(t, dataDir, 'service')
  const busy = assert.rejects(query(connection, 'select count(*) from generate_series(1, 1e12::bigint)'))
  const count = `select count(*)::int from pg_stat_activity where state = 'active' and query like '%series(%1e12%'`
  await eventually(async () => Number(await query(connection, count)) > 1)
  process.kill(server, 'SIGKILL')
  await eventually(() => query(connection, 'select 1'))
  await busy
  // The locks are back as well: a second service is refused, and the end of this one is the end of the server.
  const refused = async () => (await firstLine(launch(t, dataDir, 'service'))).error?.includes(String(child.pid))
  await eventually(refused)
  await end(child, 'SIGTERM')
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('a server that resets itself because one of its processes was killed keeps its service', async (t) => {
  const dataDir = await sharedDataDir(t)
  const { child, connection, server } = await start(t, dataDir, 'service')
  const held = `select pid from pg_stat_activity where application_name = 'matricula service ${child.pid}'`
  const backend = Number(await query(connection, held))
  process.kill(backend, 'SIGKILL')
  await eventually(() => query(connection, `${held} and pid <> ${backend}`))
  assert.equal((await findPostmaster(await loadCluster(dataDir)))?.pid, server)
  await end(child, 'SIGTERM')
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('when service and server were both killed, the next start has everything that was acknowledged', async (t) => {
  const dataDir = await sharedDataDir(t)
  const { child, connection, server } = await start(t, dataDir, 'service')
  await query(connection, 'create table kept as select 7 as value')
  child.kill('SIGKILL')
  process.kill(server, 'SIGKILL')
  const next = await start(t, dataDir, 'service')
  assert.equal(await query(next.connection, 'select value from kept'), 7)
})

test('a left postmaster.pid does not hinder a start when its id belongs to another program by now', async (t) => {
  const dataDir = await sharedDataDir(t)
  const { child, connection, server } = await start(t, dataDir, 'service')
  child.kill('SIGKILL')
  process.kill(server, 'SIGKILL')
  await eventually(() => !isAlive(server))
  const cluster = await loadCluster(dataDir)
  const { uid, gid } = await stat(cluster)
  const namesake = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  afterwards(t, async () => namesake.kill())
  const lockFiles = [join(cluster, 'postmaster.pid'), join(connection.host, '.s.PGSQL.5432.lock')]
  for (const file of lockFiles) {
    await writeFile(file, (await readFile(file, 'utf8')).replace(String(server), String(namesake.pid)))
  }
  const next = await start(t, dataDir, 'service')
  assert.equal(await query(next.connection, 'select 1'), 1)
  assert.equal(namesake.exitCode ?? namesake.signalCode, null)
})

test('a start that is killed while it makes the database leaves nothing that the next start keeps', async (t) => {
  const dataDir = join(await makeFolder(t), 'data')
  const killed = launch(t, dataDir, 'service')
  const folder = join(dataDir, 'postgres')
  const names = async (): Promise<string[]> => readdir(folder).catch(() => [])
  await eventually(async () => (await names()).some((name) => name.includes('unfinished')))
  await end(killed, 'SIGKILL')
  assert.equal((await names()).includes('data'), false)
  const { connection } = await start(t, dataDir, 'service')
  assert.equal(await query(connection, 'select 1'), 1)
  assert.doesNotMatch((await names()).join(), /unfinished/)
})

test('signals of the terminal reach the service, not the server', async (t) => {
  const dataDir = await sharedDataDir(t)
  const { child, connection, server } = await start(t, dataDir, 'service', { detached: true })
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'exit')
  assert.equal(await query(connection, 'select 1'), 1)
  assert.equal(isAlive(server), true)
})

test('a process that forgets to stop can end, and the next one stops its server', async (t) => {
  const dataDir = await sharedDataDir(t)
  const source = new URL(`embedded-postgres${import.meta.url.slice(-3)}`, import.meta.url)
  const code = `const { startEmbeddedPostgres } = await import(${JSON.stringify(source)})
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, purpose: 'command', log: console })`
  await run(process.execPath, ['--input-type=module', '-e', code], { timeout: 120_000 })
  assert.notEqual(await findPostmaster(await loadCluster(dataDir)), undefined)
  const next = await startEmbeddedPostgres({ dataDir, purpose: 'service', log: ignore })
  await Promise.all([next.stop(), next.stop()])
  assert.deepEqual(await loadProcesses(dataDir), [])
})

test('a socket path too long for the system is replaced by a private folder elsewhere', async (t) => {
  const dataDir = join(await makeFolder(t), 'a'.repeat(60), 'b'.repeat(60))
  const { child, connection } = await start(t, dataDir, 'service')
  assert.equal(connection.host.startsWith(dataDir), false)
  assert.equal((await lstat(connection.host)).mode & 0o777, 0o700)
  assert.equal(await query(connection, 'select 1'), 1)
  await end(child, 'SIGTERM')
  assert.equal(existsSync(connection.host), false)
  // The name is foreseeable: a folder that somebody else has put there is not used.
  await mkdir(connection.host, { mode: 0o777 })
  await chmod(connection.host, 0o777)
  if (isRoot) await chown(connection.host, 12345, 12345)
  afterwards(t, () => rm(connection.host, { recursive: true, force: true }))
  const next = await start(t, dataDir, 'service')
  assert.equal((await lstat(next.connection.host)).mode & 0o777, 0o700)
  assert.equal(next.connection.host === connection.host, !isRoot)
  await end(next.child, 'SIGTERM')
})

test('an ordinary user runs the server as itself and owns all of its files', async (t) => {
  const folder = await makeFolder(t)
  const dataDir = join(folder, 'data')
  const options = isRoot ? { ...ordinary, cwd: '/', env: { HOME: folder } } : {}
  const uid = isRoot ? ordinary.uid : process.geteuid?.()
  if (isRoot) await chown(folder, ordinary.uid, ordinary.gid)
  if (!(await canRunFixture(options))) return t.skip(unreadable)
  const { child, connection, server } = await start(t, dataDir, 'service', options)
  assert.equal(await query(connection, 'select 1'), 1)
  const names = await readdir(dataDir, { recursive: true })
  const owners = await Promise.all(names.map(async (name) => (await lstat(join(dataDir, name))).uid))
  assert.deepEqual([...new Set(owners)], [uid])
  await end(child, 'SIGKILL')
  if (isRoot) {
    // Root leaves the database to its owner, and runs the server as the owner.
    const asRoot = await start(t, dataDir, 'service')
    assert.equal(asRoot.server, server)
    await end(asRoot.child, 'SIGTERM')
    await end((await start(t, dataDir, 'service')).child, 'SIGTERM')
  }
  const again = await start(t, dataDir, 'service', options)
  assert.equal(await end(again.child, 'SIGTERM'), 0)
})

test('an ordinary user is refused a database that belongs to another', rootOnly, async (t) => {
  const other = { uid: 2, gid: 2, cwd: '/' }
  if (!(await canRunFixture(other))) return t.skip(unreadable)
  const dataDir = await sharedDataDir(t)
  await end((await start(t, dataDir, 'service')).child, 'SIGTERM')
  const { error = '', expected } = await firstLine(launch(t, dataDir, 'service', other))
  assert.equal(expected, true)
  assert.match(error, /belongs to the user with id \d+, and this is user 2\. .*DATABASE_URL/)
})

test('a user id without an entry is told to set DATABASE_URL', rootOnly, async (t) => {
  const otherTenant = { uid: 54321, gid: 54321, cwd: '/' }
  if (!(await canRunFixture(otherTenant))) return t.skip(unreadable)
  const folder = await makeFolder(t)
  await chmod(folder, 0o777)
  const { error = '', expected } = await firstLine(launch(t, join(folder, 'data'), 'service', otherTenant))
  assert.equal(expected, true)
  assert.match(error, /user id 54321, which has no entry .*DATABASE_URL to a PostgreSQL 15 or newer/)
})

test(
  'the database of a folder that the server cannot enter lives outside, and belongs to that folder alone',
  rootOnly,
  async (t) => {
    const closed = await makeFolder(t)
    await chmod(closed, 0o700)
    const dataDir = join(closed, 'data')
    const first = await start(t, dataDir, 'service')
    const outside = await loadLocation(dataDir)
    afterwards(t, () => rm(outside, { recursive: true, force: true }))
    assert.equal(dirname(outside), '/var/lib/matricula')
    assert.ok(first.messages.some((message) => message.includes(outside)))
    await query(first.connection, 'create table kept as select 7 as value')
    await end(first.child, 'SIGTERM')
    const again = await start(t, dataDir, 'service')
    assert.equal(await query(again.connection, 'select value from kept'), 7)
    await end(again.child, 'SIGTERM')

    const copy = join(closed, 'copy')
    await cp(dataDir, copy, { recursive: true })
    const rejected = await firstLine(launch(t, copy, 'service'))
    assert.equal(rejected.expected, true)
    assert.match(rejected.error ?? '', new RegExp(`${copy} is a copy of ${dataDir}, .* delete ${copy}/postgres`))
    await rm(copy, { recursive: true })

    await rename(dataDir, copy)
    const moved = await start(t, copy, 'service')
    assert.equal(await query(moved.connection, 'select value from kept'), 7)
    await end(moved.child, 'SIGTERM')

    await rm(copy, { recursive: true })
    const fresh = await start(t, copy, 'service')
    assert.equal(await query(fresh.connection, `select count(*)::int from pg_class where relname = 'kept'`), 0)
    assert.ok(
      fresh.messages.some((message) => message.includes(`${outside} has the database of an earlier data folder`)),
    )
    await end(fresh.child, 'SIGTERM')
    const lost = await loadLocation(copy)
    await rm(lost, { recursive: true })
    const { error, expected } = await firstLine(launch(t, copy, 'service'))
    assert.equal(expected, true)
    assert.match(error ?? '', new RegExp(`was in ${lost}, which is gone`))
  },
)

test(
  'places outside whose data folder was temporary and is gone are removed after a day, and no others',
  rootOnly,
  async (t) => {
    const closed = await makeFolder(t)
    await chmod(closed, 0o700)
    const locations: string[] = []
    for (const [owner, days] of [
      ['/tmp/gone/data', 2],
      ['/tmp/gone/data', 0],
      ['/srv/gone/data', 2],
      [closed, 2],
    ] as const) {
      await mkdir('/var/lib/matricula', { recursive: true })
      const location = await mkdtemp('/var/lib/matricula/test-')
      afterwards(t, () => rm(location, { recursive: true, force: true }))
      await writeFile(join(location, 'belongs-to'), `${owner}\n`)
      await mkdir(join(location, 'data'))
      await utimes(join(location, 'data'), new Date(), new Date(Date.now() - days * 24 * 60 * 60 * 1000))
      locations.push(location)
    }
    await start(t, join(closed, 'data'), 'command')
    assert.deepEqual(
      locations.map((location) => existsSync(location)),
      [false, true, true, true],
    )
  },
)

test('a copied data folder is a database of its own, also while the original runs', async (t) => {
  const folder = await makeFolder(t)
  const original = await start(t, join(folder, 'data'), 'service')
  await query(original.connection, 'create table kept as select 7 as value')
  await query(original.connection, 'checkpoint')
  // As root, this gives the copy to root, who may not run it.
  await run('cp', ['-r', join(folder, 'data'), join(folder, 'copy')])
  const copy = await start(t, join(folder, 'copy'), 'service')
  assert.notEqual(copy.server, original.server)
  await query(copy.connection, 'update kept set value = 8')
  await end(copy.child, 'SIGTERM')
  assert.equal(await query(original.connection, 'select value from kept'), 7)
})

test('a folder that was moved while its server runs is still served by it', {
  skip: !existsSync('/proc/self/cwd') && 'this system does not tell a process its moved folder',
}, async (t) => {
  const folder = await makeFolder(t)
  const first = await start(t, join(folder, 'before'), 'service')
  await end(first.child, 'SIGKILL')
  await rename(join(folder, 'before'), join(folder, 'after'))
  const second = await start(t, join(folder, 'after'), 'service')
  assert.equal(second.server, first.server)
  await end(second.child, 'SIGTERM')
  assert.equal(isAlive(first.server), false)
})

test('what is not a database of this version is refused and left alone', async (t) => {
  const dataDir = join(await makeFolder(t), 'data')
  const cluster = join(dataDir, 'postgres/data')
  await mkdir(cluster, { recursive: true })
  await writeFile(join(cluster, 'letter.txt'), '')
  const attempt = startEmbeddedPostgres({ dataDir, purpose: 'command', log: ignore })
  await assert.rejects(attempt, /data is not a PostgreSQL cluster, nor empty/)
  await writeFile(join(cluster, 'PG_VERSION'), '15\n')
  const later = startEmbeddedPostgres({ dataDir, purpose: 'command', log: ignore })
  await assert.rejects(later, /was made by PostgreSQL 15, and this release brings 18/)
  assert.deepEqual((await readdir(cluster)).sort(), ['PG_VERSION', 'letter.txt'])
})

test('where no binaries can run, the message says why and to set DATABASE_URL', () => {
  const refusal = (pattern: RegExp) => (error: unknown) =>
    error instanceof EmbeddedPostgresError && pattern.test(error.message)
  assert.throws(() => installedBinaries('freebsd-x64'), refusal(/no embedded PostgreSQL for freebsd-x64.*DATABASE_URL/))
  assert.throws(() => installedBinaries('linux-x64', () => false), refusal(/needs glibc.*musl.*DATABASE_URL/))
  const absent = process.platform === 'darwin' ? 'linux-x64' : 'darwin-x64'
  assert.throws(() => installedBinaries(absent, () => true), refusal(/not installed.*npm ci.*DATABASE_URL/))
})

test('binaries whose links were never made get them, in a copy when they cannot be changed or read', async (t) => {
  const folder = await makeFolder(t)
  const installed = installedBinaries()
  const bare = { version: '1.0', folder: join(folder, 'closed', 'native') }
  await cp(installed.folder, bare.folder, { recursive: true, verbatimSymlinks: true })
  const library = process.platform === 'darwin' ? 'libpq.dylib' : 'libpq.so.5'
  await rm(join(bare.folder, 'lib', library))
  const self = { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1, self: true }
  assert.deepEqual(await prepareBinaries(bare, folder, self), bare)
  accessSync(join(bare.folder, 'lib', library))
  await rm(join(bare.folder, 'lib', library))
  await chmod(join(folder, 'closed'), 0o700)
  await chmod(join(bare.folder, 'lib'), 0o500)
  const other = isRoot ? { ...ordinary, self: false } : self
  const [one, two] = await Promise.all([prepareBinaries(bare, folder, other), prepareBinaries(bare, folder, other)])
  await assert.rejects(prepareBinaries(bare, join(folder, '$HOME'), other), EmbeddedPostgresError)
  await chmod(join(bare.folder, 'lib'), 0o700)
  assert.deepEqual(one, { version: '1.0', folder: join(folder, 'binaries-1.0') })
  assert.deepEqual(two, one)
  accessSync(join(one.folder, 'lib', library))
  const { stdout } = await run(join(one.folder, 'bin/postgres'), ['--version'], isRoot ? { ...ordinary, cwd: '/' } : {})
  assert.match(stdout, /PostgreSQL/)
  assert.deepEqual((await readdir(folder)).sort(), ['binaries-1.0', 'closed'])
})
