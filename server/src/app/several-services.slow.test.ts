import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pageLimits } from '../http/pages/public/page-throttle.ts'
import { missingGateway, openBucket, startGateway } from '../storage/backends/radosgw.fixture.ts'
import { startBalancer } from '../testing/fixtures/balancer.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { createTestDatabase, getUrl } from '../testing/fixtures/database/test-database.ts'
import { anUpload, pdf } from '../testing/fixtures/factories.ts'
import {
  aFolder,
  loadStatus,
  runCommand,
  start,
  startForFile,
  until,
  untilReady,
} from '../testing/fixtures/service-process.ts'
import { afterFile } from '../testing/runner/file-end.ts'

/** How many processes answer: two services, each with two workers. */
const processes = 4

// Two services that begin together on a database without anything.
const database = await createTestDatabase({ isEmpty: true })
afterFile(() => database.drop())

const noGateway = missingGateway()
const gateway = noGateway === null ? await startGateway() : null
if (gateway === null) process.stderr.write(`files are not tested over several services: ${noGateway}\n`)
else {
  afterFile(() => gateway.stop())
  await (await openBucket(gateway)).close()
}

const settings = {
  DATABASE_URL: getUrl(database.connection),
  DATABASE_CONNECTIONS: '31',
  SECRET_KEY: 'of two services that a test starts beside each other',
  TRUSTED_PROXIES: '127.0.0.1',
  DRAIN_SECONDS: '1',
  ...(gateway !== null && { STORAGE_URL: `s3://files/several?endpoint=${gateway.endpoint}&region=default` }),
}
const services = await Promise.all([1, 2].map(() => startForFile({ ...settings, WORKERS: '2' })))
await Promise.all(services.map(untilReady))
const balancer = await startBalancer(services.map(({ address }) => address))
afterFile(() => balancer.close())
await until(() => balancer.ready().length === 2, 'both services')

const folder = await aFolder(afterFile)
const command = (...args: string[]) => runCommand({ ...settings, DATA_DIR: folder }, ...args)
await command('tenant', 'create', '--slug', 'school', '--name', 'School')

async function aToken(requestsPerMinute = 100_000): Promise<{ id: string; token: string; api: Caller }> {
  const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const quota = ['--requests-per-minute', String(requestsPerMinute)]
  const { apiKey, token } = await command('token', 'create', '--tenant', 'school', '--name', 'test', ...all, ...quota)
  return { id: apiKey.id, token, api: new Caller(balancer.address, token) }
}
const { api, token } = await aToken()

/** Sends so many at once, over connections of their own, so that every process gets some. */
const many = <Answer>(count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))

test('two services that begin at once on an empty database migrate it once, and both answer', async () => {
  const migrated = services.filter(({ output }) => output().includes('database migrated'))
  assert.equal(migrated.length, 1)
  for (const { address } of services) assert.equal(await loadStatus(address, '/readyz'), 200)
})

test('a revoked token is refused by every process within a second', async () => {
  const key = await aToken()
  const known = await many(40, () => key.api.get('/me'))
  assert.ok(known.every(({ status }) => status === 200))
  await command('token', 'revoke', key.id)
  await pause(1000) // what is promised is a time
  const rejected = await many(40, () => key.api.get('/me'))
  assert.deepEqual([...new Set(rejected.map(({ body }) => body.code))], ['token_revoked'])
})

test('a quota is one over all processes, and none of it is given twice', async () => {
  const quota = 200
  const key = await aToken(quota)
  const answers = [...(await many(150, () => key.api.get('/me'))), ...(await many(150, () => key.api.get('/me')))]
  const passed = answers.filter(({ status }) => status === 200).length
  // What a process has leased and does not come to use is lost to the others.
  assert.ok(passed <= quota && passed >= quota - (processes - 1) * Math.ceil(quota / 100), `${passed} of ${quota}`)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 429])
})

test('who tries passwords has ten failures over all processes, then waits at each of them', async () => {
  const user = ['--email', 'ada@school.example', '--name', 'Ada']
  const { password } = await command('user', 'create', '--tenant', 'school', ...user)
  const logIn = async (address: string, pwd: string) => {
    const body = new URLSearchParams({ usr: 'ada@school.example', pwd })
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    return (await fetch(`${address}/t/school/api/method/login`, { method: 'POST', body, headers })).status
  }
  const failures: number[] = []
  for (let count = 0; count < 10; count += 1) failures.push(await logIn(balancer.address, 'wrong'))
  assert.deepEqual([...new Set(failures)], [401])
  for (const { address } of services) assert.equal(await logIn(address, password), 429)
})

test('who guesses links is held back by all processes together', async () => {
  const booked = async () =>
    (await database.inspect<{ count: number }>('select coalesce(sum(count), 0)::int as count from request_counts'))[0]
      ?.count as number
  const guess = async () =>
    (await fetch(`${balancer.address}/r/${randomUUID()}`, { headers: { 'x-forwarded-for': '192.0.2.2' } })).status
  const before = await booked()
  let found = 0
  for (let rejected = 0; rejected < 2 * processes; ) {
    const status = await guess()
    rejected = status === 429 ? rejected + 1 : 0
    if (status === 404) found += 1
    // Each process keeps one to itself, and tells the others of two.
    await until(
      async () => (await booked()) - before >= Math.min(found, pageLimits.unknownPerAddress) - processes,
      'the sum',
    )
  }
  const limit = pageLimits.unknownPerAddress
  assert.ok(found >= limit && found <= limit + 2 * processes, `${found} guesses of ${limit}`)
})

test('the same write sent to all processes at once is done once, and each gives the same answer', async () => {
  const fullName = `Once ${randomUUID()}`
  const key = randomUUID()
  const answers = await many(16, () => api.post('/students', { fullName }, { 'idempotency-key': key }))
  const done = answers.filter(({ status }) => status === 201)
  assert.ok(done.length > 0)
  assert.equal(new Set(done.map(({ body }) => body.data.id)).size, 1)
  for (const { status, body } of answers) assert.ok(status === 201 || body.code === 'idempotency_key_in_use', body.code)
  for (const { address } of services) {
    const again = await new Caller(address, token).post('/students', { fullName }, { 'idempotency-key': key })
    assert.deepEqual([again.status, again.body.data.id], [201, done[0]?.body.data.id])
  }
  const found = await api.get(`/students?search=${encodeURIComponent(fullName)}`)
  assert.equal(found.body.pagination.total, 1)
})

test('events have one order, which every process tells alike, and none is missing', async () => {
  const from = (await api.get('/events?after=latest')).body.next
  const read = async (address: string) => {
    const reported: { position: string; entityId: string }[] = []
    for (let next = from, hasMore = true; hasMore; ) {
      const { body } = await new Caller(address, token).get(`/events?after=${next}&types=student.created&limit=50`)
      reported.push(...body.data)
      ;({ next, hasMore } = body)
    }
    return reported.map(({ position, entityId }) => [position, entityId] as const)
  }
  const writing = many(60, (index) => api.post('/students', { fullName: `Event ${index}` }))
  const early = await read(services[0]?.address as string)
  const created = (await writing).map(({ body }) => body.data.id)
  const [one, other] = await Promise.all(services.map(({ address }) => read(address)))
  assert.deepEqual(one, other)
  assert.deepEqual(one?.slice(0, early.length), early)
  assert.deepEqual(new Set(one?.map(([, id]) => id)), new Set(created))
  const positions = one?.map(([position]) => BigInt(position)) ?? []
  assert.ok(positions.every((position, index) => index === 0 || position > (positions[index - 1] as bigint)))
})

test('a document that is announced at one service is completed and downloaded at the other, without a disk of both', {
  skip: noGateway ?? false,
}, async () => {
  const [one, other] = services.map(({ address }) => new Caller(address, token)) as [Caller, Caller]
  const { document, version, upload } = await anUpload(one)
  const sent = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: pdf })
  assert.equal(sent.status, 200)
  const completed = await other.send(
    'POST',
    `/vault/documents/${document.id}/versions/${version.id}/complete`,
    undefined,
  )
  assert.equal(completed.status, 200, completed.text)
  const { body } = await one.get(`/vault/documents/${document.id}/download`)
  const file = await fetch(body.data.url)
  assert.ok(Buffer.from(await file.arrayBuffer()).equals(pdf))
})

test('each job is done by one service at a time, as often as if there were one', async () => {
  const [{ runs, jobs }] = (await database.inspect(
    `select count(*)::int as jobs, count(*) filter (where failing_since is null)::int as runs from job_states`,
  )) as [{ runs: number; jobs: number }]
  assert.equal(runs, jobs)
  for (const { output } of services) assert.doesNotMatch(output(), /job failed/)
})

test('services take no more connections than they say, and doctor tells what they may', async () => {
  const { checks } = await command('doctor')
  const check = checks.find(({ name }: { name: string }) => name === 'connections')
  assert.equal(check.status, 'ok')
  assert.match(check.detail, /^2 services run and may take 62 of \d+; \d+ are open now$/)
  const open = async () => {
    const [row] = await database.inspect<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name ~ '^matricula (pool|pulse|presence)'`,
    )
    return row?.open as number
  }
  let max = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) max = Math.max(max, await open())
  })()
  await many(300, (index) => api.put(`/students/external/many-${index}`, { fullName: 'Ada' }))
  await many(100, () => api.get('/students?updatedSince=2020-01-01'))
  isOver = true
  await watching
  assert.ok(max > 10 && max <= 62, `${max} connections`)
})

test('a third service that finds too few connections left says what to do, and stops', async () => {
  const third = await start(folder, { ...settings, DATABASE_CONNECTIONS: '', WORKERS: '32' })
  assert.equal(await third.ended, 1)
  assert.match(
    third.output(),
    /^matricula: The database takes \d+ connections, of which 8 are kept for commands, and 2 other services may take 62\. This service needs at least \d+ with its processes\. Raise max_connections/m,
  )
})

test('services that are restarted in turn under load fail no request, lose nothing and do nothing twice', async () => {
  const before = balancer.failures.length
  const acknowledged: string[] = []
  const rejected: string[] = []
  let isOver = false
  const clients = many(4, async (client) => {
    for (let count = 0; !isOver; count += 1) {
      const name = `rolling-${client}-${count}`
      const { status, text } =
        count % 2 === 0
          ? await api.put(`/students/external/${name}`, { fullName: name })
          : await api.post('/students', { fullName: name })
      if (status === 201) acknowledged.push(name)
      else rejected.push(`${status} ${text}`)
      const read = await api.get('/students?limit=20')
      if (read.status !== 200) rejected.push(`${read.status} ${read.text}`)
    }
  })
  await until(() => acknowledged.length > 20, 'some writes')
  for (const service of [...services]) {
    service.child.kill('SIGTERM')
    assert.equal(await service.ended, 0, service.output())
    const { port } = new URL(service.address)
    await untilReady(await startForFile({ ...settings, WORKERS: '2', PORT: port }))
    await until(() => balancer.ready().length === 2, 'both services')
    const count = acknowledged.length
    await until(() => acknowledged.length > count + 20, 'some writes')
  }
  isOver = true
  await clients
  assert.deepEqual([rejected, balancer.failures.slice(before)], [[], []])
  const names = new Map<string, number>()
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const response = await api.get(`/students?limit=100&cursor=${encodeURIComponent(cursor)}`)
    for (const { fullName } of response.body.data) names.set(fullName, (names.get(fullName) ?? 0) + 1)
    cursor = response.headers.get('next-cursor')
  }
  assert.deepEqual(
    acknowledged.filter((name) => names.get(name) !== 1),
    [],
  )
})
