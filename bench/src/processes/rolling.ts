import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Balancer, startBalancer } from '../../../server/dist/testing/fixtures/balancer.js'
import { Caller } from '../../../server/dist/testing/fixtures/client.js'
import { type BenchService, startBeside } from '../services/bench-service.ts'

const perSecond = 200
/** How long a service says that it leaves before it stops: more than the balancer takes to notice. */
const drainSeconds = 1

/**
 * Restarts two services behind a proxy in turn, several times (three, or as many as the word behind it says; a second one says
 * how many processes each has), while 200 requests a second come in, half of them writes. Prints how many were sent, failed, were written twice and were lost; all but the first must be 0.
 */
export async function printRolling(
  bench: BenchService,
  { rounds = Number(process.argv[3] ?? 3), workers = process.argv[4] ?? '1' } = {},
): Promise<void> {
  const { token } = await bench.fill('rolling', 200, 1000)
  const settings = { DRAIN_SECONDS: String(drainSeconds), WORKERS: workers, DATABASE_CONNECTIONS: '38' }
  const services = [await startBeside(bench, settings), await startBeside(bench, settings)]
  const balancer = await startBalancer(services.map(({ address }) => address))
  try {
    await untilBoth(balancer)
    const load = startLoad(balancer.address, token)
    await pause(2_000)
    for (let round = 0; round < rounds; round += 1) {
      for (const service of services) {
        const before = performance.now()
        await service.restart()
        await untilBoth(balancer)
        process.stdout.write(`restarted ${service.address} in ${((performance.now() - before) / 1000).toFixed(1)} s\n`)
        await pause(1_000)
      }
    }
    const { sent, failures, acknowledged, slowest } = await load.stop()
    const { doubled, lost } = await compare(new Caller(balancer.address, token), acknowledged)
    for (const failure of new Set([...failures, ...balancer.failures])) process.stdout.write(`${failure}\n`)
    const seconds = (sent / perSecond).toFixed(0)
    process.stdout.write(
      `${rounds * services.length} restarts of two services in ${seconds} s: ${sent} requests, ${acknowledged.length} of them writes, ` +
        `${failures.length} failed, ${doubled} written twice, ${lost} lost; the slowest took ${slowest.toFixed(0)} ms\n`,
    )
    if (failures.length + doubled + lost > 0) process.exitCode = 1
  } finally {
    await balancer.close()
    for (const service of services) await service.stop()
  }
}

async function untilBoth(balancer: Balancer): Promise<void> {
  for (const until = Date.now() + 60_000; balancer.ready().length < 2; await pause(20)) {
    if (Date.now() > until) throw new Error('a service did not become ready')
  }
}

interface Outcome {
  readonly sent: number
  readonly failures: readonly string[]
  /** The names of students that were acknowledged. */
  readonly acknowledged: readonly string[]
  /** In milliseconds. */
  readonly slowest: number
}

/** Sends requests at an even pace, whether those before them were answered or not. */
function startLoad(address: string, token: string): { stop(): Promise<Outcome> } {
  const agent = new Agent({ keepAlive: true })
  const failures: string[] = []
  const acknowledged: string[] = []
  const running = new Set<Promise<void>>()
  const begun = performance.now()
  let sent = 0
  let slowest = 0

  const call = (method: string, path: string, expected: number, body?: object) =>
    new Promise<boolean>((resolve) => {
      const started = performance.now()
      const done = (outcome: number | string) => {
        slowest = Math.max(slowest, performance.now() - started)
        if (outcome !== expected) failures.push(`${method} ${path}: ${outcome}`)
        resolve(outcome === expected)
      }
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      }
      const outgoing = request(`${address}/v1${path}`, { agent, method, headers }, (response) => {
        response.resume()
        response.once('end', () => done(response.statusCode as number))
        response.once('error', (error) => done(error.message))
      })
      outgoing.once('error', (error) => done(error.message))
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const write = async (fullName: string, isCreate: boolean) => {
    const isDone = isCreate
      ? await call('POST', '/students', 201, { fullName })
      : await call('PUT', `/students/external/${fullName}`, 201, { fullName })
    if (isDone) acknowledged.push(fullName)
  }
  const sendNext = () => {
    const number = sent
    sent += 1
    const kind = number % 4
    const work = kind < 2 ? write(`rolling-${number}`, kind === 0) : call('GET', paths[kind - 2] as string, 200)
    const one: Promise<void> = Promise.resolve(work).then(() => void running.delete(one))
    running.add(one)
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * perSecond
    while (sent < due) sendNext()
  }, 5)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return { sent, failures, acknowledged, slowest }
    },
  }
}

const paths = ['/payments?limit=20', '/students?limit=20&status=active']

/** Walks over all students, and compares what is there with what was acknowledged. */
async function compare(api: Caller, acknowledged: readonly string[]): Promise<{ doubled: number; lost: number }> {
  const counts = new Map<string, number>()
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const response = await api.get(`/students?limit=100&cursor=${encodeURIComponent(cursor)}`)
    if (response.status !== 200) throw new Error(response.text)
    for (const { fullName } of response.body.data) counts.set(fullName, (counts.get(fullName) ?? 0) + 1)
    cursor = response.headers.get('next-cursor')
  }
  const doubled = [...counts].filter(([name, count]) => name.startsWith('rolling-') && count > 1).length
  return { doubled, lost: acknowledged.filter((name) => !counts.has(name)).length }
}
