import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { prepareSchedules } from './fees.ts'
import type { Noise } from './neighbour-noise.ts'
import { asOwner } from './services/bench-database.ts'
import type { BenchService, BenchTenant } from './services/bench-service.ts'

const kinds = ['same people', 'abandoned lists', 'fee schedules', 'page reads'] as const
const quietSeconds = 8
const noisySeconds = 12
const bar = 3

/** What a tenant measures of its own requests. */
interface Measured {
  /** Milliseconds, by the kind of request. */
  readonly p95: Readonly<Record<string, number>>
  readonly refusals: number
}

/**
 * Prints how much slower one tenant is answered while another one is as noisy as it can be: the 95th percentile of a page, of
 * one by id and of a create, quiet and noisy in the same run, their ratio, and what was refused. Ends with 1 beyond the bar.
 */
export async function printNeighbour(service: BenchService): Promise<void> {
  const noisy = await service.fill('noisy', 1500, 20_000)
  const quiet = await service.fill('quiet', 500, 5_000)
  const { students, schedules } = await prepareNoise(service, noisy)
  let isOver = false
  for (const kind of kinds) {
    const before = await measure(service, quiet, quietSeconds)
    const { address } = service
    const workerData: Noise = { kind, address, token: noisy.token, key: noisy.key, students, schedules }
    const worker = new Worker(new URL('neighbour-noise.js', import.meta.url), { workerData })
    await new Promise((resolve) => setTimeout(resolve, 1000)) // until it is as loud as it gets
    const during = await measure(service, quiet, noisySeconds)
    const counts = await new Promise<object>((resolve) => worker.once('message', resolve).postMessage('counts'))
    await worker.terminate()
    process.stdout.write(`${kind}: the noisy tenant got ${JSON.stringify(counts)}\n`)
    for (const [request, noisyP95] of Object.entries(during.p95)) {
      const quietP95 = before.p95[request] as number
      const ratio = noisyP95 / quietP95
      isOver ||= ratio >= bar
      const figures = `quiet p95 ${quietP95.toFixed(1)} ms, noisy p95 ${noisyP95.toFixed(1)} ms, ratio ${ratio.toFixed(2)}`
      process.stdout.write(`  ${request.padEnd(9)} ${figures}\n`)
    }
    process.stdout.write(`  refusals  ${during.refusals}\n`)
    isOver ||= during.refusals > 0
  }
  if (isOver) process.exitCode = 1
}

/** Sends requests of each kind, one after the other over one connection each, for some seconds. */
async function measure({ address }: BenchService, { token }: BenchTenant, seconds: number): Promise<Measured> {
  const headers = { authorization: `Bearer ${token}` }
  const page = (await (await fetch(`${address}/v1/payments?limit=1`, { headers })).json()) as { data: [{ id: string }] }
  const { id } = page.data[0]
  const create = () => ({
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ fullName: 'Ada Byron' }),
  })
  const requests: Record<string, () => Promise<Response>> = {
    page: () => fetch(`${address}/v1/payments?limit=20`, { headers }),
    'by id': () => fetch(`${address}/v1/payments/${id}`, { headers }),
    create: () => fetch(`${address}/v1/students`, create()),
  }
  let rejections = 0
  const until = performance.now() + seconds * 1000
  const run = async ([kind, request]: [string, () => Promise<Response>]): Promise<[string, number]> => {
    const times: number[] = []
    while (performance.now() < until) {
      const started = performance.now()
      const response = await request()
      await response.arrayBuffer()
      times.push(performance.now() - started)
      if (!response.ok) rejections += 1
    }
    times.sort((one, other) => one - other)
    return [kind, times[Math.floor(times.length * 0.95)] as number]
  }
  const p95 = Object.fromEntries(await Promise.all(Object.entries(requests).map(run)))
  return { p95, refusals: rejections }
}

async function prepareNoise(service: BenchService, tenant: BenchTenant) {
  return asOwner(service, async (owner) => {
    const schedules = await prepareSchedules(service, owner, tenant, 14)
    const { rows } = await owner.query<{ name: string }>(
      'select student_code as name from students where tenant_id = $1 order by student_code limit 4',
      [tenant.tenantId],
    )
    return { schedules, students: rows.map(({ name }) => name) }
  })
}
