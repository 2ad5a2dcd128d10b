import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Caller } from '../../server/dist/testing/fixtures/client.js'
import type { BenchService } from './services/bench-service.ts'
import { median, putLoad } from './services/load.ts'

const students = 200

/**
 * Prints how long it takes from the commit of an event until its delivery has arrived at 100 events a second (wanted: less than a second at the
 * median), how long 10 000 waiting deliveries take to a fast endpoint (less than a minute), whether a follower of the feed keeps up
 * with 1 000 events a second, and what writes cost beside an endpoint that gets all of them.
 */
export async function printDeliveries(bench: BenchService): Promise<void> {
  const quota = ['--requests-per-minute', '1000000']
  const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments', ...quota]
  await bench.fill('deliveries', students, 100)
  const { token } = await bench.command('token', 'create', '--tenant', 'deliveries', '--name', 'bench', ...all)
  const api = new Caller(bench.address, token)
  const ids: string[] = (await api.get('/students?limit=100')).body.data.map(({ id }: { id: string }) => id)
  const receiver = await startReceiver()
  try {
    const made = await api.post('/webhooks', { url: receiver.url, types: ['student.*'] })
    const webhook = `/webhooks/${made.body.data.id}`
    await printDelay(api, ids, receiver)
    await printDrain(api, webhook, receiver)
    await api.patch(webhook, { enabled: false })
    await printFollower(api)
    await printWrites(bench.address, token, api, webhook, ids)
  } finally {
    receiver.close()
  }
}

interface Receiver {
  readonly url: string
  /** For each delivery how long after its event it arrived, in milliseconds. */
  readonly delays: number[]
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const delays: number[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { timestamp } = JSON.parse(Buffer.concat(parts).toString()) as { timestamp: string }
    delays.push(Date.now() - Date.parse(timestamp))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, delays, close }
}

async function printDelay(api: Caller, ids: readonly string[], { delays }: Receiver): Promise<void> {
  const [perSecond, seconds] = [100, 20]
  const writes: Promise<unknown>[] = []
  const begun = performance.now()
  for (let number = 0; number < perSecond * seconds; number += 1) {
    await pause(Math.max(0, begun + (number * 1000) / perSecond - performance.now()))
    writes.push(api.patch(`/students/${ids[number % ids.length]}`, { city: `City ${number}` }))
  }
  await Promise.all(writes)
  const rate = (writes.length / (performance.now() - begun)) * 1000
  await untilThere(delays, writes.length)
  const sorted = [...delays].sort((one, other) => one - other)
  const at = (part: number) => `${sorted[Math.floor((sorted.length - 1) * part)]} ms`
  process.stdout.write(
    `${writes.length} events, ${rate.toFixed(0)} a second: from the event to its arrival median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)}\n`,
  )
}

async function printDrain(api: Caller, webhook: string, { delays }: Receiver): Promise<void> {
  const count = 10_000
  await api.patch(webhook, { enabled: false })
  const after = (await api.get('/events?after=latest')).body.next as string
  for (let from = 0; from < count; from += 500) await api.post('/students/batch', { items: newStudents(500) })
  await api.patch(webhook, { enabled: true })
  const until = String(Number(after) + count)
  const before = delays.length
  const begun = performance.now()
  const { queued } = (await api.post(`${webhook}/redeliveries`, { after, until })).body.data
  await untilThere(delays, before + queued)
  const seconds = (performance.now() - begun) / 1000
  process.stdout.write(
    `${queued} waiting deliveries in ${seconds.toFixed(1)} s, ${(queued / seconds).toFixed(0)} a second\n`,
  )
}

function newStudents(count: number): object[] {
  return Array.from({ length: count }, () => ({ externalId: randomUUID(), fullName: 'Ada Byron' }))
}

async function untilThere(delays: readonly number[], count: number): Promise<void> {
  for (const end = Date.now() + 120_000; delays.length < count && Date.now() < end; ) await pause(5)
  if (delays.length < count) throw new Error(`only ${delays.length} of ${count} deliveries arrived`)
}

/** A follower beside batches of 500 new students, two a second: it must be there when they are. */
async function printFollower(api: Caller): Promise<void> {
  const [perSecond, seconds] = [1_000, 15]
  let next = (await api.get('/events?after=latest')).body.next as string
  const lags: number[] = []
  const follow = async () => {
    while (lags.length < perSecond * seconds) {
      const { body } = await api.get(`/events?after=${next}&limit=1000&wait=5&types=student.*`)
      for (const { occurredAt } of body.data) lags.push(Date.now() - Date.parse(occurredAt))
      next = body.next
    }
  }
  const following = follow()
  const begun = performance.now()
  for (let half = 0; half < seconds * 2; half += 1) {
    await pause(Math.max(0, begun + half * 500 - performance.now()))
    await api.post('/students/batch', { items: newStudents(perSecond / 2) })
  }
  const rate = (perSecond * seconds * 1000) / (performance.now() - begun)
  const written = performance.now()
  await following
  const behind = performance.now() - written
  process.stdout.write(
    `${lags.length} events, ${rate.toFixed(0)} a second: a follower saw them ${median(lags)} ms later at the median, and was through ${behind.toFixed(0)} ms after the last\n`,
  )
}

/**
 * What a write costs whoever sends it, without an endpoint and beside one that gets each of them, by turns: at 100 a second, and how
 * many there are a second when 16 connections send as fast as they can, which shares the process with its deliveries.
 */
async function printWrites(
  address: string,
  token: string,
  api: Caller,
  webhook: string,
  ids: readonly string[],
): Promise<void> {
  const load = {
    method: 'PATCH' as const,
    path: '/v1/students',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    fresh: (number: number) => ({
      path: `/v1/students/${ids[number % ids.length]}`,
      body: JSON.stringify({ city: `Load ${number}` }),
    }),
  }
  const steady = { false: [] as number[], true: [] as number[] }
  const fastest = { false: [] as number[], true: [] as number[] }
  for (let turn = 0; turn < 8; turn += 1) {
    const enabled = turn % 2 === 1
    await api.patch(webhook, { enabled })
    steady[`${enabled}`].push(...(await latencies(api, ids, 3)))
    fastest[`${enabled}`].push((await putLoad(address, load, 2, 16)).perSecond)
  }
  const [without, beside] = [median(steady.false), median(steady.true)]
  process.stdout.write(
    `a write at 100 a second: median ${without.toFixed(2)} ms without an endpoint, ${beside.toFixed(2)} ms beside one that gets it, ${(beside / without).toFixed(2)}\n`,
  )
  const [max, maxBeside] = [median(fastest.false), median(fastest.true)]
  process.stdout.write(
    `writes a second at most: ${max.toFixed(0)} without, ${maxBeside.toFixed(0)} while the same process delivers them, ${(maxBeside / max).toFixed(2)}\n`,
  )
}

/** How long each of 100 writes a second takes, in milliseconds. */
async function latencies(api: Caller, ids: readonly string[], seconds: number): Promise<number[]> {
  const begun = performance.now()
  const writes: Promise<number>[] = []
  for (let number = 0; number < 100 * seconds; number += 1) {
    await pause(Math.max(0, begun + number * 10 - performance.now()))
    const sent = performance.now()
    const write = api.patch(`/students/${ids[number % ids.length]}`, { city: `At ${sent}` })
    writes.push(write.then(() => performance.now() - sent))
  }
  return Promise.all(writes)
}
