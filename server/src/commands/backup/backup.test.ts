import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as wholeText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pg from 'pg'
import { makeBackup } from '../../backup/write-backup.ts'
import { clientOptions } from '../../database/index.ts'
import { filesOfDocuments } from '../../features/documents/index.ts'
import { DiskFileStore } from '../../storage/backends/disk-file-store.ts'
import { missingGateway, openBucket, startGateway } from '../../storage/backends/radosgw.fixture.ts'
import { Caller } from '../../testing/fixtures/client.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { schemaFacts } from '../../testing/fixtures/database/schema-facts.ts'
import {
  createTestDatabase,
  getUrl,
  notOnCluster,
  type TestDatabase,
} from '../../testing/fixtures/database/test-database.ts'
import { aDocument, aPayment, aStudent, pdf } from '../../testing/fixtures/factories.ts'
import { mountSmallDisk } from '../../testing/fixtures/files/small-disk.ts'
import { launchService, stop, until, untilReady } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const onOnePostgres = { skip: notOnCluster('the nodes are backed up by their own PostgreSQL') }

const program = fileURLToPath(new URL('../../../bin/matricula.js', import.meta.url))

const getCommands = (dataDir: string, databaseUrl: string, secretKey: string) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  SECRET_KEY: secretKey,
})

const folder = await mkdtemp(join(tmpdir(), 'matricula-backup-'))
afterFile(() => rm(folder, { recursive: true, force: true }))

const sourceDir = join(folder, 'source')
await mkdir(sourceDir)
const store = await DiskFileStore.open({
  folder: join(sourceDir, 'files'),
  secretKey: 'x'.repeat(32),
  publicUrl: 'https://matricula.example',
})
const service = await startTestService({ store })
const commandLine = await loadCommandLine(service)
const source = getCommands(sourceDir, getUrl(service.database.connection), service.secretKey)
const tenant = await service.tenant({ host: 'school.example' })
const neighbour = await service.tenant()

/** Runs a command on the source unless another place is named. */
const run = (args: string[], environment: object = source) => commandLine.run(args, { environment: { ...environment } })
const json = (args: string[], environment: object = source) =>
  commandLine.json(args, { environment: { ...environment } })

interface Place {
  readonly database: TestDatabase
  readonly environment: ReturnType<typeof getCommands>
}

/** A database without institutions, and a folder for files. */
async function emptyLocation(): Promise<Place> {
  const database = await createTestDatabase()
  after(() => database.drop())
  const dataDir = await mkdtemp(join(folder, 'place-'))
  return { database, environment: getCommands(dataDir, getUrl(database.connection), service.secretKey) }
}

const findRows = async (database: TestDatabase, table: string) =>
  (await database.inspect<{ rows: number }>(`select count(*)::int as rows from ${table}`))[0]?.rows

/** Whether a session of a command waits for a lock. */
const waits = (database: TestDatabase, name: string) =>
  until(async () => {
    const { length } = await database.inspect(
      `select from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
      [name],
    )
    return length > 0
  }, `${name} that waits`)

/**
 * Runs a command that is killed once it waits for a table that somebody else holds: whole, or against writers alone.
 */
async function killedAt(
  args: string[],
  location: Pick<Place, 'database' | 'environment'>,
  table: string,
  { session = args[0], mode = 'access exclusive' } = {},
): Promise<void> {
  const holder = new pg.Client(clientOptions(location.database.connection, 'owner'))
  await holder.connect()
  await holder.query(`begin; lock table ${table} in ${mode} mode`)
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...location.environment },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await waits(location.database, `matricula ${session}`)
    child.kill('SIGKILL')
    await ended
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
}

const everything = join(folder, 'everything.backup')
const ofTenant = join(folder, 'tenant.backup')
let position = ''
/** What a follower had read when the backup began. */
let read: { readonly id: string }[] = []
/** Where everything is restored. */
const location = await emptyLocation()
let stored: { documentId: string; studentId: string; secret: string }

before(async () => {
  const student = await aStudent(tenant.api, { externalId: 'S-1' })
  const document = await aDocument(service, tenant.api, { entityType: 'student', entityId: student.id })
  stored = { documentId: document.id, studentId: student.id, secret: (await tenant.token()).secret }
  for (let count = 0; count < 30; count += 1) await aPayment(tenant.api, { studentId: student.id })
  await aPayment(neighbour.api)
  const { body } = await tenant.api.get('/events?limit=5')
  position = body.next
})

/** All events after where a follower stood, and where it stands then. */
async function loadFeed(api: Caller) {
  const data: { readonly id: string }[] = []
  for (let next = position; ; ) {
    const { body } = await api.get(`/events?after=${next}&limit=500`)
    data.push(...body.data)
    next = body.next
    if (!body.hasMore) return { data, next }
  }
}

test(
  'a backup beside writers is of one moment: each payment in it has its event and its audit entry, and totals are exact',
  onOnePostgres,
  async () => {
    let isOver = false
    let written = 0
    const write = async () => {
      while (!isOver && written < 200) {
        await aPayment(tenant.api, { studentId: stored.studentId })
        written += 1
      }
    }
    const writers = Promise.all([write(), write(), write()])
    await until(() => written > 10, 'writers')
    read = (await loadFeed(tenant.api)).data
    const { backup } = await json(['backup', everything])
    isOver = true
    await writers
    assert.deepEqual([backup.tenants, backup.missingFiles, backup.files, backup.tenant], [2, 0, 1, null])
    assert.equal(backup.bytes, (await readFile(everything)).length)
    const verified = await json(['backup', 'verify', everything], { DATABASE_URL: 'postgresql://nowhere.invalid/none' })
    assert.deepEqual(verified.backup, backup)

    const { restored } = await json(['restore', everything], location.environment)
    assert.deepEqual([restored.rows, restored.files, restored.secretKey], [backup.rows, 1, 'the same'])
    const [counts] = await location.database.inspect<Record<string, number>>(`
    select (select count(*)::int from payments) as payments,
           (select count(*)::int from events where type = 'payment.created') as events,
           (select count(*)::int from audit_entries where action = 'payment.created') as audit,
           (select count(*)::int from payments p where not exists (
              select from events e where e.tenant_id = p.tenant_id and e.entity_id = p.id)) as untold`)
    assert.ok((counts?.payments ?? 0) > 31 && (counts?.payments ?? 0) <= 31 + written)
    assert.deepEqual(counts, {
      payments: counts?.payments,
      events: counts?.payments,
      audit: counts?.payments,
      untold: 0,
    })
    const { checks } = JSON.parse((await run(['doctor', '--json'], location.environment)).stdout)
    assert.deepEqual(
      checks.filter(({ status }: { status: string }) => status === 'failure'),
      [],
    )
    assert.deepEqual(await schemaFacts(location.database.connection), await schemaFacts(service.database.connection))
  },
)

test(
  'a restored service answers its tokens, gives documents out, and its feed goes on where a follower stood',
  onOnePostgres,
  async () => {
    const here = new Set((await loadFeed(tenant.api)).data.map(({ id }) => id))
    const restored = await launchService(location.environment)
    try {
      await untilReady(restored)
      const api = new Caller(restored.address, stored.secret)
      const followed = await loadFeed(api)
      // Events get their positions once they are read: those of the backup that nobody had read may come in another
      // order there.
      assert.deepEqual(followed.data.slice(0, read.length), read)
      assert.ok(read.length > 10 && followed.data.every(({ id }) => here.has(id)))
      const student = await aStudent(api)
      const next = (await api.get(`/events?after=${followed.next}`)).body.data
      assert.deepEqual(
        next.map(({ type, entityId }: Record<string, string>) => [type, entityId]),
        [['student.created', student.id]],
      )
      const { url } = (await api.get(`/vault/documents/${stored.documentId}/download`)).body.data
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
      assert.ok(bytes.equals(pdf))
    } finally {
      await stop(restored)
    }
  },
)

test(
  'one institution is backed up alone, and restored beside others that are in use, under another name where its own is taken',
  onOnePostgres,
  async () => {
    const { backup } = await json(['backup', ofTenant, '--tenant', tenant.slug])
    assert.deepEqual([backup.tenant, backup.tenants, backup.files], [tenant.slug, 1, 1])
    const there = await run(['restore', ofTenant])
    assert.deepEqual([there.code, /is there already .*tenant delete/.test(there.stderr)], [1, true])

    const other = await emptyLocation()
    await json(['tenant', 'create', '--slug', tenant.slug, '--name', 'Another'], other.environment)
    const taken = await run(['restore', ofTenant], other.environment)
    assert.deepEqual([taken.code, /another institution .*--as/.test(taken.stderr)], [1, true])
    assert.equal(await findRows(other.database, 'payments'), 0)
    const { restored } = await json(['restore', ofTenant, '--as', 'the-second'], other.environment)
    assert.deepEqual([restored.tenant, restored.rows], ['the-second', backup.rows])
    const tenants = await other.database.inspect('select id, slug, host from tenants order by slug')
    assert.deepEqual(tenants[1], { id: tenant.id, slug: 'the-second', host: null })
    const [payments] = await service.database.inspect<{ rows: number }>(
      'select count(*)::int as rows from payments where tenant_id = $1',
      [tenant.id],
    )
    assert.equal(await findRows(other.database, 'payments'), payments?.rows)
  },
)

test(
  'what is cut, altered, of a newer version or under another key is refused before anything is written, and so is a place that is not empty',
  onOnePostgres,
  async () => {
    const bytes = await readFile(everything)
    const other = await emptyLocation()
    const refused = async (
      name: string,
      content: Buffer,
      code: string,
      message: RegExp,
      environment = other.environment,
    ) => {
      const file = join(folder, name)
      await writeFile(file, content)
      const outcome = await run(['restore', file, '--json'], environment)
      const { error } = JSON.parse(outcome.stdout)
      assert.equal(error.code, code, error.message)
      assert.match(error.message, message)
      assert.equal(outcome.code, code === 'invalid_file' ? 2 : 1)
      assert.equal(await findRows(other.database, 'tenants'), 0)
    }
    await refused('cut', bytes.subarray(0, bytes.length - 1), 'invalid_file', /cut off/)
    const altered = Buffer.from(bytes)
    altered[bytes.length >> 1] = (altered[bytes.length >> 1] as number) ^ 1
    await refused('altered', altered, 'invalid_file', /altered/)
    const elsewhere = { ...other.environment, SECRET_KEY: 'another key of at least 32 characters' }
    await refused('other-key', bytes, 'state_conflict', /SECRET_KEY of the backup .* is not the one here/, elsewhere)
    const full = await run(['restore', everything])
    assert.deepEqual([full.code, /not empty: it has \d+ institutions/.test(full.stderr)], [1, true])
    assert.deepEqual(await readdir(other.environment.DATA_DIR), [])
  },
)

test(
  'a backup that is killed leaves nothing under its name, and a restore that is killed nothing at all: both can be run again',
  onOnePostgres,
  async () => {
    const file = join(folder, 'killed.backup')
    await killedAt(['backup', file], { database: service.database, environment: source }, 'students')
    assert.equal((await readdir(folder)).includes('killed.backup'), false)
    await json(['backup', file])
    const taken = await run(['backup', file])
    assert.deepEqual([taken.code, /is there already/.test(taken.stderr)], [1, true])

    const other = await emptyLocation()
    await other.database.inspect(`insert into job_states (job, ended_at) values ('of a service that was there', now())`)
    await killedAt(['restore', file], other, 'students')
    await until(
      async () =>
        (
          await other.database.inspect(
            `select from pg_stat_activity where datname = current_database() and application_name = 'matricula restore'`,
          )
        ).length === 0,
      'the end of its session',
    )
    assert.deepEqual([await findRows(other.database, 'tenants'), await findRows(other.database, 'events')], [0, 0])
    const { restored } = await json(['restore', file], other.environment)
    assert.equal(await findRows(other.database, 'tenants'), restored.tenants)
  },
)

test(
  'a database that takes no writes, as while it is moved, is backed up whole, and everything that writes says so',
  onOnePostgres,
  async () => {
    const location = await emptyLocation()
    await json(['tenant', 'create', '--slug', 'moved', '--name', 'Moved'], location.environment)
    await location.database.inspect(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    )
    const file = join(folder, 'read-only.backup')
    const made = await run(['backup', file], location.environment)
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stderr, /takes no writes, so that doctor and the metrics do not know of this backup/)
    assert.equal((await run(['backup', 'verify', file], location.environment)).code, 0)
    const rejected = await run(['tenant', 'create', '--slug', 'other', '--name', 'Other'], location.environment)
    assert.equal(rejected.code, 1)
    assert.match(rejected.stderr, /The database takes no writes just now\. Nothing was written/)
    const there = await emptyLocation()
    await json(['restore', file], there.environment)
    const { tenants } = await json(['tenant', 'list'], there.environment)
    assert.deepEqual(
      tenants.map(({ slug }: { slug: string }) => slug),
      ['moved'],
    )
  },
)

test('a backup goes through a pipe, two at once, and says in words that the disk is full', onOnePostgres, async () => {
  const shell = promisify(execFile)
  const piped = join(folder, 'piped.backup')
  const env = { ...process.env, ...source }
  const [, { backup }] = await Promise.all([
    shell('sh', ['-c', `'${process.execPath}' '${program}' backup - > '${piped}'`], { env }),
    json(['backup', join(folder, 'beside.backup')]),
  ])
  const verified = await run(['backup', 'verify', '-', '--json'], source)
  assert.equal(verified.code, 2)
  const { stdout } = await shell(
    'sh',
    ['-c', `'${process.execPath}' '${program}' backup verify - --json < '${piped}'`],
    // Verifying keeps nothing: it takes no place for that.
    { env: { ...env, TMPDIR: everything, DATA_DIR: everything } },
  )
  assert.equal(JSON.parse(stdout).backup.rows, backup.rows)
  const both = await run(['backup', '-', '--json'])
  assert.deepEqual([both.code, JSON.parse(both.stdout).error.code], [2, 'wrong_usage'])

  const small = join(folder, 'small')
  await mkdir(small)
  const disk = await mountSmallDisk(small, 1)
  if (typeof disk === 'string') return console.log(`# not tried: ${disk}`)
  try {
    await disk.fill()
    const full = await run(['backup', join(small, 'full.backup')])
    assert.deepEqual([full.code, /the disk is full/.test(full.stderr)], [1, true])
    assert.deepEqual(await readdir(small), ['ballast'])
  } finally {
    await disk.unmount()
  }
})

test(
  'a command whose output nobody reads any more ends as programs do then, without a word',
  onOnePostgres,
  async () => {
    for (const args of [['--help'], ['backup', '-']]) {
      const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...source } })
      child.stdout.destroy()
      const [said, [code]] = await Promise.all([wholeText(child.stderr), once(child, 'exit')])
      assert.deepEqual([code, said], [141, ''], args[0])
    }
  },
)

test('a backup of an older version is restored and brought to this one', onOnePostgres, async () => {
  const old = await createTestDatabase()
  after(() => old.drop())
  const dump = new URL('../../../src/testing/fixtures/database/first-release.sql.gz', import.meta.url)
  const text = (await promisify(gunzip)(await readFile(dump))).toString()
  await old.inspect('drop schema public cascade')
  await old.inspect('create schema public')
  await old.inspect(text.replace(/^\\.*$/gm, ''))
  const client = new pg.Client(clientOptions(old.connection, 'owner'))
  await client.connect()
  const running = makeBackup({
    client,
    store: null,
    named: [filesOfDocuments],
    tenant: null,
    madeBy: '1.0.0',
    installation: null,
    secretKeyId: '00000000',
    secretKey: null,
  })
  const file = join(folder, 'old.backup')
  await pipeline(running.bytes, createWriteStream(file))
  await client.end()

  const other = await emptyLocation()
  const later = await run(['restore', file, '--another-key'], other.environment)
  assert.deepEqual([later.code, /of a later version/.test(later.stderr)], [1, true])
  await other.database.inspect('drop schema public cascade')
  await other.database.inspect('create schema public')
  const { restored } = await json(['restore', file, '--another-key'], other.environment)
  assert.ok(restored.migrations.length > 10)
  assert.deepEqual([await findRows(other.database, 'students'), await findRows(other.database, 'payments')], [8, 24])
  assert.deepEqual(await schemaFacts(other.database.connection), await schemaFacts(service.database.connection))
})

test('a backup of a version to come is refused', async () => {
  const other = await emptyLocation()
  const file = join(folder, 'to-come.backup')
  const client = new pg.Client(clientOptions(other.database.connection, 'owner'))
  await client.connect()
  await client.query(`insert into schema_migrations (name, checksum) values ('9999_to_come', 'x')`)
  const running = makeBackup({
    client,
    store: null,
    named: [],
    tenant: null,
    madeBy: '9.0.0',
    installation: null,
    secretKeyId: '00000000',
    secretKey: null,
  })
  await pipeline(running.bytes, createWriteStream(file))
  await client.end()
  const target = await emptyLocation()
  const rejected = await run(['restore', file, '--another-key'], target.environment)
  assert.deepEqual([rejected.code, /9999_to_come, which this version does not know/.test(rejected.stderr)], [1, true])
})

test(
  'scheduled backups are made by one of several services, the newest are kept, and doctor and metrics tell how they fare',
  onOnePostgres,
  async () => {
    const to = join(folder, 'kept')
    const environment = { ...location.environment, BACKUP_EVERY: '1m', BACKUP_TO: to, BACKUP_KEEP: '1' }
    const services = await Promise.all([launchService(environment), launchService(environment)])
    const names = async () => (await readdir(to).catch(() => [])).filter((name) => !/^\.|-0a0b0c0d\./.test(name))
    const check = async () => {
      const { checks } = JSON.parse((await run(['doctor', '--json'], environment)).stdout)
      return checks.find(({ name }: { name: string }) => name === 'backups')
    }
    const letBeDue = () => location.database.inspect(`update backup_state set tried_at = now() - interval '1 day'`)
    try {
      await location.database.inspect('delete from backup_state')
      await mkdir(to)
      const { storage } = await json(['storage', 'show'], environment)
      const mark = storage.installation.slice(0, 8)
      const part = (maker: string) =>
        `.matricula-2020-01-01T00-00-00Z-${maker}.backup.00000000-0000-0000-0000-000000000000.part`
      await writeFile(join(to, part(mark)), 'killed')
      // What the installation writes from whose backup this one was restored.
      const others = [part('0a0b0c0d'), 'matricula-2020-01-01T00-00-00Z-0a0b0c0d.backup']
      await copyFile(everything, join(to, others[1] as string))
      await writeFile(join(to, others[0] as string), 'under way')
      await Promise.all(services.map(untilReady))
      await until(async () => (await names()).length > 0, 'a backup')
      const [first = ''] = await names()
      await until(async () => (await check()).detail.startsWith('the last one was made'), 'a note of it')
      assert.match(first, new RegExp(`^matricula-[0-9TZ-]+-${mark}\\.backup$`))
      assert.deepEqual((await readdir(to)).sort(), [...others, first].sort())
      const warning = await check()
      assert.equal(warning.status, 'warning')
      assert.match(warning.detail, /1 scheduled backup at BACKUP_TO, .*0a0b0c0d.* not removed.*matricula storage adopt/)
      const { backup } = await json(['backup', 'verify', join(to, first)])
      let metrics = ''
      await until(async () => {
        metrics = await (await fetch(`${services[0]?.address}/metrics`)).text()
        return new RegExp(`^matricula_backup_last_bytes ${backup.bytes}$`, 'm').test(metrics)
      }, 'its size in the metrics')
      assert.match(
        metrics,
        /^matricula_backup_last_success_timestamp_seconds 1\.\d+e\+?9|^matricula_backup_last_success_timestamp_seconds \d+/m,
      )

      await rename(to, `${to}-aside`)
      await writeFile(to, 'no folder')
      await letBeDue()
      await until(async () => (await check()).detail.includes('have failed'), 'a failure')
      assert.match(
        (await check()).detail,
        /1 have failed since .*: .*not a folder|1 have failed since .*ENOTDIR|1 have failed since .*EEXIST/,
      )
      await rm(to)
      await rename(`${to}-aside`, to)
      await letBeDue()
      await until(async () => (await names()).some((name) => name !== first), 'the next backup')
      await until(
        async () => (await names()).length === 1 && !(await check()).detail.includes('failed'),
        'the end of the first one',
      )
      assert.equal((await names()).includes(first), false)
      assert.equal((await readdir(to)).filter((name) => name.includes('0a0b0c0d')).length, 2)
    } finally {
      await Promise.all(services.map((each) => stop(each)))
    }
  },
)

test(
  'an institution is deleted whole after its backup, also when that is killed and run again, others stay as they are, and it comes back from there',
  onOnePostgres,
  async () => {
    const { slug, id } = tenant
    const last = join(folder, 'last.backup')
    const nowhere = await run(['tenant', 'delete', slug, '--yes'])
    assert.deepEqual([nowhere.code, /--backup FILE/.test(nowhere.stderr)], [2, true])
    const asked = await run(['tenant', 'delete', slug])
    assert.deepEqual([asked.code, /Nothing was deleted\. .* other rows, .*--yes/.test(asked.stderr)], [1, true])
    const { body: before } = await tenant.api.get('/payments?limit=1')
    const others = await findRows(service.database, `payments where tenant_id <> '${id}'`)
    const { exported } = await json(['tenant', 'export', slug, join(folder, 'exported.backup')])
    assert.deepEqual([exported.tenant, exported.files], [slug, 1])

    const taken = await run(['tenant', 'delete', slug, '--yes', '--backup', join(folder, 'exported.backup')])
    assert.deepEqual([taken.code, /Nothing was deleted, and \S+ is active as before/.test(taken.stderr)], [1, true])
    assert.equal((await json(['tenant', 'show', slug])).tenant.status, 'active')

    const begun = ['tenant', 'delete', slug, '--yes', '--backup', last]
    const here = { database: service.database, environment: source }
    await killedAt(begun, here, 'students', { session: 'deletion', mode: 'share' })
    assert.equal(await findRows(service.database, `payments where tenant_id = '${id}'`), 0)
    const unfinished = await json(['tenant', 'list', '--deleted'])
    assert.deepEqual(
      unfinished.deleted.map((each: Record<string, unknown>) => [each.id, each.deletedAt, each.backup]),
      [[id, null, last]],
    )
    const again = join(folder, 'again.backup')
    const { deleted } = await json(['tenant', 'delete', slug, '--yes', '--backup', again])
    assert.deepEqual(
      [deleted.files, deleted.backup, (await readdir(folder)).includes('again.backup')],
      [1, last, false],
    )
    assert.ok(deleted.rows >= exported.rows)
    const tables = await service.database.inspect<{ name: string }>(
      `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and column_name = 'tenant_id' and table_type = 'BASE TABLE'`,
    )
    assert.ok(tables.length > 130)
    for (const { name } of tables)
      assert.equal(await findRows(service.database, `${name} where tenant_id = '${id}'`), 0, name)
    assert.equal(await findRows(service.database, `tenants where id = '${id}'`), 0)
    assert.equal(await findRows(service.database, `payments where tenant_id <> '${id}'`), others)
    const keys: string[] = []
    for await (const key of store.list('frozen', { tenantId: id })) keys.push(key)
    assert.deepEqual(keys, [])
    assert.equal((await neighbour.api.get('/payments?limit=1')).status, 200)
    const gone = await json(['tenant', 'list', '--deleted'])
    assert.deepEqual(
      gone.deleted.map((each: Record<string, unknown>) => [each.id, each.rows, each.backup, each.deletedAt !== null]),
      [[id, deleted.rows, last, true]],
    )
    await until(async () => (await tenant.api.get('/payments?limit=1')).status === 401, 'the end of its token')

    await json(['restore', last])
    await json(['tenant', 'update', slug, '--status', 'active'])
    await until(async () => (await tenant.api.get('/payments?limit=1')).status === 200, 'its token')
    const { body: restored } = await tenant.api.get('/payments?limit=1')
    assert.deepEqual(restored, before)
  },
)

const withoutGateway = missingGateway()
if (withoutGateway !== null) process.stderr.write(`backups in S3 are not tested: ${withoutGateway}\n`)
const onGateway = { skip: withoutGateway ?? onOnePostgres.skip }

test('files come from S3 and go there, and so do backups', onGateway, async () => {
  const gateway = await startGateway()
  after(() => gateway.stop())
  const bucket = await openBucket(gateway)
  after(() => bucket.close())
  const at = (path: string) => `s3://files/${path}?endpoint=${gateway.endpoint}&region=default`
  const keys = { AWS_ACCESS_KEY_ID: gateway.accessKeyId, AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey }
  const first = await emptyLocation()
  const environment = { ...first.environment, ...keys, STORAGE_URL: at('school') }
  const { restored } = await json(['restore', everything], environment)
  assert.deepEqual([restored.files, await readdir(environment.DATA_DIR)], [1, []])
  const address = at('backups/everything.backup')
  const { backup } = await json(['backup', address], environment)
  assert.deepEqual([backup.files, backup.missingFiles], [1, 0])
  assert.equal((await run(['backup', address], environment)).code, 1)
  const second = await emptyLocation()
  const other = { ...second.environment, ...keys, STORAGE_URL: at('other') }
  assert.equal((await json(['restore', address], other)).restored.rows, backup.rows)
  const [older, newer] = [1, 2].map(() => randomBytes(32).toString('base64'))
  for (const [keys, encrypted] of [
    [older, 1],
    [`${newer},${older}`, 1],
    // An upload is not completed yet: the older key stays.
    [`${newer},${older}`, 0],
  ] as const) {
    const settings = { ...other, FILES_KEY: keys as string }
    const { files } = await json(['encrypt-files'], settings)
    assert.deepEqual([files.encrypted, files.asTheyWere, files.uploads], [encrypted, 1 - encrypted, 1])
    const copy = await json(['backup', at(`backups/${encrypted}-${files.keyId}`)], settings)
    assert.deepEqual([copy.backup.files, copy.backup.fileBytes], [1, backup.fileBytes])
  }
  const absent = await run(['backup', 'verify', at('backups/absent')], environment)
  assert.deepEqual([absent.code, /has no backups\/absent/.test(absent.stderr)], [1, true])
})
