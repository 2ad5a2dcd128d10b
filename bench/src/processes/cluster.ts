import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Connection } from '../../../server/dist/database/index.js'
import {
  findCitus,
  joinNodes,
  loadWorkers,
  onceAsOwner,
  startCitusCluster,
} from '../../../server/dist/testing/cluster/citus-cluster.js'
import { type BenchService, type BenchTenant, startBenchService } from '../services/bench-service.ts'
import { farDueDate, type Load, median, putLoad } from '../services/load.ts'
import { processorTimeOfTree } from './process-times.ts'
import { printRolling } from './rolling.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))

const connections = 16
const seconds = 3
const repetitions = 3
/** What a cluster is to give of what one PostgreSQL gives: the rest is the price of the way to the node and of its planner. */
const bar = 0.5
/** Institutions whose writes are to fall on all nodes. */
const spreadTenants = 12
const spreadSeconds = 8
const nodes = ['coordinator', 'worker-1', 'worker-2']

/**
 * Starts a Citus cluster of a coordinator and two workers, and prints how many answers a second a service on it gives beside one on a single
 * database of the coordinator's server, in turn, and their ratio; then the processor time that each node takes while many institutions write,
 * and what a rolling restart of two services on the cluster fails of. Ends with 1 below the bar; where there is no Citus it says so.
 */
export async function printCluster(): Promise<void> {
  const programs = await findCitus()
  if (programs === null) {
    process.stdout.write('no PostgreSQL with Citus is installed here: nothing was measured\n')
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-cluster-'))
  await chmod(folder, 0o755)
  const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const cluster = await startCitusCluster(programs, folder)
    ends.push(() => cluster.stop())
    const single = await onDatabase(cluster.connectionString, 'single', [])
    ends.push(() => single.stop())
    const workers = await loadWorkers({ connectionString: cluster.connectionString })
    const spread = await onDatabase(cluster.connectionString, 'spread', workers)
    ends.push(() => spread.stop())
    await compare(single, spread)
    await spreadWrites(spread, folder)
    await printRolling(spread, { rounds: 3, workers: '1' })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Starts a service on a new database of a server, that is spread over workers where there are some. */
async function onDatabase(
  server: string,
  name: string,
  workers: readonly { host: string; port: number }[],
): Promise<BenchService> {
  const owner = { connectionString: server }
  await onceAsOwner(owner, `create database ${name}`)
  const at = (host: string, port: number | string): Connection => ({
    connectionString: `postgresql://postgres@${host}:${port}/${name}`,
  })
  const { hostname, port } = new URL(server)
  for (const worker of workers) {
    await onceAsOwner(
      { connectionString: `postgresql://postgres@${worker.host}:${worker.port}/postgres` },
      `create database ${name}`,
    )
  }
  if (workers.length > 0)
    await joinNodes(
      at(hostname, port),
      workers.map((worker) => at(worker.host, worker.port)),
    )
  const settings = {
    DATABASE_URL: `postgresql://postgres@${hostname}:${port}/${name}`,
    SECRET_KEY: 'of services that a benchmark starts beside each other',
  }
  // To spread the tables takes minutes, which a service is not waited for.
  await run(process.execPath, [cli, 'migrate'], { env: { ...process.env, ...settings } })
  return startBenchService(settings)
}

async function compare(single: BenchService, spread: BenchService): Promise<void> {
  const both = await Promise.all(
    [single, spread].map(async (service) => ({ service, loads: await loadLoads(service) })),
  )
  process.stdout.write(`answers a second, ${connections} connections\n`)
  for (const request of ['page', 'one by id', 'create'] as const) {
    const rates: number[][] = [[], []]
    for (const { service, loads } of both) await putLoad(service.address, loads[request], 1, connections)
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (const [index, { service, loads }] of both.entries()) {
        const { perSecond } = await putLoad(service.address, loads[request], seconds, connections)
        rates[index]?.push(perSecond)
      }
    }
    const [one, other] = rates.map(median) as [number, number]
    const ratio = other / one
    if (ratio < bar) process.exitCode = 1
    process.stdout.write(
      `${request.padEnd(10)} one PostgreSQL ${one.toFixed(0)}, cluster ${other.toFixed(0)}, ratio ${ratio.toFixed(2)} (wanted ${bar})\n`,
    )
  }
}

async function loadLoads(service: BenchService) {
  const tenant = await service.fill('bench', 500, 10_000)
  const authorization = `Bearer ${tenant.token}`
  const { id, studentId } = await firstPayment(service, tenant)
  return {
    page: { method: 'GET', path: '/v1/payments?limit=20', headers: { authorization } },
    'one by id': { method: 'GET', path: `/v1/payments/${id}`, headers: { authorization } },
    create: createOf(tenant, studentId),
  } as const satisfies Record<string, Load>
}

async function firstPayment({ address }: BenchService, { token }: BenchTenant) {
  const response = await fetch(`${address}/v1/payments?limit=1`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { data: [{ id: string; studentId: string }] }
  return data[0]
}

function createOf({ token }: BenchTenant, studentId: string): Load {
  const body = { studentId, amount: 120.5, description: 'Tuition', dueDate: farDueDate }
  return {
    method: 'POST',
    path: '/v1/payments',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    fresh: (number) => ({ headers: { 'idempotency-key': `cluster-${process.pid}-${number}` } }),
  }
}

/** Writes for many institutions at once, and tells what each node did. */
async function spreadWrites(service: BenchService, folder: string): Promise<void> {
  const loads: Load[] = []
  for (let number = 1; number <= spreadTenants; number += 1) {
    const tenant = await service.fill(`school-${number}`, 20, 20)
    loads.push(createOf(tenant, (await firstPayment(service, tenant)).studentId))
  }
  const postmasters = await Promise.all(
    nodes.map(async (name) => Number((await readFile(join(folder, name, 'postmaster.pid'), 'utf8')).split('\n')[0])),
  )
  const times = () => Promise.all(postmasters.map(processorTimeOfTree))
  const before = await times()
  const rates = await Promise.all(loads.map((load) => putLoad(service.address, load, spreadSeconds, 2)))
  const after = await times()
  const answers = rates.reduce((sum, rate) => sum + rate.answers, 0)
  const reported = nodes.map((name, index) => {
    const used = (after[index] as number) - (before[index] as number)
    return `${name} ${(used / answers).toFixed(2)}`
  })
  process.stdout.write(
    `creates of ${spreadTenants} institutions: ${(answers / spreadSeconds).toFixed(0)} a second; ms CPU of each node for an answer: ${reported.join(', ')}\n`,
  )
}
