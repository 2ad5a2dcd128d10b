import { cpus } from 'node:os'
import { type BenchService, type FurtherService, startBeside } from '../services/bench-service.ts'
import { farDueDate, type Load, median, putLoad } from '../services/load.ts'
import { processorTimeOfTree, processorTimesOfTree } from './process-times.ts'

const connections = 64
const seconds = 3
const repetitions = 3
/** Processes for requests, and the connections that each service may take, which are as many together as the database has. */
const services = [
  { workers: 1, connections: 34 },
  { workers: 2, connections: 43 },
]

/** What one run took of processor time, in milliseconds for each answer. */
interface Measured {
  readonly perSecond: number
  /** The program that asks. */
  readonly load: number
  /** Each process that answers, that which took most first. */
  readonly processes: readonly number[]
  readonly database: number
}

/**
 * Puts services with one and two processes for requests on the same database under the same load, in turn, and prints how many
 * answers a second each gave, and where the processor time of an answer went: to the program that asks, to each process of the service, to
 * PostgreSQL. The last column says how much of all processors that was: where it is near all of them, the machine is the limit, and no
 * further process brings more.
 */
export async function printWorkers(bench: BenchService): Promise<void> {
  const { token } = await bench.fill('workers', 1_000, 10_000)
  const authorization = `Bearer ${token}`
  const { data } = (await (
    await fetch(`${bench.address}/v1/payments?limit=1`, { headers: { authorization } })
  ).json()) as { data: { id: string; studentId: string }[] }
  const [payment] = data
  if (payment === undefined) throw new Error('the tenant has no payments')
  const body = { studentId: payment.studentId, amount: 120.5, description: 'Tuition', dueDate: farDueDate }
  const loads: Readonly<Record<string, Load>> = {
    page: { method: 'GET', path: '/v1/payments?limit=20', headers: { authorization } },
    'one by id': { method: 'GET', path: `/v1/payments/${payment.id}`, headers: { authorization } },
    create: {
      method: 'POST',
      path: '/v1/payments',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      fresh: (number) => ({ headers: { 'idempotency-key': `workers-${process.pid}-${number}` } }),
    },
  }
  const postmaster = await bench.postmasterPid()
  const started: FurtherService[] = []
  try {
    for (const { workers, connections: max } of services) {
      started.push(await startBeside(bench, { WORKERS: String(workers), DATABASE_CONNECTIONS: String(max) }))
    }
    const head = ['answers/s', 'load', 'service', 'of it by process', 'PostgreSQL', 'together', 'of all CPU']
    process.stdout.write(`\nms CPU for each answer, ${connections} connections, ${cpus().length} processors\n`)
    process.stdout.write(`${'request, workers'.padEnd(22)}${head.map((word) => word.padStart(18)).join('')}\n`)
    for (const [request, load] of Object.entries(loads)) {
      const runs = started.map((): Measured[] => [])
      for (const { address } of started) await putLoad(address, load, 1, connections)
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        for (const [index, service] of started.entries()) runs[index]?.push(await measure(service, postmaster, load))
      }
      for (const [index, all] of runs.entries()) print(`${request}, ${services[index]?.workers}`, all)
    }
  } finally {
    for (const service of started) await service.stop()
  }
}

async function measure({ address, pid }: FurtherService, postmaster: number, load: Load): Promise<Measured> {
  const times = async () => ({
    load: process.cpuUsage(),
    processes: await processorTimesOfTree(pid()),
    database: await processorTimeOfTree(postmaster),
  })
  const before = await times()
  const { perSecond, answers } = await putLoad(address, load, seconds, connections)
  const after = await times()
  const asked = after.load.user + after.load.system - before.load.user - before.load.system
  return {
    perSecond,
    load: asked / 1000 / answers,
    processes: [...after.processes]
      .map(([id, time]) => (time - (before.processes.get(id) ?? 0)) / answers)
      .sort((one, other) => other - one),
    database: (after.database - before.database) / answers,
  }
}

function print(title: string, runs: readonly Measured[]): void {
  const middle = (value: (run: Measured) => number) => median(runs.map(value))
  const perSecond = middle((run) => run.perSecond)
  const service = middle(({ processes }) => processes.reduce((sum, time) => sum + time, 0))
  const each = (runs[0]?.processes ?? []).map((_, position) => middle(({ processes }) => processes[position] ?? 0))
  const [load, database] = [middle((run) => run.load), middle((run) => run.database)]
  const together = load + service + database
  const columns = [
    perSecond.toFixed(0),
    load.toFixed(3),
    service.toFixed(3),
    each.map((time) => time.toFixed(2)).join(' '),
    database.toFixed(3),
    together.toFixed(3),
    `${((together * perSecond) / 10 / cpus().length).toFixed(0)} %`,
  ]
  process.stdout.write(`${title.padEnd(22)}${columns.map((column) => column.padStart(18)).join('')}\n`)
}
