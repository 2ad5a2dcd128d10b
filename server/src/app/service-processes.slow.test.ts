import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Caller } from '../testing/fixtures/client.ts'
import {
  aUsedFolder,
  loadPostmaster,
  loadStatus,
  type ServiceProcess,
  start,
  until,
  untilReady,
} from '../testing/fixtures/service-process.ts'

test('a second service on the same data folder says so and stops; the first goes on', async () => {
  const { folder } = await aUsedFolder()
  const first = await start(folder)
  await untilReady(first)
  const second = await start(folder)
  assert.equal(await second.ended, 1)
  assert.match(second.output(), /already/)
  assert.equal(await loadStatus(first.address, '/readyz'), 200)
})

test('killed with -9 while it writes, alone or with its database, it has everything it acknowledged, and nothing twice', async () => {
  const { folder, token } = await aUsedFolder()
  let service = await start(folder)
  await untilReady(service)
  const create = (key: string) =>
    new Caller(service.address, token).post('/students', { fullName: key }, { 'idempotency-key': key })
  const sent: string[] = []
  const acknowledged = new Map<string, string>()
  for (const killed of ['node', 'both', 'node'] as const) {
    let isKilled = false
    const round = acknowledged.size
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; !isKilled; count += 1) {
        const key = `${killed}-${round}-${writer}-${count}`
        sent.push(key)
        const response = await create(key).catch(() => null)
        if (response?.status === 201) acknowledged.set(key, response.body.data.id)
      }
    })
    await until(async () => acknowledged.size >= round + 40, 'some writes')
    const postmaster = await loadPostmaster(folder)
    service.child.kill('SIGKILL')
    if (killed === 'both') process.kill(postmaster, 'SIGKILL')
    await service.ended
    isKilled = true
    await Promise.all(writers)
    service = await start(folder)
    await untilReady(service)
  }
  for (const key of sent) {
    const response = await create(key)
    assert.equal(response.status, 201, response.text)
    assert.equal(acknowledged.get(key) ?? response.body.data.id, response.body.data.id)
  }
  const names = new Map<string, string>()
  const api = new Caller(service.address, token)
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const response = await api.get(`/students?limit=100&cursor=${encodeURIComponent(cursor)}`)
    for (const { id, fullName } of response.body.data) names.set(id, fullName)
    assert.equal(response.body.pagination.total, sent.length)
    cursor = response.headers.get('next-cursor')
  }
  assert.equal(names.size, sent.length)
  assert.equal(new Set(names.values()).size, sent.length)
})

/** Asks a service that leaves to stop again and again, until it has ended. */
async function askUntilEnded({ child, ended }: ServiceProcess): Promise<void> {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  await until(() => {
    child.kill('SIGTERM')
    return hasEnded
  }, 'the end of a service that is asked again')
}

for (const workers of ['1', '2']) {
  test(`a service of ${workers === '1' ? 'one process' : 'two workers'} that is told to stop says so at /readyz, answers what still comes, and asks for another connection`, async () => {
    const { folder, token } = await aUsedFolder()
    const service = await start(folder, { DRAIN_SECONDS: '300', WORKERS: workers })
    await untilReady(service)
    const api = new Caller(service.address, token)
    const before = await api.post('/students', { fullName: 'Ada' })
    assert.deepEqual([before.status, before.headers.get('connection')], [201, 'keep-alive'])
    service.child.kill('SIGTERM')
    await until(async () => (await loadStatus(service.address, '/readyz')) === 503, 'the word that it leaves')
    assert.equal(await loadStatus(service.address, '/healthz'), 200)
    for (const response of [await api.get('/students'), await api.post('/students', { fullName: 'Grace' })]) {
      assert.ok([200, 201].includes(response.status), response.text)
      assert.equal(response.headers.get('connection'), 'close')
    }
    await askUntilEnded(service)
  })
}

test('a service whose first worker answers while others still start finishes what that one has when it is told to stop', async () => {
  const { folder } = await aUsedFolder()
  const service = await start(folder, { DRAIN_SECONDS: '300', WORKERS: '6' })
  await until(() => service.output().includes('a worker listens'), 'the first worker')
  service.child.kill('SIGTERM')
  await until(async () => (await loadStatus(service.address, '/readyz')) === 503, 'the word that it leaves')
  await askUntilEnded(service)
})

test('a service that has said for DRAIN_SECONDS that it leaves ends with 0', async () => {
  const { folder } = await aUsedFolder()
  const service = await start(folder, { DRAIN_SECONDS: '1' })
  await untilReady(service)
  const reported = performance.now()
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
  assert.ok(performance.now() - reported >= 1000)
})

test('several workers answer for one address, are replaced when they die, and stop together', async () => {
  const { folder, token } = await aUsedFolder()
  const service = await start(folder, { WORKERS: '2' })
  await untilReady(service)
  const api = new Caller(service.address, token)
  const answers = await Promise.all(Array.from({ length: 40 }, () => api.get('/students')))
  assert.ok(answers.every(({ status }) => status === 200))
  const counted = async () => {
    const metrics = await (await fetch(`${service.address}/metrics`)).text()
    return /operation="listStudents",status="200"\} 40$/m.test(metrics)
  }
  await until(counted, 'the requests of all workers') // one that is busy is left out of a scrape
  const worker = () => /"process":(\d+)/.exec(service.output())?.[1]
  await until(() => worker() !== undefined, 'a worker that is told of')
  process.kill(Number(worker()), 'SIGKILL')
  await until(async () => service.output().includes('is replaced'), 'a replacement')
  await untilReady(service)
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
})
