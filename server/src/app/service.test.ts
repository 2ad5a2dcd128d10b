import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Caller } from '../testing/fixtures/client.ts'
import {
  aFolder,
  aToken,
  aUsedFolder,
  isAlive,
  loadPostmaster,
  loadStatus,
  start,
  until,
  untilReady,
} from '../testing/fixtures/service-process.ts'

/** The metrics that the files for Grafana and Prometheus name and that a service does not tell. */
async function metricsMissing(metrics: string): Promise<string[]> {
  const files = ['grafana/matricula.json', 'prometheus/matricula-alerts.yml']
  const texts = files.map((file) => readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8'))
  const named = new Set((await Promise.all(texts)).join('').match(/\b(?:matricula|http|process|nodejs)_[a-z0-9_]+/g))
  assert.ok(named.size > 25)
  const reported = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string))
  return [...named].filter((name) => !reported.has(name) && !reported.has(name.replace(/_(?:bucket|count|sum)$/, '')))
}

test('it starts on an empty folder, works with the command line beside it, and stops with 0, leaving nothing running', async () => {
  const folder = await aFolder()
  const service = await start(folder)
  await untilReady(service)
  assert.equal(await loadStatus(service.address, '/healthz'), 200)
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  assert.deepEqual(await metricsMissing(metrics), [], 'what dashboard and alerts name')
  await until(() => service.output().includes('npx matricula tenant create'), 'what to do next')
  const api = new Caller(service.address, await aToken(folder))
  assert.equal((await api.post('/students', { fullName: 'Ada' })).status, 201)
  const postmaster = await loadPostmaster(folder)
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
  // A process that has ended counts until somebody reads its status, which is not ours to do.
  await until(async () => !isAlive(postmaster), 'the end of the database')
})

test('it answers 503 while its database is gone, and goes on once it is back', async () => {
  const { folder, token } = await aUsedFolder()
  const service = await start(folder)
  await untilReady(service)
  const api = new Caller(service.address, token)
  assert.equal((await api.get('/students')).status, 200)
  process.kill(await loadPostmaster(folder), 'SIGKILL')
  const seen = new Set<number>()
  await until(async () => {
    const response = await api.get('/students')
    if (response.status !== 200) assert.deepEqual([response.status, response.body.code], [503, 'service_unavailable'])
    if (response.status === 503) assert.ok(Number(response.headers.get('retry-after')) >= 1)
    seen.add(response.status)
    return response.status === 200 && seen.has(503)
  }, 'a refusal and then an answer')
  assert.equal((await api.post('/students', { fullName: 'Ada' })).status, 201)
})

test('a request that is being answered when the service is stopped gets its answer', async () => {
  const { folder, token } = await aUsedFolder()
  const service = await start(folder)
  await untilReady(service)
  const api = new Caller(service.address, token)
  const writes = Array.from({ length: 50 }, (_, index) => api.put(`/students/external/${index}`, { fullName: 'Ada' }))
  await writes[0]
  const stopped = Date.now()
  service.child.kill('SIGINT')
  const answers = await Promise.allSettled(writes)
  assert.equal(await service.ended, 0)
  assert.ok(Date.now() - stopped < 30_000, 'idle connections do not hold it up')
  for (const response of answers) {
    if (response.status === 'fulfilled') assert.equal(response.value.status, 201)
    else assert.match(String(response.reason.cause?.code), /ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET/)
  }
})

test('a wrong setting stops the start with one line that names the variable and what it takes', async () => {
  const folder = await aFolder()
  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: 'x' }, /^matricula: PORT must be a whole number from 0 to 65535\n$/],
    [{ WORKERS: '0' }, /^matricula: WORKERS must be/],
    [{ DRAIN_SECONDS: '1.5' }, /^matricula: DRAIN_SECONDS must be a whole number from 0 to 300\n$/],
    [{ LOG_LEVEL: 'loud' }, /^matricula: LOG_LEVEL must be one of/],
    [{ DATABASE_URL: 'mysql://x' }, /^matricula: DATABASE_URL must be an address that begins with postgres:/],
    [{ DATABASE_URL: 'postgresql://localhost/x' }, /^matricula: SECRET_KEY is required with DATABASE_URL/],
    [{ PUBLIC_URL: 'school' }, /^matricula: PUBLIC_URL must be/],
    [{ TRUSTED_PROXIES: 'all' }, /^matricula: TRUSTED_PROXIES must be addresses or networks/],
    [{ ALLOW_ORIGINS: '*' }, /^matricula: ALLOW_ORIGINS must be origins separated by commas/],
  ]
  for (const [settings, line] of wrong) {
    const service = await start(folder, settings)
    assert.equal(await service.ended, 1)
    assert.match(service.output(), line)
  }
})

test('what keeps the service from starting is told in one line that names the variable, without a stack', async () => {
  const { folder } = await aUsedFolder()
  const taken = createServer((socket) => socket.destroy())
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const secret = { SECRET_KEY: 'of a test of what an operator sees' }
  try {
    const empty = await aFolder()
    assert.equal(await (await start(empty, { PORT: String(port) })).ended, 1)
    assert.ok(!existsSync(join(empty, 'postgres')), 'no database is made for a service that cannot listen')
    for (const [settings, said] of [
      [{ PORT: String(port) }, /Another program listens on port \d+ of 127\.0\.0\.1\. Set PORT to a free one\./],
      [{ PORT: String(port), WORKERS: '2' }, /Another program listens on port \d+/],
      [{ HOST: '192.0.2.1' }, /192\.0\.2\.1 is no address of this machine\. Set HOST/],
      [{ HOST: 'no-such-host.invalid' }, /no-such-host\.invalid (is not known|cannot be looked up)\. Set HOST/],
      [{ DATABASE_URL: 'postgresql://127.0.0.1:1/none', ...secret }, /Nothing listens at the address of DATABASE_URL/],
      [{ DATABASE_URL: 'postgresql://no-such-host.invalid/none', ...secret }, /The host of DATABASE_URL/],
      [{ DATABASE_URL: `postgresql://127.0.0.1:${port}/none`, ...secret }, /The server of DATABASE_URL hangs up/],
    ] as const) {
      const service = await start(folder, settings)
      assert.equal(await service.ended, 1)
      const output = service.output()
      assert.match(output, said)
      assert.doesNotMatch(output, /\n {4}at |node:internal/, output)
    }
  } finally {
    taken.close()
  }
})
