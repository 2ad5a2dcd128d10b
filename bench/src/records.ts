import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { clientOptions, openDatabase } from '../../server/dist/database/index.js'
import { type BenchService, end, startTunedServer } from './bench-service.ts'
import { median, requestsPerSecond } from './load.ts'
import { loadRecords } from './record-rows.ts'
import { type RecordScenario, recordScenarios } from './record-scenarios.ts'

const records = 1_000_000
const repetitions = 5
const seconds = 2
const connections = 8

/**
 * Compares lists and counts of types with 1 000 000 records through HTTP: the service with a server that answers the same
 * from SQL written by hand. The two take turns within each repetition.
 */
export async function printRecords(service: BenchService): Promise<void> {
  const { tenantId, key } = await service.fill('records', 1, 1)
  const opened = await openDatabase({
    databaseUrl: null,
    dataDir: service.dataDir,
    purpose: 'command',
    log: { info: () => {}, warn: () => {} },
  })
  const count = Number(process.argv[3] ?? records)
  await loadRecords(new pg.Client(clientOptions(opened.connection, 'owner')), tenantId, count)
  const tuned = await startTunedServer('tuned-record-server.js', {
    BENCH_TENANT: tenantId,
    BENCH_CONNECTION: JSON.stringify(opened.connection),
    BENCH_RECORDS: String(count),
  })
  try {
    const headers = { authorization: key }
    process.stdout.write(`\n${'requests per second, median of 5'.padEnd(50)}  service    tuned  cost ratio\n`)
    for (const scenario of recordScenarios(tenantId, count)) {
      const { name, path } = scenario
      requireSame(scenario, await answerOf(service.address + path, headers), await answerOf(tuned.address + path, {}))
      const rate = (address: string, duration: number) =>
        requestsPerSecond(address, { method: 'GET', path, headers }, duration, connections)
      const ours: number[] = []
      const theirs: number[] = []
      await rate(service.address, 1) // both are warm before they are measured
      await rate(tuned.address, 1)
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        ours.push(await rate(service.address, seconds))
        theirs.push(await rate(tuned.address, seconds))
      }
      const [one, other] = [median(ours), median(theirs)]
      const columns = [one.toFixed(0), other.toFixed(0), (other / one).toFixed(2)]
      process.stdout.write(`${name.padEnd(50)}${columns.map((column) => column.padStart(9)).join('')}\n`)
    }
  } finally {
    await end(tuned.child)
    await opened.close()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function answerOf(address: string, headers: Record<string, string>): Promise<any> {
  const response = await fetch(address, { headers })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${address}: ${response.status} ${answer}`)
  return JSON.parse(answer)
}

/** Both must have answered the same; where an order has ties, with as many rows of the same fields. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function requireSame({ name, member }: RecordScenario, { [member]: ours }: any, { [member]: theirs }: any): void {
  const isSame =
    isDeepStrictEqual(ours, theirs) ||
    (Array.isArray(ours) &&
      ours.length > 0 &&
      ours.length === theirs.length &&
      isDeepStrictEqual(Object.keys(ours[0]), Object.keys(theirs[0])))
  if (!isSame) throw new Error(`${name}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`)
}
