import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProcesses } from '../database/embedded/processes.ts'
import { type ApiResponse, Caller } from '../testing/fixtures/client.ts'
import { mountSmallDisk } from '../testing/fixtures/files/small-disk.ts'
import { minOf } from '../testing/fixtures/min-work.ts'
import {
  aFolder,
  afterwards,
  aToken,
  aUsedFolder,
  loadPostmaster,
  loadStatus,
  type ServiceProcess,
  start,
  until,
  untilReady,
} from '../testing/fixtures/service-process.ts'

/** Sends a signal to the database: to its main process and all that it began. */
async function signalDatabase(postmaster: number, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  // The main process stops first and goes on last, so that it begins and ends no others meanwhile.
  if (signal === 'SIGSTOP') process.kill(postmaster, signal)
  for (const { pid, parent } of await listProcesses()) if (parent === postmaster) process.kill(pid, signal)
  if (signal === 'SIGCONT') process.kill(postmaster, signal)
}

function assertUnavailable({ status, body, headers }: ApiResponse): void {
  assert.deepEqual([status, body.code], [503, 'service_unavailable'])
  assert.ok(Number(headers.get('retry-after')) >= 1)
}

const untilCreated = (api: Caller, { output }: ServiceProcess) =>
  until(
    async () => (await api.post('/students', { fullName: 'Ada' })).status === 201,
    `a write goes on (${output().slice(-2000)})`,
    60,
  )

test('a database that hangs is noticed within seconds, in all that waits and all that comes; it goes on by itself', async () => {
  const { folder, token } = await aUsedFolder()
  const service = await start(folder)
  await untilReady(service)
  const api = new Caller(service.address, token)
  assert.equal((await api.post('/students', { fullName: 'Ada' })).status, 201)
  const postmaster = await loadPostmaster(folder)
  afterwards(() => signalDatabase(postmaster, 'SIGCONT').catch(() => {}))
  /** How much of what they may take those take who wait, at most 10 s, and who come from then on, at most 2 s. */
  const hang = async () => {
    await signalDatabase(postmaster, 'SIGSTOP')
    const stoppedAt = performance.now()
    const answers = await Promise.all([
      api.get('/students'),
      api.get('/students?updatedSince=2020-01-01'),
      api.post('/students', { fullName: 'Grace' }),
      // More than there are connections.
      ...Array.from({ length: 30 }, () => api.post('/students', { fullName: 'Joan' })),
    ])
    const ready = await fetch(`${service.address}/readyz`)
    const waited = performance.now() - stoppedAt // four seconds on a machine with nothing else to do
    for (const response of answers) assertUnavailable(response)
    assert.equal(ready.status, 503)
    const knownAt = performance.now()
    assertUnavailable(await api.get('/students'))
    assertUnavailable(await api.post('/students', { fullName: 'Mary' }))
    const waitedThen = performance.now() - knownAt
    assert.equal(await loadStatus(service.address, '/healthz'), 200)
    await signalDatabase(postmaster, 'SIGCONT')
    await untilReady(service)
    await untilCreated(api, service)
    assert.equal((await api.get('/students')).status, 200)
    return Math.max(waited / 10_000, waitedThen / 2_000)
  }
  const share = await minOf(0.99, hang)
  assert.ok(share < 1, `they waited ${share} times as long as they may`)
})

test('a full disk under the database refuses writes with 503, and nothing that was acknowledged is lost', async (t) => {
  const folder = await aFolder()
  const disk = await mountSmallDisk(folder, 200)
  if (typeof disk === 'string') return t.skip(disk)
  afterwards(() => disk.unmount())
  const service = await start(folder)
  await untilReady(service)
  const api = new Caller(service.address, await aToken(folder))
  await api.post('/students', { fullName: 'Ada' })
  await disk.fill()
  const created: string[] = []
  const reads = new Set<number>()
  for (let index = 0; index < 400; index += 1) {
    const response = await api.post('/students', { fullName: `Student ${index}` })
    if (response.status === 201) created.push(response.body.data.id)
    else {
      assertUnavailable(response)
      reads.add((await api.get('/students')).status)
    }
  }
  // It may come to where it cannot even start again, and says nothing then.
  assert.ok(reads.has(200), `reads go on: ${[...reads]}`)
  for (const status of reads) assert.ok(status === 200 || status === 503, String(status))
  await disk.empty()
  await untilReady(service)
  await untilCreated(api, service)
  for (const id of created) assert.equal((await api.get(`/students/${id}`)).status, 200)
})
