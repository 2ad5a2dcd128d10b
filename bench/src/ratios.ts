import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Cost, loadCost } from './load-cost.ts'
import { asOwner, describeDatabase } from './services/bench-database.ts'
import { type BenchService, end, startTunedServer } from './services/bench-service.ts'
import { farDueDate, type Load, median, putLoad } from './services/load.ts'
import { makeTunedTables } from './services/tuned-tables.ts'

const students = 1_000
const payments = 10_000
/** So many payments have changed since the moment that the sweep asks for. */
const swept = 1_000

/** How long a load goes on before it is measured, in seconds: V8 compiles meanwhile. */
const warmUp = 4

interface Course {
  readonly connections: readonly number[]
  readonly repetitions: number
  readonly seconds: number
}

/** One kind of request at a number of connections. */
interface Ratio {
  readonly request: string
  readonly connections: number
  readonly service: Cost
  readonly tuned: Cost
  readonly ratio: Released
}

/** The short run: 16 connections, under two minutes. */
export function printCpu(service: BenchService): Promise<void> {
  return printRatios(service, { connections: [16], repetitions: 3, seconds: 2 })
}

/** The requests that are asked for, such as `patch,16`: `npm run bench -- cpu patch,16 create,16`. All of them where none is named. */
const asked = process.argv.slice(3).filter((word) => word !== 'write')
const isAsked = (title: string) => asked.length === 0 || asked.includes(title.replace(', ', ','))
const getTitle = (request: string, connections: number) => `${request}, ${connections}`

/**
 * Compares the service with the hand-tuned server on 10 000 payments of one tenant, by requests and by the processor time that an
 * answer costs the server and PostgreSQL. The two take turns, and medians are printed: of the ratios, that of the ratios of a turn each,
 * because a machine that others use is faster in one minute than in the next.
 */
export async function printRatios(
  service: BenchService,
  // Long enough that to open 256 connections, which clients keep, is next to nothing of it.
  course: Course = { connections: [16, 32, 256], repetitions: 5, seconds: 4 },
): Promise<void> {
  const ratios = await measureRatios(service, course)
  const released = await readReleased()
  const head = ['answers/s', 'tuned', 'ratio', 'was', 'ms CPU', 'of it PG', 'tuned', 'of it PG', 'ratio', 'was']
  const measured: Record<string, Released> = {}
  process.stdout.write(`\n${await describeDatabase(service)}, Node ${process.versions.node}\n`)
  process.stdout.write(`\n${'request, connections'.padEnd(28)}${head.map((word) => word.padStart(10)).join('')}\n`)
  for (const { request, connections, service: ours, tuned, ratio: now } of ratios) {
    const title = getTitle(request, connections)
    const was = released[title]
    const columns = [
      ours.rate.toFixed(0),
      tuned.rate.toFixed(0),
      now.rate.toFixed(2),
      was?.rate.toFixed(2) ?? '-',
      (ours.server + ours.database).toFixed(3),
      ours.database.toFixed(3),
      (tuned.server + tuned.database).toFixed(3),
      tuned.database.toFixed(3),
      now.processor.toFixed(2),
      was?.processor.toFixed(2) ?? '-',
    ]
    measured[title] = now
    process.stdout.write(`${title.padEnd(28)}${columns.map((column) => column.padStart(10)).join('')}\n`)
  }
  if (process.argv.includes('write'))
    await writeFile(releasedFile, `${JSON.stringify({ ...released, ...measured }, null, 2)}\n`)
  process.stdout.write(`\nresident memory of the service: ${Math.round(await service.residentMebibytes())} MiB\n`)
}

/** The ratios of one kind of request: of answers a second, and of processor time. */
interface Released {
  readonly rate: number
  readonly processor: number
}

/** Those of the last release, by request and connections. */
const releasedFile = new URL('../ratios.json', import.meta.url)

async function readReleased(): Promise<Readonly<Record<string, Released | undefined>>> {
  return JSON.parse(await readFile(releasedFile, 'utf8'))
}

interface Turn {
  readonly service: Cost
  readonly tuned: Cost
}

function getRatio(turns: readonly Turn[]): Released {
  const rounded = (value: number) => Math.round(value * 100) / 100
  const processor = ({ server, database }: Cost) => server + database
  return {
    rate: rounded(median(turns.map(({ service, tuned }) => service.rate / tuned.rate))),
    processor: rounded(median(turns.map(({ service, tuned }) => processor(service) / processor(tuned)))),
  }
}

async function measureRatios(service: BenchService, course: Course): Promise<Ratio[]> {
  const { tenantId, token } = await service.fill('ratios', students, payments)
  return asOwner(service, async (owner, connection) => {
    await makeTunedTables(owner, tenantId)
    await untilSearchIsAtRest(owner, tenantId)
    const tuned = await startTunedServer('tuned-server.js', {
      BENCH_TENANT: tenantId,
      BENCH_TOKEN: token,
      BENCH_CONNECTION: JSON.stringify(connection),
    })
    try {
      const locations = {
        service: { address: service.address, pid: service.pid },
        tuned: { address: tuned.address, pid: tuned.child.pid as number },
      }
      const loads = await loadLoads(owner, tenantId, token)
      const postmaster = await service.postmasterPid()
      const ratios: Ratio[] = []
      for (const [request, load] of Object.entries(loads)) {
        for (const connections of course.connections) {
          if (!isAsked(getTitle(request, connections))) continue
          const measure = (at: keyof typeof locations) =>
            measureLoad(locations[at], postmaster, load, connections, course)
          const turns: Turn[] = []
          for (const at of ['service', 'tuned'] as const)
            await putLoad(locations[at].address, load, warmUp, connections)
          while (turns.length < course.repetitions) {
            turns.push({ service: await measure('service'), tuned: await measure('tuned') })
          }
          const middle = (at: keyof typeof locations) => getMiddle(turns.map((turn) => turn[at]))
          const [ours, byHand] = [middle('service'), middle('tuned')]
          ratios.push({ request, connections, service: ours, tuned: byHand, ratio: getRatio(turns) })
        }
      }
      return ratios
    } finally {
      await end(tuned.child)
    }
  })
}

/** The search takes over what was filled in beside what is measured. */
async function untilSearchIsAtRest(owner: pg.Client, tenantId: string): Promise<void> {
  const isAtRest = async () => {
    const { rows } = await owner.query('select from search_waiting where tenant_id = $1 limit 1', [tenantId])
    return rows.length === 0
  }
  while (!(await isAtRest())) await pause(500)
}

function measureLoad(
  { address, pid }: { address: string; pid: number },
  postmaster: number,
  load: Load,
  connections: number,
  { seconds }: Course,
): Promise<Cost> {
  return loadCost(pid, postmaster, () => putLoad(address, load, seconds, connections))
}

function getMiddle(all: readonly Cost[]): Cost {
  return {
    rate: median(all.map(({ rate }) => rate)),
    server: median(all.map(({ server }) => server)),
    database: median(all.map(({ database }) => database)),
  }
}

/** The requests that are compared, by name. */
export async function loadLoads(owner: pg.Client, tenantId: string, token: string): Promise<Record<string, Load>> {
  const { rows } = await owner.query<{ id: string; student_id: string; updated_at: string }>(
    'select id, student_id, updated_at from payments where tenant_id = $1 and fee is null order by updated_at desc, id limit $2',
    [tenantId, swept],
  )
  const authorization = `Bearer ${token}`
  const sending = { authorization, 'content-type': 'application/json' }
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last === undefined) throw new Error('the tenant has no payments')
  const since = encodeURIComponent(last.updated_at)
  const body = { studentId: first.student_id, amount: 120.5, description: 'Tuition', dueDate: farDueDate }
  const findId = (number: number) => rows[number % rows.length]?.id
  return {
    page: { method: 'GET', path: '/v1/payments?limit=20', headers: { authorization } },
    'one by id': {
      method: 'GET',
      path: `/v1/payments/${first.id}`,
      headers: { authorization },
      fresh: (number) => ({ path: `/v1/payments/${findId(number)}` }),
    },
    updatedSince: { method: 'GET', path: `/v1/payments?limit=20&updatedSince=${since}`, headers: { authorization } },
    patch: {
      method: 'PATCH',
      path: `/v1/payments/${first.id}`,
      headers: sending,
      body: JSON.stringify({ description: 'Tuition' }),
      fresh: (number) => ({
        path: `/v1/payments/${findId(number)}`,
        body: JSON.stringify({ description: `Tuition ${number}` }),
      }),
    },
    create: {
      method: 'POST',
      path: '/v1/payments',
      headers: sending,
      body: JSON.stringify(body),
      fresh: (number) => ({ headers: { 'idempotency-key': `bench-${process.pid}-${number}` } }),
    },
  }
}
