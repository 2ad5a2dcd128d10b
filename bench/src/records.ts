import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { recordRegistry } from '../../server/dist/app/record-definitions.js'
import { clientOptions, prepared, type Sql, sql } from '../../server/dist/database/index.js'
import { type Caller, countRequest, parseListRequest } from '../../server/dist/record-engine/index.js'
import { type RecordScenario, recordScenarios } from './record-scenarios.ts'
import { openBenchDatabase } from './services/bench-database.ts'
import { type BenchService, end, startTunedServer } from './services/bench-service.ts'
import { median, requestsPerSecond } from './services/load.ts'
import { loadRecords } from './services/record-rows.ts'

const records = 1_000_000
const repetitions = 5
const seconds = 2
/** How often a list has to be answered in a second for two to tell its rate, and how long a slower one is measured. */
const fewPerSecond = 50
const secondsOfSlow = 8
const connections = 8

/**
 * Compares lists and counts of types with 1 000 000 records: the service with a server that answers the same from SQL written by
 * hand, through HTTP; and the statement that the service sends with the one written by hand, on one connection. The two take
 * turns within each repetition. Those alone that are named: `npm run bench -- records 1000000 'Fees of a student'`.
 */
export async function printRecords(service: BenchService): Promise<void> {
  const { tenantId, key } = await service.fill('records', 1, 1)
  const opened = await openBenchDatabase(service)
  const count = Number(process.argv[3] ?? records)
  await loadRecords(new pg.Client(clientOptions(opened.connection, 'owner')), tenantId, count)
  const tuned = await startTunedServer('tuned-record-server.js', {
    BENCH_TENANT: tenantId,
    BENCH_CONNECTION: JSON.stringify(opened.connection),
    BENCH_RECORDS: String(count),
  })
  const client = new pg.Client(clientOptions(opened.connection, 'service'))
  try {
    await client.connect()
    await client.query(prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, false)`))
    const headers = { authorization: key }
    const heads = ['service', 'tuned', 'ratio', 'its SQL', 'by hand', 'ratio'].map((head) => head.padStart(9)).join('')
    process.stdout.write(`\n${'requests per second; milliseconds a statement'.padEnd(50)}${heads}\n`)
    const asked = process.argv.slice(4)
    const isAsked = ({ name }: RecordScenario) => asked.length === 0 || asked.some((part) => name.includes(part))
    for (const scenario of recordScenarios(tenantId, count).filter(isAsked)) {
      const { name, path } = scenario
      requireSame(
        scenario,
        await loadAnswer(service.address + path, headers),
        await loadAnswer(tuned.address + path, {}),
      )
      const rate = (address: string, duration: number) =>
        requestsPerSecond(address, { method: 'GET', path, headers }, duration, connections)
      const ours: number[] = []
      const theirs: number[] = []
      const warm = await rate(service.address, 1) // both are warm before they are measured
      await rate(tuned.address, 1)
      const duration = warm < fewPerSecond ? secondsOfSlow : seconds
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        ours.push(await rate(service.address, duration))
        theirs.push(await rate(tuned.address, duration))
      }
      // A machine that others use is faster in one minute than in the next: turns are compared.
      const ratio = median(theirs.map((other, turn) => other / (ours[turn] as number)))
      const [sent, byHand] = await statementTimes(client, [getStatement(tenantId, scenario), scenario.handWritten])
      const rates = [median(ours).toFixed(0), median(theirs).toFixed(0), ratio.toFixed(2)]
      const columns = [...rates, sent.toFixed(2), byHand.toFixed(2), (sent / byHand).toFixed(2)]
      process.stdout.write(`${name.padEnd(50)}${columns.map((column) => column.padStart(9)).join('')}\n`)
    }
  } finally {
    await client.end()
    await end(tuned.child)
    await opened.close()
  }
}

type Answer = Readonly<Record<string, unknown>>

async function loadAnswer(address: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(address, { headers })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${address}: ${response.status} ${answer}`)
  return JSON.parse(answer) as Answer
}

/** Both must have answered the same; where an order has ties, with as many rows of the same fields. */
function requireSame({ name, member }: RecordScenario, service: Answer, tuned: Answer): void {
  const [ours, theirs] = [service[member], tuned[member]]
  const isSame =
    isDeepStrictEqual(ours, theirs) ||
    (Array.isArray(ours) &&
      Array.isArray(theirs) &&
      ours.length > 0 &&
      ours.length === theirs.length &&
      isDeepStrictEqual(Object.keys(ours[0]), Object.keys(theirs[0])))
  if (!isSame) throw new Error(`${name}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`)
}

/** The statement that the service sends for what is asked of it. */
function getStatement(tenantId: string, { path, isCount }: RecordScenario): Sql {
  const { pathname, searchParams } = new URL(path, 'http://service')
  const parameters = Object.fromEntries(searchParams)
  const caller = getManager(tenantId)
  if (isCount) return countRequest(recordRegistry, caller, parameters.doctype as string, parameters).statement
  const type = decodeURIComponent(pathname.split('/').at(-1) as string)
  return parseListRequest(recordRegistry, caller, type, parameters).statement
}

function getManager(tenantId: string): Caller {
  const roles = new Set(['System Manager'])
  const tenant = { id: tenantId, timeZone: 'UTC', currency: 'USD' } as Caller['tenant']
  const actor = { type: 'api_key', id: null, name: 'bench' } as const
  return { tenant, kind: 'key', user: 'bench', fullName: 'bench', roles, actor, requestId: null, address: null }
}

const measuredMilliseconds = 300

/** Milliseconds of each of two statements, one after the other on one connection, as the median of repetitions. */
async function statementTimes(client: pg.Client, statements: readonly [Sql, Sql]): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const [index, statement] of statements.entries()) {
      const start = performance.now()
      let runs = 0
      do {
        await client.query(prepared(statement))
        runs += 1
      } while (performance.now() - start < measuredMilliseconds)
      if (repetition > 0) times[index]?.push((performance.now() - start) / runs) // the first only warms up
    }
  }
  return [median(times[0]), median(times[1])]
}
